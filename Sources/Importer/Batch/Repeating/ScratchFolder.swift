import Foundation

/// A folder of the program's own for files that are of no use later: it goes with its last owner.
final class ScratchFolder {
  let path: String

  /// Makes a folder where temporary files belong, which nobody else can look into.
  init() throws(StoreError) {
    let base = FileManager.default.temporaryDirectory.path
    var template = Array("\(base)/convert-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(.file, path: base, reason: String(cString: strerror(errno)))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedFolders.shared.add(path)
  }

  deinit { UnfinishedFolders.shared.remove(path) }
}
