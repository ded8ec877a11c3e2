import ArchiveReader
import Foundation
import Support

extension ConversionReport {
  /// Takes size, digest and format of each file that was rejected, as far as it can be read.
  ///
  /// An archive that was converted is identified when it is read; one that was rejected may have
  /// been left at its first byte.
  package mutating func identifyRejected() {
    for index in archives.indices
    where archives[index].outcome == .rejected && archives[index].sha256 == nil {
      archives[index].identify()
    }
  }
}

extension ConversionReport.Archive {
  /// Takes size, digest and format of the file, unless it is inside of another.
  fileprivate mutating func identify() {
    // A pipe would be emptied, or waited for.
    guard details.place == nil, let status = fileStatus(path), status.st_mode & S_IFMT == S_IFREG
    else {
      return
    }
    bytes = Int(status.st_size)
    guard let file = try? ByteStorage(contentsOf: path, leases: true) else { return }
    let digest = FileDigest(of: file)
    let text = digest.text
    guard (try? digest.check()) != nil else { return }
    (bytes, sha256) = (digest.byteCount, text)
    switch FileKind(file.head) {
    case .binaryPropertyList: format = "binary"
    case .xml where FileKind.isPropertyList(file.head): format = "xml"
    default: format = (try? SkippedFile(path: path, digests: false))?.kind.rawValue
    }
  }
}
