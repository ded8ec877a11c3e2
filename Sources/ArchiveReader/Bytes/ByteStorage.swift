import Foundation
import Support

/// The bytes of a file, mapped into memory or held in it, unchanging and at one address, whoever
/// writes to the file.
///
/// Whoever reads the bytes keeps this object meanwhile, and goes no further than they do;
/// `NodeTable` reads only places that a reader has checked.
@safe package final class ByteStorage: @unchecked Sendable {
  // Unchecked: the memory is written before the initialiser returns and never after.
  package let bytes: UnsafeRawBufferPointer
  private let holding: Holding

  /// The bytes, for as long as this object lives.
  package var borrowed: BorrowedBytes { unsafe BorrowedBytes(bytes) }

  /// The first of the bytes.
  package var head: FileHead { FileHead(borrowed) }

  /// A copy of the bytes.
  package var data: Data { unsafe Data(bytes) }

  /// The number of bytes.
  package var count: Int { unsafe bytes.count }

  /// Whose the memory is.
  private enum Holding {
    case mapped(MappedInput)
    case copied
    /// Memory of `malloc`, taken over.
    case taken
    /// A part of a piece of memory with several files.
    case shared(ByteArena.Piece)
    /// That of other owners, which live as long as this one.
    case borrowed([ByteStorage])
    /// A part of other bytes, which live as long as this one.
    case part(ByteStorage)
    /// That of an owner that the memory is all of.
    case kept(AnyObject)
  }

  /// A file up to this size is copied into memory, which is cheaper than mapping it.
  private static let largestCopy = 1 << 20

  /// Reads or maps a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - arena: The memory that small files share; nil if each has memory of its own.
  ///   - leases: True if a large file may be mapped where it lies: then `check()` has to be asked
  ///     whether what was read counts.
  /// - Throws: `ArchiveError` if it cannot be read, or changes while it is copied.
  package init(
    contentsOf path: String, in arena: ByteArena? = nil, leases: Bool = false
  ) throws(ArchiveError) {
    let file = try InputFile(path)
    guard file.size <= Self.largestCopy else {
      let input = try MappedInput(file, leases: leases)
      unsafe bytes = unsafe input.bytes
      holding = .mapped(input)
      return
    }
    let shared = unsafe arena?.take(file.size)
    let copy = unsafe shared?.memory ?? .allocate(byteCount: file.size, alignment: 16)
    do throws(ArchiveError) {
      try unsafe file.read(into: copy)
      try file.check()
    } catch {
      if unsafe shared == nil { unsafe copy.deallocate() }
      throw error
    }
    unsafe bytes = UnsafeRawBufferPointer(copy)
    holding = unsafe shared.map { unsafe .shared($0.piece) } ?? .copied
  }

  /// Holds a copy of bytes that are in memory already.
  package init(_ source: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    unsafe copy.copyBytes(from: source)
    unsafe bytes = UnsafeRawBufferPointer(copy)
    holding = .copied
  }

  /// Takes memory over that `malloc` gave.
  init(taking memory: UnsafeMutableRawBufferPointer) {
    unsafe bytes = UnsafeRawBufferPointer(memory)
    holding = .taken
  }

  /// Holds bytes of a property list where they lie, and so all the memory of the list.
  init(_ part: UnsafeRawBufferPointer, of owners: [ByteStorage]) {
    unsafe bytes = part
    holding = .borrowed(owners)
  }

  /// Holds a part of other bytes where they lie, and so these themselves; nil where the range goes
  /// beyond them.
  ///
  /// - Parameters:
  ///   - range: The range of the part.
  ///   - whole: The bytes that it is a part of.
  package init?(_ range: Range<Int>, of whole: ByteStorage) {
    guard range.lowerBound >= 0, range.upperBound <= whole.count else { return nil }
    unsafe bytes = unsafe UnsafeRawBufferPointer(rebasing: whole.bytes[range])
    holding = .part(whole)
  }

  /// Holds bytes in a file that belong to an owner, which lives as long as these.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, which do not change any more.
  ///   - owner: Whose they are.
  package init(_ bytes: BorrowedBytes, keeping owner: AnyObject) {
    unsafe self.bytes = bytes.buffer
    holding = .kept(owner)
  }

  /// The memory held for these bytes: mapped files, and their copies, take none.
  package var residentBytes: Int {
    switch holding {
    case .mapped, .kept: 0
    case .copied, .taken, .shared: count
    case .borrowed(let owners): owners.reduce(0) { $0 + $1.residentBytes }
    case .part(let whole): whole.residentBytes
    }
  }

  /// Refuses what was read if the file could not be read where it is mapped.
  ///
  /// - Throws: `ArchiveError` if some of the bytes were not those of the file.
  package func check() throws(ArchiveError) {
    switch holding {
    case .mapped(let input): try input.check()
    case .borrowed(let owners): for owner in owners { try owner.check() }
    case .part(let whole): try whole.check()
    case .copied, .taken, .shared, .kept: break
    }
  }

  deinit {
    switch holding {
    case .copied: unsafe bytes.deallocate()
    case .taken: unsafe free(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    case .mapped, .borrowed, .shared, .part, .kept: break
    }
  }
}
