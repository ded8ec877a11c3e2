import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite("Drafted models in the layout of Core Data")
struct CoreDataDraftTests {
  typealias Make = @Sendable (inout KeyedArchiveBuilder) throws -> PropertyListValue

  /// Archives with what Core Data has no form of its own for.
  static let cases: [(name: String, make: Make)] = [
    ("an array of objects", { kids(&$0) { $0.array([kid(&$0, "p"), kid(&$0, "q")]) } }),
    (
      "a set of objects of two classes",
      { kids(&$0) { $0.set([kid(&$0, "p"), kid(&$0, "q", of: "Cat")]) } }
    ),
    (
      "an array of objects of two classes",
      { kids(&$0) { $0.array([kid(&$0, "p"), kid(&$0, "q", of: "Cat"), kid(&$0, "r")]) } }
    ),
    (
      "an object twice in an array",
      {
        kids(&$0) {
          let (one, other) = (kid(&$0, "p"), kid(&$0, "q"))
          return $0.array([one, other, one])
        }
      }
    ),
    (
      "an object in several collections",
      { archive in
        let shared = kid(&archive, "p")
        var docs: [PropertyListValue] = []
        for _ in 0..<3 {
          let kids = archive.array([shared])
          docs.append(doc(&archive, ["kids": kids]))
        }
        return archive.array(docs)
      }
    ),
    (
      "a key with objects of two classes",
      { $0.array([doc(&$0, ["kid": kid(&$0, "p")]), doc(&$0, ["kid": kid(&$0, "q", of: "Cat")])]) }
    ),
    (
      "a key with an object here and a collection there",
      {
        $0.array([
          doc(&$0, ["kid": kid(&$0, "p")]), doc(&$0, ["kid": $0.array([kid(&$0, "q")])]),
          doc(&$0, ["kid": $0.string("none")]),
        ])
      }
    ),
    (
      "values of several kinds",
      { archive in
        let values: [PropertyListValue] = [
          1, 2.5, archive.string("a"), .data(Data([1, 2])), true, archive.data(Data([3])),
          archive.date(secondsSince2001: 0.5), .real(.nan),
        ]
        var docs: [PropertyListValue] = []
        for value in values { docs.append(doc(&archive, ["value": value])) }
        return archive.array(docs)
      }
    ),
    (
      "collections of values",
      {
        doc(
          &$0,
          [
            "texts": $0.array([$0.string("a"), $0.string("b")]),
            "numbers": $0.set([$0.number(1), $0.number(2)]),
            "dates": $0.array([$0.date(secondsSince2001: 1.25)]),
            "pairs": $0.dictionary([$0.string("a"): $0.number(1), $0.string("b"): $0.string("c")]),
            "counts": $0.countedSet([($0.string("a"), 2)]), "empty": $0.array([]),
          ])
      }
    ),
    (
      "collections of values and objects",
      {
        let one = kid(&$0, "p")
        return doc(
          &$0,
          [
            "all": $0.array([$0.string("a"), one, $0.null(), $0.array([one, $0.number(1)])]),
            "byName": $0.dictionary([$0.string("p"): one]),
            "byKid": $0.dictionary([one: $0.string("p")]),
            "deep": $0.array([$0.array([$0.array([$0.string("z")])])]),
          ])
      }
    ),
    (
      "an empty collection and none",
      {
        $0.array([
          doc(&$0, ["kids": $0.array([])]), doc(&$0, [:]),
          doc(&$0, ["kids": $0.array([kid(&$0, "p")])]),
        ])
      }
    ),
    (
      "a set here and an array there, its members met in another order",
      { archive in
        let (one, other) = (kid(&archive, "p"), kid(&archive, "q"))
        let empty = archive.array([])
        let kids = archive.set([one, other])
        return archive.array([
          doc(&archive, ["kids": empty]), other, doc(&archive, ["kids": kids]),
        ])
      }
    ),
    (
      "members that name an owner whose collection does not hold them",
      { archive in
        let owner = archive.reserve()
        let all = members(of: owner, ["p", "q", "r"], &archive)
        let kids = archive.array(Array(all.prefix(2)))
        archive.fill(owner, className: "Doc", [KeyValue("kids", kids)])
        return archive.array([owner.reference, all[2]])
      }
    ),
    (
      "members that all lead back",
      { archive in
        let owner = archive.reserve()
        let kids = archive.array(members(of: owner, ["p", "q"], &archive))
        archive.fill(owner, className: "Doc", [KeyValue("kids", kids)])
        return owner.reference
      }
    ),
    (
      "objects that lead to themselves",
      {
        let node = $0.reserve()
        let other = $0.instance(of: "Node", ["next": node.reference])
        $0.fill(
          node, className: "Node",
          [KeyValue("next", node.reference), KeyValue("all", $0.array([node.reference, other]))])
        return node.reference
      }
    ),
    (
      "texts with attributes",
      {
        let text = $0.instance(of: "NSAttributedString", ["NSString": $0.string("hello")])
        return $0.array([doc(&$0, ["body": text]), doc(&$0, ["body": $0.string("plain")])])
      }
    ),
    (
      "names that Core Data has a use for",
      {
        doc(
          &$0,
          [
            "owner": $0.array([kid(&$0, "p")]), "position": 1, "key": $0.string("k"),
            "value": $0.array([$0.number(1)]), "hash": 7, "doc_owner": $0.string("x"),
          ])
      }
    ),
    (
      "more keys than a table has columns",
      {
        let keys = (0..<2_100).map { KeyValue("k\($0)", .integer(Int64($0))) }
        return $0.instance(of: "Wide", keys)
      }
    ),
    ("a plain value", { $0.string("alone") }),
    (
      "values at the top",
      { $0.dictionary([$0.string("author"): $0.string("Jane"), $0.string("kid"): kid(&$0, "p")]) }
    ),
  ]

