import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("The example: a converter of one's own for Mental Case")
struct MentalCaseConverterTests {
  private static let model =
    "\(Repository.root)/Examples/MentalCase/MentalCase.xcdatamodeld"

  /// Converts the archives in a folder with the example.
  private func convert(
    _ inputs: String..., in folder: TemporaryFolder
  ) throws -> (store: StoreQuery, report: Report) {
    let result = try Program.run(
      inputs + ["-o", "out.db", "--model", Self.model, "--report", "report.json", "-q"],
      in: folder.path, program: "mental-case-converter")
    try #require(result.status == 0, "\(result)")
    #expect(result.errors == "")
    let store = try folder.store()
    try store.expectSound()
    return (store, try JSONDecoder().decode(Report.self, from: folder.contents(of: "report.json")))
  }

  /// What the tests look at in a report.
  private struct Report: Decodable {
    struct Key: Decodable, Equatable {
      var `class`: String
      var key: String
      var count: Int
    }

    struct Conflict: Decodable {
      var property: String
    }

    var unreadKeys: [Key]
    var ignoredKeys: [Key]
    var relationshipsSetFromBothSides: [String]
    var conflicts: [Conflict]
  }

  // MARK: The sample library

  @Test("has a table for each entity of the model, numbers in columns of their types")
  func schema() throws {
    let (store, _) = try convert(
      "MentalCase.archive", in: try TemporaryFolder(samples: "MentalCase.archive"))
    try store.expect(
      "SELECT name || ' ' || type FROM pragma_table_info('MTNote')",
      [
        "id INTEGER", "answer TEXT", "creationDate TEXT", "ease REAL", "hints ANY",
        "isEditableNumber INTEGER", "link TEXT", "modificationDate TEXT", "price TEXT",
        "rank INTEGER", "sketch BLOB", "sound BLOB", "syncIdentifier TEXT", "title TEXT",
        "uniqueId TEXT", "container_id INTEGER", "notes_position INTEGER",
      ])
    try store.expect(
      """
      SELECT name FROM sqlite_schema
        WHERE type = 'table' AND substr(name, 1, 1) <> '_' ORDER BY name
      """, ["MTFolder", "MTLibrary", "MTNote", "MTNote_tags", "MTTag"])
  }

  @Test("has each library and folder once, in order, with the inverses filled in")
  func folders() throws {
    let (store, _) = try convert(
      "MentalCase.archive", in: try TemporaryFolder(samples: "MentalCase.archive"))
    try store.expect("SELECT id, uniqueId, title FROM MTLibrary", ["1|LIB-1|My Library"])
    try store.expect(
      "SELECT id, uniqueId, title, isEditableNumber, library_id, parent_id FROM MTFolder",
      [
        "1|FOLDER-1|Languages|1|1|NULL", "2|FOLDER-3|Market prices|0|1|NULL",
        "3|FOLDER-2|日本語|1|NULL|1",
      ])
    try store.expect("SELECT entity, row FROM _top", ["MTLibrary|1"])
  }

  @Test("has each note once, with its folder, its place there and its values")
  func notes() throws {
    let (store, _) = try convert(
      "MentalCase.archive", in: try TemporaryFolder(samples: "MentalCase.archive"))
    try store.expect(
      """
      SELECT uniqueId, title, isEditableNumber, rank, ease, container_id, notes_position
        FROM MTNote ORDER BY id
      """,
      [
        "NOTE-1|mañana|1|1|2.5|1|0", "NOTE-2|el niño|1|2|1.75|1|1",
        "NOTE-3|¿Cómo estás?|1|3|2.0999999046325684|1|2", "NOTE-4|la cigüeña|0|-1|0.0|1|3",
        "NOTE-9|Bread|0|1|2.5|2|0", "NOTE-10|Deposit|1|2|2.5|2|1",
        "NOTE-11|House|1|3|0.10000000149011612|2|2", "NOTE-12|Grain|1|4|-1.5|2|3",
        "NOTE-5|水|1|1|2.5|3|0", "NOTE-6|食べる|1|2|1.2999999523162842|3|1",
        "NOTE-7|葛󠄀城|1|3|3.25|3|2", "NOTE-8|がぎぐ|1|2147483648|2.0|3|3",
      ])
    try store.expect(
      """
      SELECT uniqueId, creationDate, modificationDate, price, syncIdentifier FROM MTNote
        WHERE container_id = 2 ORDER BY id
      """,
      [
        "NOTE-9|2010-04-03T15:06:40.000Z|2010-04-03T15:06:40.000Z|2.35|"
          + "3F2504E0-4F89-41D3-9A0C-0305E82C3309",
        "NOTE-10|2010-04-03T15:06:50.500Z|2010-04-03T15:06:50.500Z|-0.25|"
          + "3F2504E0-4F89-41D3-9A0C-0305E82C330A",
        "NOTE-11|2010-04-03T15:07:00.250Z|2010-04-03T15:07:00.250Z|1250000|"
          + "3F2504E0-4F89-41D3-9A0C-0305E82C330B",
        "NOTE-12|2000-12-31T23:59:58.500Z|2000-12-31T23:59:58.500Z|"
          + "0.00012345678901234567890123456789|3F2504E0-4F89-41D3-9A0C-0305E82C330C",
      ])
    try store.expect(
      "SELECT uniqueId, answer, hints, link, sketch, sound FROM MTNote WHERE container_id <> 2",
      [
        #"NOTE-1|Tomorrow; also: the morning.|["ma…","…ana"]|"#
          + "https://dictionary.example/es/ma%C3%B1ana|NULL|NULL",
        "NOTE-2|The child 👶|[]|NULL|NULL|NULL",
        "NOTE-3|How are you?\nInformal.|[]|NULL|NULL|x'636166660001ff'",
        "NOTE-4|The stork|[]|NULL|NULL|NULL",
        #"NOTE-5|みず — water 💧|["氵"]|https://dictionary.example/ja/%E6%B0%B4|"#
          + "x'007f80ff1020'|NULL",
        "NOTE-6|たべる — to eat|[]|NULL|NULL|NULL",
        "NOTE-7|A place name with a variation selector|[]|NULL|NULL|NULL",
        "NOTE-8|Written in composed and か\u{3099} in decomposed form|[]|NULL|NULL|NULL",
      ])
    try store.expect("SELECT hex(sketch) || '.' FROM MTNote WHERE uniqueId = 'NOTE-11'", ".")
  }

