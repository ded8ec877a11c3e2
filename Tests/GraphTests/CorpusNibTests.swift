import ArchiveReader
import Converter
import Foundation
import TestSupport
import Testing

@Suite(
  "Real compiled nibs", .enabled(if: Repository.nibs != nil, "there is no ../shared/nibs"))
struct CorpusNibTests {
  /// The nibs, with what an independent reader counts in them.
  static let counts: [(name: String, objects: [String: Int])] = {
    let table = Repository.nibs.flatMap {
      try? String(contentsOfFile: "\($0)/EXPECTED.tsv", encoding: .utf8)
    }
    return (table ?? "").split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 5,
        let objects = try? JSONDecoder().decode([String: Int].self, from: Data(fields[4].utf8))
      else { return nil }
      return (String(fields[0]), objects)
    }
  }()

  /// The nibs that have the keyed archive of the same interface, for the same systems.
  static let twins: [(nib: String, keyed: String)] = counts.compactMap { entry in
    let keyed = entry.name.replacing("-101300.nib", with: "-keyed.nib")
    let exists = FileManager.default.fileExists(atPath: "\(Repository.nibs ?? "")/\(keyed)")
    return keyed != entry.name && exists ? (entry.name, keyed) : nil
  }

  private static func convert(
    _ name: String, to destination: String
  ) throws -> (store: StoreQuery, report: ConversionReport) {
    var options = ConversionOptions()
    options.verifies = true
    var conversion = Conversion(
      inputs: ["\(try #require(Repository.nibs))/\(name)"], destination: destination,
      options: options)
    let report = try conversion.run()
    return (try StoreQuery(destination), report)
  }

  @Test("have the objects that an independent reader counts")
  func agreesWithTheOracle() throws {
    #expect(Self.counts.count == 11)
    for (name, objects) in Self.counts {
      let archive = try KeyedArchive(contentsOf: "\(try #require(Repository.nibs))/\(name)")
      let classes = try archive.inspect(limits: .standard).classes
      let found = Dictionary(uniqueKeysWithValues: classes.map { ($0.name, $0.count) })
      #expect(found == objects, "\(name)")
    }
  }

  @Test("are converted with nothing left behind")
  func converted() throws {
    for (name, _) in Self.counts {
      let folder = try TemporaryFolder()
      let (store, report) = try Self.convert(name, to: folder.file(named: "out.db"))
      #expect(report.verification?.isPassed == true, "\(name)")
      #expect(report.unreachableObjects == 0 && report.unreadKeys.isEmpty, "\(name)")
      #expect(try store.flaws() == [], "\(name)")
    }
  }

  @Test("have the rows, values and links of their keyed archives")
  func twins() throws {
    #expect(Self.twins.count == 5)
    for (nib, keyed) in Self.twins {
      let folder = try TemporaryFolder()
      let store = try Self.convert(nib, to: folder.file(named: "nib.db")).store
      let other = try Self.convert(keyed, to: folder.file(named: "keyed.db")).store
      #expect(try StoreContent(store).tables == StoreContent(other).tables, "\(nib)")
    }
  }
}

/// The content of a store whatever numbers its rows have: where a row refers to another, the
/// content of that one stands.
private struct StoreContent {
  /// By tables, the rows as texts, sorted.
  private(set) var tables: [String: [String]] = [:]

  private struct Table {
    var columns: [String]
    /// The tables that columns refer to.
    var targets: [String: String]
    var rows: [[String]]
  }

  /// References are followed so far: longer than any path between objects that differ.
  private static let depth = 10

  init(_ store: StoreQuery) throws {
    var all: [String: Table] = [:]
    let names = try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0[0] }
    for name in names where !name.hasPrefix("_") && !name.hasPrefix("sqlite_") {
      let columns = try store.rows("SELECT name FROM pragma_table_info('\(name)') ORDER BY name")
        .map { $0[0] }
      let targets = try store.rows(
        "SELECT \"from\", \"table\" FROM pragma_foreign_key_list('\(name)')")
      let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      all[name] = Table(
        columns: columns,
        targets: Dictionary(
          targets.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first }),
        rows: try store.rows("SELECT \(list) FROM \"\(name)\""))
    }
    var known: [String: String] = [:]
    for _ in 0..<Self.depth {
      var next: [String: String] = [:]
      tables = [:]
      for (name, table) in all {
        for row in table.rows {
          let text = Self.text(of: row, in: table, known)
          tables[name, default: ["\(table.columns)"]].append(text)
          if let id = table.columns.firstIndex(of: "id") {
            next["\(name) \(row[id])"] = "\(text.hashValue)"
          }
        }
        tables[name]?.sort()
      }
      known = next
    }
  }

  private static func text(
    of row: [String], in table: Table, _ known: [String: String]
  ) -> String {
    let fields = Dictionary(uniqueKeysWithValues: zip(table.columns, row))
    return zip(table.columns, row).filter { $0.0 != "id" }.map { column, value in
      let type = column.hasSuffix("_id") ? fields["\(column.dropLast(3))_type"] : nil
      if let target = table.targets[column] ?? type {
        return value == "NULL" ? value : known["\(target) \(value)"] ?? ""
      }
      // Of a nib, equal numbers are one object: a whole one may be a real number.
      return value.hasSuffix(".0") ? String(value.dropLast(2)) : value
    }.joined(separator: "|")
  }
}
