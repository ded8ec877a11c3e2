import Foundation
import GraphCore
import Support

/// Values that policies made, in a file without a name: memory does not grow with them.
///
/// A record is written once and never changed. While a migration runs, one thread writes and reads;
/// afterwards any number of threads read.
final class RecordFile: @unchecked Sendable {
  // Unchecked: nothing changes once the migration has run, see `finish`.
  private let descriptor: CInt
  private var size = 0
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 16

  /// Makes the file in a folder for temporary files.
  init() throws(MigrationError) {
    let none = MigrationError(.noRoom, name: "there is no folder for temporary files")
    descriptor = try TemporaryName.first(orThrow: none) { (path) throws(MigrationError) in
      do throws(SystemError) {
        return try TemporaryFile.make(at: path)
      } catch {
        throw MigrationError(.noRoom, name: "\(path): \(error.words)")
      }
    }
  }

  deinit { close(descriptor) }

  /// Adds the record of some values.
  ///
  /// - Returns: Where it begins.
  func append(_ values: PendingValues.Values) throws(MigrationError) -> Int {
    let start = size + buffer.count
    ValueRecord.write(values, to: &buffer)
    if buffer.count >= Self.bufferSize { try flush() }
    return start
  }

  /// Writes what is still in memory; nothing is added later.
  func finish() throws(MigrationError) {
    try flush()
    buffer = []
  }

  private func flush() throws(MigrationError) {
    do throws(SystemError) {
      try FileSystem.write(buffer, to: descriptor, at: size)
    } catch {
      throw MigrationError(.noRoom, name: error.words)
    }
    size += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Reads as many bytes as an array has, those not yet written included.
  ///
  /// - Returns: How many were read: fewer than asked for only at the end.
  func read(at offset: Int, into bytes: inout [UInt8]) throws(ArchiveError) -> Int {
    var done = 0
    while done < bytes.count, offset + done < size {
      let most = min(bytes.count - done, size - offset - done)
      let count = unsafe bytes.withUnsafeMutableBytes { memory in
        unsafe pread(
          descriptor, memory.baseAddress?.advanced(by: done), most, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ArchiveError(.unreadable, name: "temporary values") }
      done += count
    }
    let start = offset + done - size
    if done < bytes.count, start >= 0, start < buffer.count {
      let rest = min(bytes.count - done, buffer.count - start)
      bytes.replaceSubrange(done..<done + rest, with: buffer[start..<start + rest])
      done += rest
    }
    return done
  }
}
