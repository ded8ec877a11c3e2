import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// A store made in the test's own process from archives made in memory.
struct ConvertedStore {
  let store: StoreQuery
  let report: ConversionReport
  private let folder: TemporaryFolder

  /// Converts archives; the first is `a0.plist`, and so on.
  init(
    _ archives: KeyedArchiveBuilder..., change: (inout ConversionOptions) -> Void = { _ in }
  ) throws {
    try self.init(archives, change: change)
  }

  init(
    _ archives: [KeyedArchiveBuilder], change: (inout ConversionOptions) -> Void
  ) throws {
    folder = try TemporaryFolder()
    var inputs: [String] = []
    for (number, archive) in archives.enumerated() {
      inputs.append(try folder.write(archive.binary(), to: "a\(number).plist"))
    }
    var options = ConversionOptions()
    change(&options)
    let output = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: inputs, destination: output, options: options)
    report = try conversion.run()
    store = try StoreQuery(output)
    #expect(try store.flaws() == [])
    try CoreDataVerification.expectPassedIfWhole(inputs, options)
  }

  func lines(_ sql: String) throws -> [String] { try store.lines(sql) }

  /// The tables of entities and collections, those of the store's own left out.
  func tables() throws -> [String] {
    try store.lines(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 1) <> '_'")
  }
}

extension StoreQuery {
  /// The columns of a table, each with its type: "id INTEGER".
  func columns(_ table: String) throws -> [String] {
    let quoted = "'" + table.replacing("'", with: "''") + "'"
    return try lines("SELECT name || ' ' || type FROM pragma_table_info(\(quoted))")
  }
}

extension KeyedArchiveBuilder {
  /// An archive whose root is one object of a class.
  static func of(
    _ className: String,
    _ values: (inout KeyedArchiveBuilder) throws -> KeyValuePairs<String, PropertyListValue>
  ) rethrows -> KeyedArchiveBuilder {
    try archive { archive in archive.instance(of: className, try values(&archive)) }
  }
}
