import ArchiveWriter
import Converter
import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("The metadata that an application keeps with a Core Data store")
struct StoreMetadataTests {
  private let sample: ConvertedSample
  private var maker: StoreMaker { sample.maker }

  /// A value of each kind.
  private static let values: [KeyValue] = [
    KeyValue("account", "me"), KeyValue("syncs", .bool(true)), KeyValue("count", 7),
    KeyValue("ratio", 0.5), KeyValue("large", .unsigned(.max)), KeyValue("synced", .date(0.5)),
    KeyValue("token", .data(Data([1, 2]))), KeyValue("half", .utf16([0xD800, 0x41])),
    KeyValue("list", ["a", 2, []]),
    KeyValue("tree", .dictionary([KeyValue("b", .dictionary([KeyValue("c", "d")]))])),
  ]

  /// The rows of the values, without the archive.
  private static let rows = [
    "1|NULL|account|NULL|text|me", "2|NULL|syncs|NULL|boolean|1", "3|NULL|count|NULL|integer|7",
    "4|NULL|ratio|NULL|real|0.5", "5|NULL|large|NULL|integer|18446744073709551615",
    "6|NULL|synced|NULL|date|2001-01-01T00:00:00.500Z", "7|NULL|token|NULL|data|0102",
    "8|NULL|half|NULL|utf-16|D8000041", "9|NULL|list|NULL|array|NULL", "10|9|NULL|0|text|a",
    "11|9|NULL|1|integer|2", "12|9|NULL|2|array|NULL", "13|NULL|tree|NULL|dictionary|NULL",
    "14|13|b|NULL|dictionary|NULL", "15|14|c|NULL|text|d",
  ]

  private static let query = """
    SELECT number, parent, key, position, type, iif(typeof(value) = 'blob', hex(value), value)
      FROM _metadata
    """

  init() throws {
    sample = try ConvertedSample()
    try Self.set(Self.values, in: sample.maker)
  }

  private static func set(_ values: [KeyValue], in maker: StoreMaker) throws {
    var metadata = CoreDataMetadata(of: ModelSource(StoreMaker.model))
    metadata.applicationValues = values
    let hex = metadata.propertyList().map { String(format: "%02X", $0) }.joined()
    try maker.edit("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)';")
  }

  @Test("is in a table of the relational layout, with values of all kinds", arguments: [1, 4])
  func relational(jobs: Int) throws {
    let (store, report, path) = try sample.convert { $0.jobs = jobs }
    #expect(report.verification?.isPassed == true)
    #expect(report.metadataValues == 11)
    #expect(try store.flaws() == [])
    #expect(try store.lines("\(Self.query) ORDER BY id") == Self.rows)
    #expect(try sample.differences(in: path) == [])
    let editor = try StoreEditor(path)
    try editor.run("UPDATE _metadata SET value = 8 WHERE key = 'count'")
    try editor.run("DELETE FROM _metadata WHERE number = 15")
    editor.close()
    #expect(try sample.differences(in: path) == ["_metadata.value", "_metadata."])
  }

  @Test("of several stores is told apart by their archives, in one run and in several")
  func several() throws {
    let other = try StoreMaker.sample()
    try Self.set([KeyValue("account", "you")], in: other)
    let archive = try maker.folder.write(
      KeyedArchiveBuilder.archive { archive in
        archive.instance(of: "Tag", ["name": archive.string("late")])
      }.binary(), to: "tag.archive")
    let query =
      "SELECT archive_id, count(*), max(value) FILTER (WHERE key = 'account') "
      + "FROM _metadata GROUP BY 1"
    let (store, report, _) = try sample.convert([maker.path, archive, other.path])
    #expect(report.verification?.isPassed == true)
    #expect(try store.lines(query) == ["1|15|me", "3|1|you"])
    _ = try sample.convert([archive], to: "more.sqlite")
    for input in [maker.path, other.path] {
      let added = try sample.convert([input], to: "more.sqlite") { $0.existingStore = .append }
      #expect(added.report.verification?.isPassed == true)
    }
    #expect(
      try StoreQuery(maker.folder.file(named: "more.sqlite")).lines(query) == [
        "2|15|me", "3|1|you",
      ])
  }

  @Test("stays with a Core Data store that is made of one store, and is listed of several")
  func coreData() throws {
    let (_, report, path) = try sample.convert { $0.layout = .coreData }
    #expect(report.verification?.isPassed == true)
    #expect(report.omissions == [] && report.metadataValues == 0)
    let copy = try SQLiteStoreSource(path: path, model: ModelSource(StoreMaker.model))
    #expect(copy.metadata.applicationValues == Self.values)
    let other = try StoreMaker(StoreMaker.model, "", name: "other.sqlite")
    let (_, both, _) = try sample.convert([maker.path, other.path]) { $0.layout = .coreData }
    #expect(both.verification?.isPassed == true)
    #expect(both.omissions.map(\.entity) == Self.values.map { _ in "metadata" })
    #expect(both.omissions.map(\.property) == Self.values.map(\.key).sorted())
  }

  @Test("makes no table where there is none")
  func none() throws {
    try Self.set([], in: maker)
    let (store, report, _) = try sample.convert()
    #expect(report.verification?.isPassed == true)
    #expect(try store.lines("SELECT name FROM sqlite_schema WHERE name = '_metadata'") == [])
  }
}
