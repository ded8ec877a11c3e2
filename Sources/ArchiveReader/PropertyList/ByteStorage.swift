import Foundation

/// The bytes of a file, mapped into memory or held in it, unchanging and at one address.
///
/// This class and `NodeTable` are where unsafe memory is touched; `NodeTable` reads only places
/// that a reader has checked.
package final class ByteStorage: @unchecked Sendable {
  // Unchecked: the memory is written before the initialiser returns and never after.
  package let bytes: UnsafeRawBufferPointer
  private let holding: Holding

  /// Whose the memory is.
  private enum Holding {
    case mapped
    case copied
    /// Memory of `malloc`, taken over.
    case taken
    /// A part of a piece of memory with several files.
    case shared(ByteArena.Piece)
    /// That of another owner, which lives as long as this one.
    case borrowed(PropertyList)
  }

  /// A file up to this size is copied into memory: cheaper than mapping it, and safe if another
  /// process truncates it meanwhile.
  private static let largestCopy = 1 << 20

  /// Reads or maps a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - arena: Where the bytes of small files stand together; nil if each has memory of its own.
  /// - Throws: `ArchiveError` if it cannot be read.
  package init(contentsOf path: String, in arena: ByteArena? = nil) throws(ArchiveError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .systemError() }
    defer { close(descriptor) }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .systemError() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ArchiveError(.unreadable, name: "not a regular file")
    }
    let size = Int(status.st_size)
    guard size > 0 else { throw ArchiveError(.empty) }

    if size > Self.largestCopy {
      guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
        address != MAP_FAILED
      else { throw .systemError() }
      bytes = UnsafeRawBufferPointer(start: address, count: size)
      holding = .mapped
    } else {
      let shared = arena?.take(size)
      let copy = shared?.memory ?? .allocate(byteCount: size, alignment: 16)
      var filled = 0
      while filled < size {
        let count = read(descriptor, copy.baseAddress?.advanced(by: filled), size - filled)
        guard count > 0 else {
          if shared == nil { copy.deallocate() }
          if count == 0 { throw ArchiveError(.unreadable, name: "it shrank while it was read") }
          throw .systemError()
        }
        filled += count
      }
      bytes = UnsafeRawBufferPointer(copy)
      holding = shared.map { .shared($0.piece) } ?? .copied
    }
  }

  /// Holds a copy of bytes that are in memory already.
  package init(_ source: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    copy.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    holding = .copied
  }

  /// Takes memory over that `malloc` gave.
  init(taking memory: UnsafeMutableRawBufferPointer) {
    bytes = UnsafeRawBufferPointer(memory)
    holding = .taken
  }

  /// Holds bytes of a property list where they lie, and so the list itself.
  init(_ part: UnsafeRawBufferPointer, of owner: PropertyList) {
    bytes = part
    holding = .borrowed(owner)
  }

  /// How much memory is held for these bytes: mapped files can be read again.
  package var residentBytes: Int {
    switch holding {
    case .mapped: 0
    case .copied, .taken, .shared: bytes.count
    case .borrowed(let owner): owner.residentBytes
    }
  }

  deinit {
    switch holding {
    case .mapped: munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    case .copied: bytes.deallocate()
    case .taken: free(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    case .borrowed, .shared: break
    }
  }
}

extension ArchiveError {
  /// The last error of the operating system.
  fileprivate static func systemError() -> ArchiveError {
    ArchiveError(.unreadable, name: String(cString: strerror(errno)))
  }
}
