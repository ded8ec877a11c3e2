import ArchiveReader
import ArgumentParser
import Converter
import Support

extension ConvertCommand {
  /// `convert where`: the object that a row was.
  struct Where: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "where",
      abstract: "Show which object of which file a row of a store was.",
      discussion: """
        Prints the file, the object's class and number, the keys that lead to it, and of databases the \
        row and column; then the object itself, read again. The store has to be made with \
        --provenance, and the file has to be the same.
        """)

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Argument(help: "The table of the row.")
    var table: String

    @Argument(help: "The id of the row.")
    var id: Int64

    @Option(
      help: ArgumentHelp(
        "The file with the archive, if it was moved, or of several that the row was in; it must be "
          + "unchanged.", valueName: "file"),
      completion: .file())
    var input: String?

    @Flag(help: "Print JSON, without the object itself.")
    var json = false

    func run() throws {
      try Console.requireOutput()
      let origin: RowOrigin
      do throws(ConversionError) {
        origin = try RowOrigin(ofRow: id, in: table, ofStoreAt: store, input: input)
      } catch {
        Console.refuse(store, expected: [.store], error.messages)
        throw Outcome.impossible
      }
      guard !json else { return try Console.print(text: JSONDocument.text(of: JSON(origin))) }
      var tree = Inspect.Tree(origin.source, limits: .standard, depth: 3, elements: 10)
      let text: String
      do throws(ArchiveError) {
        text = try tree.text(ofObject: origin.uid)
      } catch {
        Console.complain("\(origin.path): \(error)")
        throw Outcome.impossible
      }
      try Console.print(text: Self.heading(origin) + "\n" + text)
    }

    private static func heading(_ origin: RowOrigin) -> String {
      let place = origin.place
      var lines = [("file", origin.path), ("class", origin.className)]
      if let row = place.row {
        let column = place.column.map { ", column \($0)" } ?? ""
        lines.append(("row", "\(row.id) of \(row.table)\(column)"))
      }
      if let uid = place.uid { lines.append(("object", "\(uid)")) }
      if let path = origin.keyPath { lines.append(("path", path)) }
      if let bytes = place.bytes {
        let whole = place.column == nil ? "archive" : "value"
        let last = bytes.offset + bytes.count - 1
        lines.append(("bytes", "\(bytes.offset) to \(last) of the \(whole)"))
      }
      for other in origin.others {
        lines.append(("also", "\(other.className) \(other.number) of \(other.path)"))
      }
      return lines.map { label, text in
        label.padding(toLength: 8, withPad: " ", startingAt: 0) + Console.printable(text) + "\n"
      }.joined()
    }

    /// The form of `convert where --json`: see Documentation/cli.md.
    private struct JSON: Encodable {
      var path: String
      var `class`: String
      var number: Int64
      var table: String?
      var row: Int64?
      var column: String?
      var uid: Int?
      var keyPath: String?
      var offset: Int?
      var length: Int?
      var others: [Other]?

      struct Other: Encodable {
        var path: String
        var `class`: String
        var number: Int64
      }

      init(_ origin: RowOrigin) {
        (path, `class`, number) = (origin.path, origin.className, origin.number)
        (table, row) = (origin.place.row?.table, origin.place.row?.id)
        (column, uid, keyPath) = (origin.place.column, origin.place.uid, origin.keyPath)
        (offset, length) = (origin.place.bytes?.offset, origin.place.bytes?.count)
        let others = origin.others.map {
          Other(path: $0.path, class: $0.className, number: $0.number)
        }
        if !others.isEmpty { self.others = others }
      }
    }
  }
}
