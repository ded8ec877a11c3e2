import ArchiveReader
import Foundation
import GraphCore
import Support

/// Memory in a file without a name: the system can put its pages there.
@safe final class MappedMemory {
  let bytes: UnsafeMutableRawBufferPointer

  /// Makes memory.
  ///
  /// - Throws: `ArchiveError` if there is no room on the disk.
  init(_ byteCount: Int) throws(ArchiveError) {
    do throws(SystemError) {
      let descriptor = try TemporaryFile.make()
      defer { close(descriptor) }
      // All of it at once: what has no room later would end the program.
      let code = posix_fallocate(descriptor, 0, off_t(byteCount))
      guard code == 0 else { throw SystemError(code) }
      guard
        let address = unsafe mmap(
          nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
        unsafe address != MAP_FAILED
      else { throw .last }
      unsafe bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    } catch {
      throw ArchiveError(error)
    }
  }

  /// The bytes, for as long as this object lives.
  var borrowed: BorrowedBytes { unsafe BorrowedBytes(UnsafeRawBufferPointer(bytes)) }

  /// Lets go of what is in memory: the file has it, for whoever reads it.
  func giveUpPages() { unsafe madvise(bytes.baseAddress, bytes.count, MADV_DONTNEED) }

  deinit { unsafe munmap(bytes.baseAddress, bytes.count) }
}

extension ByteStorage {
  /// Holds a copy of bytes, a large one in a file without a name.
  ///
  /// - Throws: `ArchiveError` if there is no room on the disk.
  convenience init(copying bytes: BorrowedBytes) throws(ArchiveError) {
    guard bytes.count > SQLiteStoreGraph.RowReader.largestValue else {
      self.init(bytes)
      return
    }
    let memory = try MappedMemory(bytes.count)
    unsafe memory.bytes.copyMemory(from: bytes.buffer)
    memory.giveUpPages()
    self.init(memory.borrowed, keeping: memory)
  }
}
