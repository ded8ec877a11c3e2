import Foundation

/// A folder of a test's own, which is deleted with all that is in it when nothing holds it any
/// more.
package final class TemporaryFolder: Sendable {
  /// The folder's absolute path.
  package let path: String

  /// Makes an empty folder.
  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("convert-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder, whether there is one or not.
  package func file(named name: String) -> String {
    "\(path)/\(name)"
  }

  /// Writes a file and returns its path; makes the folders in its name.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let url = URL(fileURLWithPath: file(named: name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// Writes a file of UTF-8 text and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }

  /// The names in the folder, hidden files included, sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
