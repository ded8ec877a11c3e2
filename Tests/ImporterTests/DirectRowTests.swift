import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// Rows that entity mappings make straight from the archive, against those made one by one.
@Suite("A mapping")
struct DirectRowTests {
  /// Two folders with notes, one of which names a folder that does not hold it.
  private static let graph = KeyedArchiveBuilder.graph(
    GraphObject(
      "Folder", ["name": .plain(.string("first")), "notes": .array([2, 3]), "rank": .null]),
    GraphObject("Folder", ["name": .plain(.string("second")), "notes": .array([4])]),
    note("a", amount: 1.005, date: 0, container: 0, tags: "verb,später, home"),
    note("b", amount: -2.5, date: 59.25, container: 0, tags: "home,verb,,home"),
    note("c", amount: 1e21, date: -86_400, container: 1, tags: "日本,verb"),
    GraphObject(
      "Note",
      ["title": .null, "amount": .plain(.real(-0.0)), "container": .one(0), "tags": .null]),
    GraphObject("Note", ["container": .one(1), "kind": .plain(.integer(2))]))

  private static func note(
    _ title: String, amount: Double, date: Double, container: Int, tags: String
  ) -> GraphObject {
    GraphObject(
      "Note",
      [
        "title": .plain(.string(title)), "amount": .plain(.real(amount)), "date": .date(date),
        "container": .one(container), "tags": .plain(.string(tags)), "kind": .plain(.integer(1)),
        "secret": .plain(.bool(true)),
      ])
  }

  static let mappings: KeyValuePairs = [
    "renames":
      "attributes: {name: {from: title, convert: text}}, relationships: {folder: {from: container}}",
    "feeds two properties from one key": "attributes: {front: title, title: title}",
    "rounds": "attributes: {amount: {convert: {decimal: {scale: 2, rounding: halfUp}}}}",
    "writes dates as texts":
      "attributes: {date: {convert: {dateText: {pattern: yyyy-MM-dd HH:mm}}}}",
    "writes dates in words":
      "attributes: {date: {convert: {dateText: {dateStyle: long, locale: fr_FR}}}}",
    "replaces values": "attributes: {kind: {convert: {enum: {1: one, 2: two}}}}",
    "has defaults and limits":
      "attributes: {title: {default: none, optional: false}, kind: {minimum: 0, default: 7}}",
    "turns numbers into texts": "attributes: {kind: {type: string}}",
    "sets constants": "attributes: {isOld: {value: true}}",
    "splits texts": "relationships: {tags: {split: \",\", into: Tag, by: name, inverse: notes}}",
    "splits texts and drops the case":
      "relationships: {tags: {split: \",\", into: Tag, by: name, fold: case}}",
    "leaves keys behind": "unread: [secret, kind]",
    "is complete": "complete: true, attributes: {title: title}",
  ]

  @Test(
    "makes the same store and report, straight from the archive or not",
    arguments: mappings.map(\.key))
  func same(name: String) throws {
    let text = try #require(Self.mappings.first { $0.key == name }?.value)
    var outcomes: [[String]] = []
    for avoidsPlainRows in [false, true] {
      var conversion = try SteeredConversion(
        [Self.graph, Self.graph], mapping: "entities: {Note: {\(text)}}", ImportExtensions())
      conversion.options.avoidsPlainRows = avoidsPlainRows
      conversion.options.verifies = true
      outcomes.append(try Self.outcome(conversion))
    }
    #expect(outcomes[0] == outcomes[1])
    if name == "rounds" { #expect(outcomes[0].contains("notInCollection Note 4 container")) }
  }

  /// What is in the store and said of it.
  private static func outcome(_ conversion: SteeredConversion) throws -> [String] {
    let (store, report) = try conversion.run()
    #expect(report.verification?.differences == [])
    let conflicts = report.conflicts.map { "\($0.code) \($0.entity) \($0.row) \($0.property)" }
    let losses = report.losses.map {
      "\($0.className).\($0.key) \($0.before) \($0.after) \($0.reason)"
    }
    let unread = (report.unreadKeys + report.ignoredKeys).map {
      "\($0.className).\($0.key) \($0.count)"
    }
    let counts = report.entities.map { "\($0)" }
    return [try store.content(except: ["_archive", "_run", "_report"])] + conflicts + losses
      + unread + counts
  }
}