  @Test("has one row for each tag, however many notes have it")
  func tags() throws {
    let (store, _) = try convert(
      "MentalCase.archive", in: try TemporaryFolder(samples: "MentalCase.archive"))
    try store.expect(
      """
      SELECT name, group_concat(uniqueId, ' ') FROM
        (SELECT name, uniqueId FROM MTTag JOIN MTNote_tags ON MTTag_id = MTTag.id
           JOIN MTNote ON MTNote_id = MTNote.id ORDER BY MTNote.id)
        GROUP BY name ORDER BY name
      """,
      [
        "N5|NOTE-5 NOTE-6", "animals|NOTE-4", "big|NOTE-11", "food|NOTE-9 NOTE-10 NOTE-12",
        "kana|NOTE-8", "noun|NOTE-1 NOTE-2 NOTE-4", "people|NOTE-2", "phrase|NOTE-3",
        "refund|NOTE-10", "time|NOTE-1", "動詞|NOTE-6", "名詞|NOTE-5",
      ])
  }

  @Test("lists the keys that no hook read, and those that were left behind on purpose")
  func keys() throws {
    let (_, report) = try convert(
      "MentalCase.archive", in: try TemporaryFolder(samples: "MentalCase.archive"))
    #expect(
      report.unreadKeys == [
        .init(class: "MTFolder", key: "modelContext", count: 3),
        .init(class: "MTFolder", key: "modelObjectClassVersion", count: 3),
        .init(class: "MTLibrary", key: "modelContext", count: 1),
        .init(class: "MTLibrary", key: "modelObjectClassVersion", count: 1),
        .init(class: "MTNote", key: "modelContext", count: 12),
      ])
    #expect(
      report.ignoredKeys == [
        .init(class: "MTFolder", key: "parent", count: 3),
        .init(class: "MTNote", key: "container", count: 12),
      ])
    #expect(report.relationshipsSetFromBothSides == [])
    #expect(report.conflicts.isEmpty)
  }

  // MARK: Older libraries

  @Test("reads notes of the first version, gives them what they lack, and shares the tags")
  func firstVersion() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    try folder.add("old.archive") { archive in
      let container = archive.reserve()
      let hierarchy = ["MTNote", "MTModelObject", "NSObject"]
      let note = archive.instance(
        of: "MTNote", hierarchy: hierarchy,
        [
          "container": container.reference, "title": archive.string("pan"),
          "answer": archive.string("Bread"), "cents": 235, "rank": 7,
          "creationDate": archive.date(secondsSince2001: 100),
          "tags": archive.set(["food", "noun"]),
        ])
      return archive.fill(
        container, className: "MTFolder", hierarchy: ["MTFolder", "MTModelObject", "NSObject"],
        ["title": archive.string("Old"), "notes": archive.array([note])])
    }
    let (store, _) = try convert("MentalCase.archive", "old.archive", in: folder)
    try store.expect(
      """
      SELECT MTNote.title, answer, price, rank, ease, MTNote.isEditableNumber, hints,
          creationDate, modificationDate, MTFolder.title, notes_position
        FROM MTNote JOIN MTFolder ON MTFolder.id = container_id WHERE MTNote.title = 'pan'
      """,
      ["pan|Bread|2.35|7|2.5|1|NULL|2001-01-01T00:01:40.000Z|2001-01-01T00:01:40.000Z|Old|0"])
    // It has no identifier: what awakeFromInsert made up stays.
    try store.expect(
      "SELECT count(*), count(DISTINCT uniqueId), min(length(uniqueId)) FROM MTFolder", ["4|4|8"])
    try store.expect("SELECT length(uniqueId) FROM MTNote WHERE title = 'pan'", "36")
    try store.expect("SELECT count(*) FROM MTTag", "12")
    try store.expect(
      "SELECT name FROM MTTag JOIN MTNote_tags ON MTTag_id = MTTag.id WHERE MTNote_id = 13 ORDER BY 1",
      ["food", "noun"])
  }

  @Test("needs the model, and says so by the name of the entity")
  func noModel() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try Program.run(
      ["MentalCase.archive", "-o", "out.db"], in: folder.path, program: "mental-case-converter")
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "unknown entity 'MTTag': without a model, there are only those of the archives; give one"))
    #expect(try folder.names() == ["MentalCase.archive"])
  }

  @Test("goes by its own name in its help")
  func help() throws {
    let result = try Program.run(["--help"], program: "mental-case-converter")
    #expect(result.status == 0)
    #expect(result.output.contains("USAGE: mental-case-converter "))
  }
}
