import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Rows in the layout of Core Data")
struct CoreDataOutputTests {
  private static let model = ModelXML.document(
    """
    <entity name="Item" isAbstract="YES"><attribute name="title" attributeType="String"/></entity>
    <entity name="Folder" parentEntity="Item">
      <relationship name="notes" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Note" inverseName="folder"/>
      <relationship name="cover" optional="YES" maxCount="1" destinationEntity="Picture" \
    inverseName="folder"/>
      <relationship name="links" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Folder" inverseName="backlinks"/>
      <relationship name="backlinks" optional="YES" toMany="YES" destinationEntity="Folder" \
    inverseName="links"/></entity>
    <entity name="Note" parentEntity="Item">
      <attribute name="rank" optional="YES" attributeType="Integer 16"/>
      <attribute name="flag" optional="YES" attributeType="Boolean"/>
      <attribute name="made" optional="YES" attributeType="Date"/>
      <attribute name="weight" optional="YES" attributeType="Double"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="key" optional="YES" attributeType="UUID"/>
      <attribute name="page" optional="YES" attributeType="URI"/>
      <attribute name="body" optional="YES" attributeType="Transformable"/>
      <attribute name="data" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" \
    inverseName="notes"/></entity>
    <entity name="Picture">
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="cover"/>
      <relationship name="subject" optional="YES" maxCount="1" destinationEntity="Item"/></entity>
    <entity name="Tag">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" \
    inverseName="tags"/>
      <relationship name="icons" optional="YES" toMany="YES" destinationEntity="Picture"/></entity>
    """)

