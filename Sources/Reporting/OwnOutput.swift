import ArchiveReader
import Foundation
import Support

/// The files that this program writes besides stores: reports in all forms, metadata for Datasette,
/// and source code.
package enum OwnOutput {
  /// The words where a file of somebody else is in the place of one.
  package static let refusal = "already exists and was not written by this program"

  /// Finds out if a file may be written at a path without the loss of another: there is none, it is
  /// empty, or this program wrote it.
  ///
  /// A pipe or a device is written to as it is.
  package static func mayReplace(_ path: String) -> Bool {
    guard let status = fileStatus(path), status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else { return true }
    guard let file = try? ByteStorage(contentsOf: path) else { return false }
    return withExtendedLifetime(file) { isOwn(file.borrowed, file.head) }
  }

  /// Finds out if there is a file at a path whose source code this program wrote.
  package static func isCode(at path: String) -> Bool {
    guard let status = fileStatus(path), status.st_mode & S_IFMT == S_IFREG,
      let file = try? ByteStorage(contentsOf: path)
    else { return false }
    return withExtendedLifetime(file) { isCode(start(file.head)) }
  }

  private static func start(_ head: FileHead) -> String {
    String(decoding: head.bytes.prefix(1 << 12), as: UTF8.self)
  }

  private static func isCode(_ start: String) -> Bool {
    start.split(whereSeparator: \.isNewline).prefix(2).contains { $0.contains(CodeFile.mark) }
  }

  /// Finds out if the bytes are those of a file that this program writes.
  private static func isOwn(_ bytes: BorrowedBytes, _ head: FileHead) -> Bool {
    let start = start(head)
    func holds(_ text: String) -> Bool { FileSystem.contains(text, bytes) }
    if isCode(start) { return true }
    switch start.first {
    case "<":
      if start.contains("<svg ") { return start.contains(EntityDiagram.mark) }
      return start.contains(/<title>(Conversion|Migration|Verification) report/)
        && holds("Made by the archive converter, version ")
    case "#": return holds("\n- Converter: version ")
    case "{":
      let firstKeys = start.filter { !$0.isWhitespace }
      if firstKeys.hasPrefix(#"{"archivedObjects":"#) || firstKeys.hasPrefix(#"{"archives":["#) {
        return holds(#""converter""#)
      }
      if firstKeys.hasPrefix(#"{"databases":{"#) { return holds("\"Converted from ") }
      return isEntry(head)
    case "d": return start.hasPrefix("databases:\n") && holds(": Converted from ")
    default:
      let line = start.prefix { !$0.isNewline }
      // "Converted 3 archives in 0.01 s → out.db, 98.3 kB".
      return line.contains(" → ") && line.prefixMatch(of: /(Converted|Migrated|Compared) \d/) != nil
    }
  }

  /// Finds out if a file begins with a line of a full report.
  private static func isEntry(_ head: FileHead) -> Bool {
    struct Entry: Decodable {
      var list: FullReportList
    }
    let line = Data(head.bytes.prefix { $0 != UInt8(ascii: "\n") })
    return (try? JSONDecoder().decode(Entry.self, from: line)) != nil
  }
}
