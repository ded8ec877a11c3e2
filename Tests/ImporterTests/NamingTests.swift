import ArchiveWriter
import Converter
import Stores
import TestSupport
import Testing

@Suite("Names of tables and columns")
struct NamingTests {
  @Test(
    "An entity is named as its class, without a Swift module",
    arguments: [
      ("MTNote", "MTNote"), ("Garden.Plant", "Plant"), ("_Private", "_Private"),
      ("_TtC6Garden5Plant", "Plant"), ("_TtCC6Garden5Plant4Leaf", "Plant.Leaf"),
      ("_TtGC6Garden3BoxSi_", "Box<Swift.Int>"), ("_TtC6Garden", "_TtC6Garden"),
      ("NSKVONotifying_Note", "NSKVONotifying_Note"),
      (".Odd", ".Odd"), ("Odd.", "Odd."), ("sqlite_note", "_sqlite_note"), ("", "_"),
      ("Box<Garden.Plant>", "Box<Garden.Plant>"), ("a \"b\"", "a \"b\""), ("select", "select"),
    ])
  func entity(className: String, table: String) throws {
    let converted = try ConvertedStore(.of(className) { _ in ["a": 1] })
    #expect(try converted.tables().contains(table) || table.hasPrefix("_"))
    #expect(try converted.lines("SELECT entity FROM _class") == [table])
    #expect(converted.report.entities.map(\.name) == [table])
    #expect(converted.report.entities.map(\.archivedClasses) == [[className]])
  }

  @Test(
    "A prefix of class names can be left out",
    arguments: [("MTNote", "Note"), ("MTa", "MTa"), ("MT", "MT"), ("Garden.MTNote", "Note")])
  func stripPrefix(className: String, table: String) throws {
    let converted = try ConvertedStore(.of(className) { _ in ["a": 1] }) {
      $0.stripPrefix = "MT"
    }
    #expect(converted.report.entities.map(\.name) == [table])
  }

  @Test("Names that differ only in case, or not at all, are numbered")
  func collisions() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        archive.array([
          archive.instance(of: "A.Note", ["id": 5, "flag": 1, "FLAG": 2, "Flag": 3]),
          archive.instance(of: "B.Note"), archive.instance(of: "NOTE"),
          archive.instance(of: "_top"),
        ])
      })
    #expect(
      try converted.lines("SELECT name, entity FROM _class WHERE entity IS NOT NULL") == [
        "A.Note|Note", "B.Note|Note_2", "NOTE|NOTE_3", "_top|_top_2",
      ])
    #expect(
      try converted.lines("SELECT id_2, flag, FLAG_2, Flag_3 FROM Note") == ["5|1|2|3"])
  }

  @Test(
    "Entities of a model whose tables cannot have their names are numbered, or get a mark before")
  func reservedNamesOfModels() throws {
    let names = RelationalLayout.reservedTableNames + ["_Run", "sqlite_note"]
    for name in names {
      var run = try SteeredConversion(
        [.of(name) { _ in ["a": 1] }],
        model: """
          <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="\(name)"><attribute name="a" optional="YES" attributeType="Integer 64"/>
            </entity>
          </model>
          """, ImportExtensions())
      run.options.verifies = true
      run.options.recordsProvenance = true
      let (store, report) = try run.run()
      #expect(report.verification?.isPassed == true, "\(name)")
      let table = name.hasPrefix("sqlite") ? "_sqlite_note" : "\(name)_2"
      #expect(try store.lines("SELECT a FROM \"\(table)\"") == ["1"], "\(name)")
    }
  }

  @Test("Columns of numbers are told apart where the name of one ends like that of another")
  func numbersWithLikeNames() throws {
    let folder = try TemporaryFolder()
    let keys = ["subtotal", "total", "x_total", "grand total"]
    for number in 1...3 {
      let archive = try KeyedArchiveBuilder.archive { archive in
        let values = try keys.map { KeyValue($0, try archive.decimal("\(number).5")) }
        return archive.instance(of: "Invoice", values)
      }
      let input = try folder.write(archive.binary(), to: "a\(number).plist")
      var options = ConversionOptions()
      options.verifies = true
      options.existingStore = .append
      var conversion = Conversion(
        inputs: [input], destination: folder.file(named: "out.sqlite"), options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    let sums = keys.map { "sum(\"\($0)_number\")" }.joined(separator: ", ")
    let store = try StoreQuery(folder.file(named: "out.sqlite"))
    #expect(try store.lines("SELECT \(sums) FROM Invoice") == ["7.5|7.5|7.5|7.5"])
  }

  @Test("Columns of numbers and counts that somebody has renamed are used under their new names")
  func renamedColumns() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    for number in 1...2 {
      let archive = try KeyedArchiveBuilder.archive { archive in
        let tags = archive.array(number == 1 ? [] : [archive.string("a")])
        return archive.array([
          archive.instance(of: "Invoice", ["total": try archive.decimal("\(number).5")]),
          archive.instance(of: "Invoice", ["tags": tags]),
        ])
      }
      var options = ConversionOptions()
      options.existingStore = .append
      var conversion = Conversion(
        inputs: [try folder.write(archive.binary(), to: "a\(number).plist")], destination: path,
        options: options)
      _ = try conversion.run()
      if number == 1 {
        try StoreEditor(path).run("ALTER TABLE Invoice RENAME COLUMN total_number TO amount")
      }
    }
    let store = try StoreQuery(path)
    #expect(
      try store.lines("SELECT total, amount FROM Invoice WHERE total IS NOT NULL") == [
        "1.5|1.5", "2.5|2.5",
      ])
  }

  @Test("Keys keep their names, reserved words, dots and dollars included")
  func keys() throws {
    let converted = try ConvertedStore(
      .of("Thing") { _ in
        ["group": 1, "order by": 2, "NS.size": 3, "$own": 4, "": 5, "a\"b": 6, "ключ": 7]
      })
    #expect(
      try converted.store.columns("Thing") == [
        "id INTEGER", "group INTEGER", "order by INTEGER", "NS.size INTEGER", "$own INTEGER",
        "_ INTEGER", "a\"b INTEGER", "ключ INTEGER",
      ])
    #expect(try converted.lines("SELECT * FROM Thing") == ["1|1|2|3|4|5|6|7"])
  }

  @Test("A table of a collection gives way to an entity of its name")
  func tableCollision() throws {
    let converted = try ConvertedStore(
      .of("Thing") { archive in
        ["tags": archive.array(["x"]), "other": archive.instance(of: "Thing_tags", ["a": 1])]
      })
    #expect(try converted.tables() == ["Thing", "Thing_tags", "Thing_tags_2"])
    #expect(try converted.lines("SELECT value FROM Thing_tags_2") == ["x"])
  }

  @Test("What finds no room in a table of 2,000 columns has a table of its own")
  func manyKeys() throws {
    let pairs = (0..<2_500).map { KeyValue("k\($0)", .integer(Int64($0))) }
    let archive = KeyedArchiveBuilder.archive { $0.instance(of: "Wide", pairs) }
    let converted = try ConvertedStore(archive)
    let own = try converted.store.columns("Wide").count - 1
    #expect(own > 1_900)
    #expect(
      try converted.lines("SELECT count(*), min(value), max(value), sum(value) FROM Wide_more")
        == ["\(2_500 - own)|\(own)|2499|\((own..<2_500).reduce(0, +))"])
    #expect(try converted.lines("SELECT key FROM Wide_more WHERE value = 2400") == ["k2400"])
  }
}
