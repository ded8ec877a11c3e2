import ArchiveReader
import Foundation
import Support

extension ConversionReport {
  /// Takes size, digest and format of each file that was rejected, as far as it can be read.
  ///
  /// An archive that was converted is identified when it is read; one that was rejected may have
  /// been left at its first byte.
  ///
  /// - Parameter known: The archives of earlier reports of the run, by path, which stay as they
  ///   are.
  package mutating func identifyRejected(_ known: inout [String: Archive]) {
    for index in archives.indices
    where archives[index].outcome == .rejected && archives[index].sha256 == nil {
      if let same = known[archives[index].path] {
        archives[index] = same
      } else {
        archives[index].identify()
        if archives[index].details.place == nil { known[archives[index].path] = archives[index] }
      }
    }
  }

  /// Takes size, digest and format of each file that was rejected, in a run with one report.
  package mutating func identifyRejected() {
    var known: [String: Archive] = [:]
    identifyRejected(&known)
  }
}

extension ConversionReport.Archive {
  /// Takes size, digest and format of the file, unless it is inside of another.
  fileprivate mutating func identify() {
    guard details.place == nil else { return }
    let status = fileStatus(path)
    // A pipe would be emptied, or waited for.
    if let status, status.st_mode & S_IFMT != S_IFREG { return }
    bytes = status.map { Int($0.st_size) }
    let file: ByteStorage
    do {
      file = try ByteStorage(contentsOf: path, leases: true)
      let digest = FileDigest(of: file)
      let text = digest.text
      try digest.check()
      (bytes, sha256) = (digest.byteCount, text)
    } catch {
      // A file that cannot be read at all was rejected for that.
      if details.error != "\(error)" {
        details.error = [details.error, "no SHA-256 of it: \(error)"].compactMap(\.self)
          .joined(separator: "; ")
      }
      return
    }
    switch FileKind(file.head) {
    case .binaryPropertyList: format = "binary"
    case .xml where FileKind.isPropertyList(file.head): format = "xml"
    default: format = (try? SkippedFile(path: path, digests: false))?.kind.rawValue
    }
  }
}