  /// Two folders, three notes, two pictures and two tags, related in all ways.
  private func archive(iconOfBoth: Bool = false) throws -> KeyedArchiveBuilder {
    try .archive { archive in
      let names = ["f1", "f2", "n1", "n2", "n3", "p1", "p2", "t1", "t2"]
      let slots = Dictionary(uniqueKeysWithValues: names.map { ($0, archive.reserve()) })
      func row(_ name: String) throws -> PropertyListValue {
        try #require(slots[name]).reference
      }
      func fill(_ name: String, _ className: String, _ pairs: [KeyValue]) throws {
        archive.fill(try #require(slots[name]), className: className, pairs)
      }
      func rows(_ names: String...) throws -> PropertyListValue {
        archive.array(try names.map(row))
      }
      let point = archive.instance(of: "Point", ["x": 1.5, "label": archive.string("here")])
      try fill(
        "f1", "Folder",
        [
          KeyValue("title", archive.string("a")), KeyValue("notes", try rows("n2", "n1")),
          KeyValue("cover", try row("p1")), KeyValue("links", try rows("f2", "f1")),
        ])
      try fill(
        "f2", "Folder",
        [KeyValue("title", archive.string("b")), KeyValue("notes", try rows("n3"))])
      try fill(
        "n1", "Note",
        [
          KeyValue("title", archive.string("c")), KeyValue("rank", 1),
          KeyValue("made", archive.date(secondsSince2001: 12.5)),
          KeyValue("price", try archive.decimal("10.11")),
          KeyValue("key", archive.uuid(try #require(UUID(uuidString: Self.uuid)))),
          KeyValue("page", archive.url("http://example.com/a")), KeyValue("body", point),
          KeyValue("data", .data(Data([7, 8]))), KeyValue("folder", try row("f1")),
          KeyValue("tags", try rows("t1", "t2")),
        ])
      try fill(
        "n2", "Note",
        [
          KeyValue("title", archive.string("d")), KeyValue("rank", -2), KeyValue("flag", true),
          KeyValue("weight", 0.25),
          KeyValue("price", try archive.decimal("12345678901234567890.12")),
          KeyValue("body", archive.string("text")), KeyValue("folder", try row("f1")),
          KeyValue("tags", try rows("t2")),
        ])
      try fill(
        "n3", "Note",
        [
          KeyValue("title", archive.string("e")), KeyValue("folder", try row("f2")),
          KeyValue("made", archive.date(secondsSince2001: 86_400)),
        ])
      try fill(
        "p1", "Picture", [KeyValue("folder", try row("f1")), KeyValue("subject", try row("n1"))])
      try fill("p2", "Picture", [KeyValue("subject", try row("f2"))])
      try fill(
        "t1", "Tag",
        [KeyValue("name", archive.string("x")), KeyValue("icons", try rows("p1", "p2"))])
      try fill(
        "t2", "Tag",
        [KeyValue("name", archive.string("y"))]
          + (iconOfBoth ? [KeyValue("icons", try rows("p2"))] : []))
      return try rows("f1", "f2", "n1", "n2", "n3", "p1", "p2", "t1", "t2")
    }
  }

  private static let uuid = "00010203-0405-0607-0809-0A0B0C0D0E0F"

  private func convert(
    _ archive: KeyedArchiveBuilder, in folder: TemporaryFolder, model: String = model,
    _ change: (inout ConversionOptions) throws -> Void = { _ in }
  ) throws -> ConversionReport {
    let input = try folder.write(archive.binary(), to: "rows.archive")
    var options = ConversionOptions()
    options.modelPath = try folder.write(model, to: "contents")
    options.layout = .coreData
    try change(&options)
    var conversion = Conversion(
      inputs: [input], destination: folder.file(named: "store.sqlite"), options: options)
    return try conversion.run()
  }

  @Test("Values and relationships of all kinds are stored as Core Data does")
  func rows() throws {
    let folder = try TemporaryFolder()
    let report = try convert(try archive(), in: folder)
    let path = folder.file(named: "store.sqlite")
    let store = try StoreQuery(path)
    func lines(_ columns: String, _ table: String) throws -> [String] {
      try store.lines("SELECT \(columns) FROM \(table) ORDER BY rowid")
    }
    #expect(
      try lines(
        "Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCOVER, ZRANK, ZFLAG, ZFOLDER, Z_FOK_FOLDER, ZMADE, ZWEIGHT, "
          + "ZPRICE, ZPAGE, ZKEY, ZDATA", "ZITEM") == [
          "1|2|1|a|1|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
          "2|2|1|b|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
          "3|3|1|c|NULL|1|NULL|1|3072|12.5|NULL|10.11|http://example.com/a|"
            + "x'000102030405060708090a0b0c0d0e0f'|x'010708'",
          "4|3|1|d|NULL|-2|1|1|2048|NULL|0.25|1.2345678901234567e+19|NULL|NULL|NULL",
          "5|3|1|e|NULL|NULL|NULL|2|2048|86400|NULL|NULL|NULL|NULL|NULL",
        ])
    #expect(
      try lines("Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZSUBJECT, Z1_SUBJECT, Z5ICONS", "ZPICTURE") == [
        "1|4|1|1|3|3|1", "2|4|1|NULL|2|2|1",
      ])
    #expect(try lines("Z_PK, Z_ENT, Z_OPT, ZNAME", "ZTAG") == ["1|5|1|x", "2|5|1|y"])
    for table in ["Z_2LINKS", "Z_2BACKLINKS"] {
      #expect(
        try lines("Z_2BACKLINKS, Z_2LINKS, Z_FOK_2LINKS", table) == ["1|2|2048", "1|1|3072"])
    }
    #expect(try lines("Z_3NOTES, Z_5TAGS", "Z_3TAGS").sorted() == ["3|1", "3|2", "4|2"])
    #expect(
      try lines("*", "Z_PRIMARYKEY") == [
        "1|Item|0|5", "2|Folder|1|0", "3|Note|1|0", "4|Picture|0|2", "5|Tag|0|2",
      ])
    #expect(
      try StoreCheck.run(path, model: folder.file(named: "contents")).findings == [])
    #expect(
      report.losses.map { [$0.className, $0.key, $0.before, $0.after, $0.reason] } == [
        [
          "Note", "price", "12345678901234567890.12", "1.2345678901234567e+19",
          "a Core Data store cannot represent it exactly",
        ]
      ])
    #expect(report.losses.first?.archive == folder.file(named: "rows.archive"))
    #expect(report.storeLayout == "coredata")
    #expect(try folder.names() == ["contents", "rows.archive", "store.sqlite"])
  }

  @Test("Rows are those of the relational layout")
  func verified() throws {
    let folder = try TemporaryFolder()
    let input = try folder.write(try archive().binary(), to: "rows.archive")
    var options = ConversionOptions()
    options.modelPath = try folder.write(Self.model, to: "contents")
    try CoreDataVerification.expectPassed([input], options)
  }

  @Test("What a transformable attribute held is a keyed archive of its own")
  func transformables() throws {
    let folder = try TemporaryFolder()
    _ = try convert(try archive(), in: folder)
    let store = try StoreQuery(folder.file(named: "store.sqlite"))
    let bodies = try store.rows("SELECT ZBODY FROM ZITEM WHERE ZBODY NOT NULL ORDER BY Z_PK")
    #expect(bodies.count == 2)
    var found: [String] = []
    for body in bodies {
      let digits = Array(body[0].utf8.dropFirst(2).dropLast())
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
      }
      let inner = try TemporaryFolder()
      let path = try inner.write(bytes, to: "body.archive")
      var conversion = Conversion(
        inputs: [path], destination: inner.file(named: "body.sqlite"),
        options: .pairs)
      _ = try conversion.run()
      let query = try StoreQuery(inner.file(named: "body.sqlite"))
      found += try query.lines("SELECT key, value, entity FROM _top")
      if try query.rows("SELECT 1 FROM sqlite_schema WHERE name = 'Point'").count == 1 {
        found += try query.lines("SELECT x, label FROM Point")
      }
    }
    #expect(found == ["root|NULL|Point", "1.5|here", "root|text|NULL"])
  }

  @Test("The archives that rows came from stand in the metadata")
  func provenance() throws {
    let folder = try TemporaryFolder()
    let report = try convert(try archive(), in: folder)
    let path = folder.file(named: "store.sqlite")
    let list = try #require(
      try StoreQuery(path).value("SELECT CAST(Z_PLIST AS TEXT) FROM Z_METADATA") as String?)
    #expect(list.contains("ConvertedArchives"))
    #expect(list.contains(try #require(report.archives.first?.sha256)))
  }

  @Test("A row in the collections of several others takes an inverse, and nothing is written")
  func crowded() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ConversionError.self) {
      try convert(try archive(iconOfBoth: true), in: folder)
    }
    #expect(
      error?.messages == [
        "Tag.icons: cannot be kept in a Core Data store: a row is in the collections of several "
          + "others, which requires an inverse"
      ])
    #expect(try folder.names() == ["contents", "rows.archive"])
  }

  @Test(
    "What the layout cannot do is refused before anything is read",
    arguments: [
      (
        "append", "store.sqlite: cannot be created: a Core Data store cannot be appended to"
      ),
      (
        "provenance",
        "store.sqlite: cannot be created: a Core Data store has no table for provenance"
      ),
      (
        "no model",
        "store.sqlite: cannot be created: a Core Data store requires a model: give it with "
          + "--model, or in the mapping"
      ),
      (
        "derived",
        "Note: cannot be kept in a Core Data store: its version hash is unknown: give the compiled "
          + "model (.momd), or a store of the same model with --template"
      ),
    ])
  func refusals(_ what: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let model =
      what == "derived"
      ? Self.model.replacing("name=\"rank\"", with: "name=\"rank\" derived=\"YES\"") : Self.model
    let error = #expect(throws: ConversionError.self) {
      try convert(try archive(), in: folder, model: model) { options in
        switch what {
        case "append": options.existingStore = .append
        case "provenance": options.recordsProvenance = true
        case "no model": options.modelPath = nil
        default: break
        }
      }
    }
    #expect(error?.messages.map { $0.replacing("\(folder.path)/", with: "") } == [words])
    #expect(try folder.names() == ["contents", "rows.archive"])
  }

  @Test("A mapping that adds a property to the model is refused")
  func addedProperty() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(
      "entities: {Tag: {attributes: {extra: {value: 1, type: integer}}}}", to: "m.yaml")
    let error = #expect(throws: ConversionError.self) {
      try convert(try archive(), in: folder) { $0.mappingPath = mapping }
    }
    #expect(error?.messages.count == 1)
    #expect(try !folder.names().contains("store.sqlite"))
  }

  @Test("A dry run does it all and keeps nothing")
  func dryRun() throws {
    let folder = try TemporaryFolder()
    let report = try convert(try archive(), in: folder) { $0.isDryRun = true }
    #expect(report.lossCount == 1)
    #expect(try folder.names() == ["contents", "rows.archive"])
  }
}
