import ArchiveWriter
import Converter
import Foundation
import Support
import TestSupport
import Testing

/// A folder of small archives, and what their conversion ends in.
enum SmallArchives {
  /// Archives of plain objects: with owners and members, members before owners, of one class and of
  /// two, collections inside of collections, texts of which something is lost, archives inside, and
  /// a large one among them.
  static func archive(_ number: Int, withLarge: Bool = true) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let folder = archive.reserve()
      let notes = (0...number % 7).map { note in
        archive.instance(
          of: "Note",
          [
            "title": note == 3
              ? .utf16([0x61, 0xD83D, .init(number)]) : archive.string("n\(note)"),
            "folder": folder.reference, "rank": .integer(Int64(note)),
            "lines": archive.array([archive.array([1, .integer(Int64(number))]), "x"]),
          ])
      }
      let inner = KeyedArchiveBuilder.archive { $0.instance(of: "Inner", ["number": 1]) }
      let payload: PropertyListValue =
        number % 5 == 0 ? archive.data(inner.binary()) : archive.data(Data([1, 2]))
      // A book is come by before its shelf.
      let shelf = archive.reserve()
      let book = archive.instance(of: "Book", ["shelf": shelf.reference])
      let other = archive.instance(of: "Book", ["shelf": shelf.reference])
      archive.fill(shelf, className: "Shelf", ["books": archive.array([other, book])])
      archive.fill(
        folder, className: number % 4 == 3 ? "Box" : "Folder",
        [
          "notes": archive.array(number % 2 == 0 ? notes : notes.reversed()), "payload": payload,
          "book": book,
          "space": .data(Data(repeating: 7, count: withLarge && number == 20 ? 9 << 17 : 0)),
        ])
      // Some archives begin with a member.
      return number % 3 == 0 ? notes[0] : folder.reference
    }
  }

  /// Such archives without a large one, made once for all tests.
  static let files = (0..<200).map { archive($0, withLarge: false).binary() }

  /// The inputs, in a folder of their own: a damaged one and one twice among them.
  static func folder(withLarge: Bool = true) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 0..<60 {
      let file = withLarge && number == 20 ? archive(number).binary() : files[number]
      try folder.write(file, to: "in/\(100 + number).plist")
    }
    try folder.write("bplist00 damaged", to: "in/110a.plist")
    try folder.write(files[12], to: "in/111a.plist")
    return folder
  }

  /// All rows in the order in which they were written, but for times, reports and large values.
  static func rows(_ path: String) throws -> [String] {
    let store = try StoreQuery(path)
    #expect(try store.flaws() == [])
    let tables = try store.lines(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('_report', '_run')
        ORDER BY name
      """)
    return try tables.flatMap { table in
      let columns = try store.lines("SELECT name FROM pragma_table_info('\(table)')")
        .filter { $0 != "converted" && $0 != "space" }.map { "\"\($0)\"" }.joined(separator: ", ")
      return [table]
        + (try store.lines("SELECT \(columns) FROM \"\(table)\" ORDER BY rowid"))
    }
  }

  static func options(jobs: Int) -> ConversionOptions {
    var options = ConversionOptions()
    options.jobs = jobs
    options.opensNested = true
    options.recordsProvenance = true
    options.errorPolicy = .skip
    options.speculation.files = .max
    return options
  }

  struct Outcome: Equatable {
    var rows: [String]
    var report: String

    init(_ path: String, _ report: ConversionReport) throws {
      rows = try SmallArchives.rows(path)
      var report = report
      (report.startedAt, report.seconds) = (nil, nil)
      (report.storePath, report.storeBytes, report.storeSHA256) = ("", nil, nil)
      self.report = try JSONDocument.text(of: report)
    }
  }

  static func convert(
    _ folder: TemporaryFolder, _ options: ConversionOptions
  ) throws -> Outcome {
    let output = folder.file(named: "out.sqlite")
    try? FileManager.default.removeItem(atPath: output)
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: output, options: options)
    return try Outcome(output, try conversion.run())
  }
}
