internal import CInputs
import Foundation
import GraphCore

/// Copies of files that nobody else can reach: files without a name in a temporary folder.
enum PrivateCopy {
  /// Copies a file.
  ///
  /// - Parameters:
  ///   - source: The file, open for reading; its position is no matter.
  ///   - size: The number of bytes to copy.
  /// - Returns: The descriptor of the copy, which the caller closes.
  /// - Throws: `ArchiveError` if the file is shorter or cannot be read, or if there is no room.
  static func make(of source: CInt, _ size: Int) throws(ArchiveError) -> CInt {
    var failure = ArchiveError(.unreadable, name: "no folder for temporary files")
    for path in TemporaryName.paths() {
      let copy: CInt
      do throws(SystemError) {
        copy = try TemporaryFile.make(at: path)
      } catch {
        failure = noRoom(error, path)
        continue
      }
      do throws(CopyError) {
        try fill(copy, source, size)
        return copy
      } catch {
        close(copy)
        switch error {
        case .reading(let error): throw error
        case .writing(let error): failure = noRoom(error, path)
        }
      }
    }
    throw failure
  }

  static func noRoom(_ error: SystemError, _ path: String) -> ArchiveError {
    ArchiveError(
      .unreadable,
      name: "cannot make a copy at \(path) (set TMPDIR to another folder): \(error.words)")
  }

  enum CopyError: Error {
    case reading(ArchiveError)
    case writing(SystemError)
  }

  /// Copies the beginning of a file into another, both of which are open.
  static func fill(
    _ copy: CInt, _ source: CInt, _ size: Int
  ) throws(CopyError) {
    var done = Int(cin_copy(source, copy, Int64(size)))
    // What it could not copy is read and written: that tells what is wrong with which of the two.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4_096)
    defer { unsafe buffer.deallocate() }
    while done < size {
      let most = min(buffer.count, size - done)
      let count: Int
      do throws(SystemError) {
        count = try FileSystem.again { unsafe pread(source, buffer.baseAddress, most, off_t(done)) }
      } catch {
        throw .reading(ArchiveError(error))
      }
      guard count > 0 else { throw .reading(.changed) }
      var written = 0
      while written < count {
        let start = unsafe buffer.baseAddress?.advanced(by: written)
        do throws(SystemError) {
          written += try FileSystem.again {
            unsafe pwrite(copy, start, count - written, off_t(done + written))
          }
        } catch {
          throw .writing(error)
        }
      }
      done += count
    }
  }
}
