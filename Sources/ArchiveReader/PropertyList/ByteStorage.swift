import Foundation

/// The bytes of a file, mapped into memory or held in it, unchanging and at one address.
///
/// This class and `NodeTable` are where unsafe memory is touched; `NodeTable` reads only places
/// that a reader has checked.
package final class ByteStorage: @unchecked Sendable {
  // Unchecked: the memory is written before the initialiser returns and never after.
  package let bytes: UnsafeRawBufferPointer
  let isMapped: Bool

  /// A file up to this size is copied into memory: cheaper than mapping it, and safe if another
  /// process truncates it meanwhile.
  private static let largestCopy = 1 << 20

  /// Reads or maps a file.
  package init(contentsOf path: String) throws(ArchiveError) {
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
      isMapped = true
    } else {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
      var filled = 0
      while filled < size {
        let count = read(descriptor, copy.baseAddress?.advanced(by: filled), size - filled)
        guard count > 0 else {
          copy.deallocate()
          if count == 0 { throw ArchiveError(.unreadable, name: "it shrank while it was read") }
          throw .systemError()
        }
        filled += count
      }
      bytes = UnsafeRawBufferPointer(copy)
      isMapped = false
    }
  }

  /// Holds a copy of bytes that are in memory already.
  package init(_ source: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    copy.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      bytes.deallocate()
    }
  }
}

extension ArchiveError {
  /// The last error of the operating system.
  fileprivate static func systemError() -> ArchiveError {
    ArchiveError(.unreadable, name: String(cString: strerror(errno)))
  }
}