  private static func kid(
    _ archive: inout KeyedArchiveBuilder, _ name: String, of className: String = "Kid"
  ) -> PropertyListValue {
    archive.instance(of: className, ["name": archive.string(name)])
  }

  /// Members that name their owner.
  private static func members(
    of owner: KeyedArchiveBuilder.Slot, _ names: [String], _ archive: inout KeyedArchiveBuilder
  ) -> [PropertyListValue] {
    names.map { name in
      archive.instance(of: "Kid", ["name": archive.string(name), "doc": owner.reference])
    }
  }

  private static func doc(
    _ archive: inout KeyedArchiveBuilder, _ pairs: KeyValuePairs<String, PropertyListValue>
  ) -> PropertyListValue {
    archive.instance(of: "Doc", pairs.map { KeyValue($0.key, $0.value) })
  }

  private static func kids(
    _ archive: inout KeyedArchiveBuilder,
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) rethrows -> PropertyListValue {
    let kids = try make(&archive)
    return doc(&archive, ["title": archive.string("t"), "kids": kids])
  }

  /// Drafts a mapping and a model from archives and converts them by these.
  private func convert(
    _ inputs: [String], in folder: TemporaryFolder, layout: StoreLayout = .coreData,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> ConversionReport {
    let mapping = folder.file(named: "m.yaml")
    try InferredDraft(inputs: inputs, options: ConversionOptions.pairs)
      .write(mapping: mapping, model: folder.file(named: "M.xcdatamodeld"), replacing: true)
    var options = ConversionOptions.pairs
    options.mappingPath = mapping
    options.layout = layout
    options.verifies = true
    options.existingStore = .replace
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: "\(layout.rawValue).sqlite"),
      options: options)
    change(&conversion)
    return try conversion.run()
  }

  private func expectWhole(_ report: ConversionReport, in folder: TemporaryFolder) throws {
    #expect(report.verification?.differences == [])
    #expect(report.omissions == [])
    #expect(report.lossCount == 0)
    #expect(ReportVerdict(report).kind == .good)
    let path = folder.file(named: "coredata.sqlite")
    #expect(
      try StoreCheck.run(path, model: folder.file(named: "M.xcdatamodeld")).findings == [])
  }

  @Test("have a place for all that an archive holds", arguments: cases.map { $0.name })
  func holdsAll(_ name: String) throws {
    let make = try #require(Self.cases.first { $0.name == name }).make
    let folder = try TemporaryFolder()
    let path = try folder.write(KeyedArchiveBuilder.archive(make).binary(), to: "a.archive")
    try expectWhole(try convert([path], in: folder), in: folder)
    // So many keys take a while.
    guard Thoroughness.isWhole || !name.hasPrefix("more keys") else { return }
    // In the relational layout, what was added for Core Data leaves no trace.
    #expect(try convert([path], in: folder, layout: .relational).verification?.isPassed == true)
    var plain = Conversion(
      inputs: [path], destination: folder.file(named: "plain.sqlite"),
      options: ConversionOptions.pairs)
    _ = try plain.run()
    let counts = """
      SELECT count(DISTINCT t.name), count(*)
        FROM sqlite_schema AS t, pragma_table_info(t.name) WHERE t.type = 'table'
      """
    #expect(
      try StoreQuery(folder.file(named: "relational.sqlite")).lines(counts)
        == StoreQuery(folder.file(named: "plain.sqlite")).lines(counts))
  }

  @Test("have a place for all that many archives hold together")
  func holdsAllOfMany() throws {
    let folder = try TemporaryFolder()
    let paths = try Self.cases.filter { !$0.name.hasPrefix("more keys") }.enumerated().map {
      try folder.write(KeyedArchiveBuilder.archive($0.element.make).binary(), to: "\($0.offset)")
    }
    try expectWhole(try convert(paths, in: folder), in: folder)
  }

  @Test("keep elements, links and top-level values in rows that say what they are")
  func rows() throws {
    let folder = try TemporaryFolder()
    let builder = KeyedArchiveBuilder.archive { archive in
      Self.kids(&archive) {
        $0.array([Self.kid(&$0, "p"), Self.kid(&$0, "q", of: "Cat")])
      }
    }
    var archive = builder
    archive.setTop("version", 3)
    let path = try folder.write(archive.binary(), to: "a.archive")
    _ = try convert([path], in: folder)
    let store = try StoreQuery(folder.file(named: "coredata.sqlite"))
    #expect(
      try store.lines("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == [
        "1|Cat|1", "2|Doc|1", "3|Doc_kids|2", "4|Kid|1", "5|TopLevelValue|2",
      ])
    #expect(
      try store.lines(
        "SELECT Z_PK, Z_ENT, Z_OPT, ZOWNER, ZPOSITION, ZVALUE_KID, ZVALUE_CAT FROM ZDOC_KIDS") == [
          "1|3|1|1|0|1|NULL", "2|3|1|1|1|NULL|1",
        ])
    #expect(
      try store.lines("SELECT ZKEY, ZVALUE_DOC, ZVALUE IS NULL, ZARCHIVE FROM ZTOPLEVELVALUE") == [
        "root|1|1|\(path)", "version|NULL|0|\(path)",
      ])
  }

  @Test(
    "in a store that was changed after it was copied: each change is found",
    arguments: [
      "UPDATE ZDOC SET ZTITLE = 'u'", "UPDATE ZKID SET ZNAME = NULL WHERE Z_PK = 2",
      "DELETE FROM ZKID WHERE Z_PK = 2", "INSERT INTO ZKID (Z_PK, Z_ENT, Z_OPT) VALUES (9, 2, 1)",
      "UPDATE ZKID SET Z_ENT = 1", "UPDATE ZKID SET Z_OPT = 2",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Kid'", "DELETE FROM Z_1KIDS",
      "INSERT INTO Z_1KIDS (Z_1DOC_KIDS, Z_2KIDS) VALUES (1, 9)",
      "UPDATE Z_1KIDS SET Z_FOK_2KIDS = 9000 - Z_FOK_2KIDS",
      "UPDATE ZTOPLEVELVALUE SET ZVALUE_DOC = NULL", "UPDATE ZTOPLEVELVALUE SET ZKEY = 'x'",
      "UPDATE ZTOPLEVELVALUE SET ZVALUE = zeroblob(3) WHERE ZKEY = 'version'",
    ])
  func mutations(_ change: String) throws {
    let folder = try TemporaryFolder()
    var archive = KeyedArchiveBuilder.archive { archive in
      Self.kids(&archive) { $0.array([Self.kid(&$0, "p"), Self.kid(&$0, "q")]) }
    }
    archive.setTop("version", 3)
    let path = try folder.write(archive.binary(), to: "a.archive")
    let report = try convert([path], in: folder) { conversion in
      conversion.willVerifyCopy = { path in
        do {
          let editor = try StoreEditor(path)
          try editor.run(change)
          editor.close()
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(report.verification?.isPassed == false)
    #expect(try !folder.names().contains("coredata.sqlite"))
  }
}
