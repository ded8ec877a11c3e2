import ArchiveWriter
import Converter
import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Core Data stores as inputs")
struct StoreConversionTests {
  private let sample: ConvertedSample
  private var maker: StoreMaker { sample.maker }
  private var model: String { sample.model }

  init() throws { sample = try ConvertedSample() }

  @Test("become tables of their entities, with the names of the model")
  func relational() throws {
    let (store, report, _) = try sample.convert()
    #expect(report.verification?.isPassed == true)
    #expect(try store.flaws() == [])
    #expect(try store.lines("SELECT * FROM Folder") == ["1|Home", "2|"])
    #expect(
      try store.lines(
        """
        SELECT id, title, created, body, rating, price, flag, ratio, code, link, hex(photo),
            hex(extra), folder_id, items_position FROM Note
        """) == [
          "1|Milk|2001-01-01T00:00:00.500Z|Grüße|-3|10.11|1|0.25|"
            + "00010203-0405-0607-0809-0A0B0C0D0E0F|https://a.example/|AABB|62706C697374|1|1",
          "2|NULL|2023-03-08T20:26:40.000Z|NULL|NULL|7|0|2.0|NULL|NULL|||1|0",
          "5|Far|NULL||32767|NaN|NULL|NULL|NULL|NULL|70686F746F||2|0",
        ])
    #expect(
      try store.lines("SELECT id, title, folder_id, items_position, part_id FROM Task") == [
        "3|Whole|1|2|NULL", "4|First|NULL|NULL|3", "6|Second|NULL|NULL|3",
      ])
    #expect(
      try store.lines("SELECT Note_id, Tag_id FROM Note_tags ORDER BY 1, 2") == [
        "1|1", "1|2", "5|2",
      ])
    #expect(
      try store.lines("SELECT format, archiver FROM _archive") == ["coredata-sqlite|Core Data"])
  }

  @Test("are named by entity and primary key in errors and differences")
  func names() throws {
    let path = try sample.convert().path
    let editor = try StoreEditor(path)
    try editor.run("UPDATE Item SET title = 'x' WHERE id = 5")
    editor.close()
    var options = ConversionOptions()
    options.modelPath = model
    var verifier = StoreVerifier(store: path, inputs: [maker.path], options: options)
    let differences = try verifier.run().verification?.differences
    #expect(differences?.map(\.uid) == [5])

    try maker.edit("UPDATE ZITEM SET ZFOLDER = 9 WHERE Z_PK = 2;")
    let error = #expect(throws: ConversionError.self) { try sample.convert() }
    let words = "refers to object Folder 9, which does not exist (Note 2, folder)"
    #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("are written anew in Core Data's layout, with the same values and links")
  func roundTrip() throws {
    let (_, report, path) = try sample.convert { $0.layout = .coreData }
    #expect(report.verification?.differences.isEmpty == true)
    let copy = try SQLiteStoreSource(path: path, model: ModelSource(StoreMaker.model))
    #expect(StoreTranscript(copy).text == StoreMaker.transcript)
  }

  @Test(
    "have nothing in columns of other entities that share a table",
    arguments: [("ZBODY = 'x'", 3), ("ZPHOTO = x''", 4), ("ZPART = 3", 1)])
  func foreignColumns(change: String, key: Int) throws {
    for verifies in [false, true] {
      let store = try sample.convert { ($0.layout, $0.verifies) = (.coreData, verifies) }.store
      #expect(
        try store.lines("SELECT Z_ENT, ZBODY, ZBODY1 FROM ZITEM WHERE Z_PK IN (1, 3)") == [
          "3|Grüße|NULL", "4|NULL|work",
        ])
    }
    let path = maker.folder.file(named: "out.sqlite")
    #expect(try sample.differences(in: path) == [])
    let editor = try StoreEditor(path)
    try editor.run("UPDATE ZITEM SET \(change) WHERE Z_PK = \(key)")
    editor.close()
    #expect(try sample.differences(in: path).count == 1)
  }

  @Test(
    "lose NaN and the sign of zero among reals, which is told in either layout",
    arguments: [StoreLayout.coreData, .relational], [Double.nan, -0.0])
  func lostReals(layout: StoreLayout, number: Double) throws {
    var binary = BinaryStoreMaker()
    var values = Array(repeating: PropertyListValue.null, count: 12)
    values[7] = .real(number)
    binary.nodes = [
      BinaryStoreMaker.Node(key: 1, entity: "Note", values: values, relationships: 2)
    ]
    let input = try maker.folder.write(binary.bytes, to: "store.binary")
    let library = maker.folder.file(named: "Library.xcdatamodeld")
    try XMLModelWriter(StoreModels.library.model).write(to: library)
    for verifies in [false, true] {
      let (store, report, path) = try sample.convert([input]) {
        ($0.layout, $0.modelPath, $0.verifies) = (layout, library, verifies)
      }
      let query = layout == .coreData ? "SELECT ZEASE FROM ZITEM" : "SELECT ease FROM Item"
      #expect(try store.lines(query) == [number.isNaN ? "NULL" : "0.0"])
      #expect(report.losses.map(\.before) == [number.isNaN ? "NaN" : "-0"])
      #expect(report.verification?.isComplete == (verifies ? true : nil))
      var options = ConversionOptions()
      options.modelPath = library
      var verifier = StoreVerifier(store: path, inputs: [input], options: options)
      #expect(try verifier.run().verification?.isComplete == true)
    }
  }

  @Test("keep dates that no calendar reaches, as seconds")
  func endlessDates() throws {
    let dates = ["1e17", "-1e300", "9e999", "-9e999", "5"]
    for (key, seconds) in zip(1..., dates) {
      try maker.edit("UPDATE ZITEM SET ZCREATED = \(seconds) WHERE Z_PK = \(key);")
    }
    let (store, report, path) = try sample.convert { $0.layout = .coreData }
    #expect(report.verification?.isPassed == true)
    #expect(report.losses.isEmpty)
    #expect(
      try store.lines("SELECT ZCREATED IS \(dates.joined(separator: ", ZCREATED IS ")) FROM ZITEM")
        .prefix(5) == ["1|0|0|0|0", "0|1|0|0|0", "0|0|1|0|0", "0|0|0|1|0", "0|0|0|0|1"])
    #expect(try sample.differences(in: path) == [])
  }

  @Test(
    "that have no UUID give it to no store, which gets one of its own",
    arguments: ["NULL", "'store'"])
  func withoutIdentity(uuid: String) throws {
    try maker.edit("UPDATE Z_METADATA SET Z_UUID = \(uuid);")
    let (store, report, path) = try sample.convert { $0.layout = .coreData }
    #expect(report.verification?.isPassed == true)
    #expect(report.storeNotes.contains { $0.hasSuffix(StoreNote(.badIdentifier).description) })
    #expect(UUID(uuidString: try store.value("SELECT Z_UUID FROM Z_METADATA")) != nil)
    #expect(try sample.differences(in: path) == [])
  }

  @Test("are told by their primary keys where provenance is recorded")
  func provenance() throws {
    try maker.edit(
      "UPDATE ZITEM SET Z_PK = 60 WHERE Z_PK = 6; INSERT INTO ZTAG VALUES (30, 5, 1, 'late');")
    let (store, report, path) = try sample.convert { $0.recordsProvenance = true }
    #expect(report.verification?.isPassed == true)
    #expect(
      try store.lines("SELECT class, uid, entity, row FROM _objects WHERE uid > 5") == [
        "Task|60|Item|6", "Tag|30|Tag|4",
      ])
    #expect(try sample.differences(in: path) == [])
    let editor = try StoreEditor(path)
    try editor.run("UPDATE _objects SET uid = 31 WHERE uid = 30")
    editor.close()
    #expect(try sample.differences(in: path) == ["_objects.", "_objects."])
  }

  @Test(
    "are compared with what became of them, cell by cell",
    arguments: [
      ("UPDATE Item SET title = 'Mild' WHERE id = 1", ["Note.title"]),
      ("UPDATE Item SET price = '10.110' WHERE id = 1", ["Note.price"]),
      ("UPDATE Item SET extra = NULL WHERE id = 1", ["Note.extra"]),
      ("UPDATE Item SET photo = x'00' WHERE id = 5", ["Note.photo"]),
      ("UPDATE Item SET part_id = 4 WHERE id = 6", ["Task.part_id"]),
      ("DELETE FROM Note_tags WHERE Note_id = 5", ["Note.tags"]),
      ("UPDATE Item SET _entity = 'Task' WHERE id = 2", ["Note._entity"]),
      ("DELETE FROM Folder WHERE id = 2", ["Folder."]),
    ])
  func comparison(_ change: String, _ places: [String]) throws {
    let (_, _, path) = try sample.convert()
    #expect(try sample.differences(in: path) == [])
    let editor = try StoreEditor(path)
    try editor.run("PRAGMA foreign_keys = OFF; \(change)")
    editor.close()
    let found = try sample.differences(in: path)
    #expect(Set(found).isSuperset(of: places), "\(found)")
  }

  @Test("of one model share their tables, of two are converted by what they hold")
  func several() throws {
    let second = try StoreMaker(StoreMaker.model, "INSERT INTO ZTAG VALUES (7, 5, 1, 'green');")
    let (store, report, _) = try sample.convert([maker.path, second.path])
    #expect(report.verification?.isPassed == true)
    #expect(
      try store.lines("SELECT id, name FROM Tag") == ["1|red", "2|blue", "3|colour", "4|green"])

    let other = Model(entities: [
      Entity(name: "Tag", attributes: [Attribute(name: "weight", type: .double)])
    ])
    let third = try StoreMaker(other, "INSERT INTO ZTAG VALUES (1, 1, 1, 0.5);")
    try XMLModelWriter(other).write(to: "\(model)/../Other.xcdatamodeld")
    let models = URL(fileURLWithPath: model).deletingLastPathComponent().path
    let mixed = try sample.convert([maker.path, third.path]) { $0.modelPath = models }
    #expect(mixed.report.verification?.isPassed == true)
    #expect(
      try mixed.store.lines("SELECT id, name, weight FROM Tag") == [
        "1|red|NULL", "2|blue|NULL", "3|colour|NULL", "4|NULL|0.5",
      ])
  }

  @Test("are told apart by their write-ahead logs, too")
  func logs() throws {
    let stores = try ["late", "later"].map { name in try StoreMaker.sampleWithLog(tag: name) }
    let (store, report, path) = try sample.convert(stores.map(\.path))
    #expect(report.verification?.isPassed == true)
    #expect(report.archives.map(\.duplicateOf) == [nil, nil])
    #expect(
      try store.lines("SELECT name FROM Tag WHERE name LIKE 'late%'") == ["late", "later"])

    // The store alone is not what was converted: its log has gone.
    let bare = stores[0]
    try FileManager.default.removeItem(atPath: "\(bare.path)-wal")
    let (_, added, _) = try sample.convert([stores[1].path, bare.path]) {
      $0.existingStore = .append
    }
    #expect(added.archives.map(\.outcome) == [.skipped, .converted])
    #expect(try StoreQuery(path).lines("SELECT count(*) FROM _archive") == ["3"])
  }

  @Test("are listed with what is left out of them")
  func remainder() throws {
    #expect(try !sample.convert().report.leavesPartsOfStores)
    try maker.edit(
      "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); INSERT INTO ACHANGE VALUES (1);")
    let (_, report, _) = try sample.convert()
    #expect(
      report.storeNotes == [
        "\(maker.path): the table ACHANGE is left out (1 row): Core Data's history of changes"
      ])
    #expect(report.leavesPartsOfStores)
    let coded = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(ConversionReport.self, from: coded).leavesPartsOfStores)
  }

  @Test("are listed with files of external data that no row refers to")
  func externalFiles() throws {
    let folder = ".store_SUPPORT/_EXTERNAL_DATA"
    try maker.folder.write("", to: "\(folder)/.DS_Store")
    #expect(try sample.convert().report.storeNotes == [])
    try maker.folder.write("left", to: "\(folder)/00000000-0000-4000-8000-000000000000")
    let (_, report, _) = try sample.convert()
    #expect(
      report.storeNotes == [
        "\(maker.path): \(folder) is left out (1 file): no row refers to it"
      ])
    #expect(report.leavesPartsOfStores)
  }

  @Test("are listed with a line for each table that is left out, below their path")
  func remainders() throws {
    try maker.edit(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); INSERT INTO ACHANGE VALUES (1);
      CREATE TABLE Own (id INTEGER PRIMARY KEY); INSERT INTO Own VALUES (1), (2);
      """)
    let (_, report, _) = try sample.convert()
    #expect(
      ReportText(report, isVerbose: false).text().contains(
        """

        Store \(maker.path):
          the table ACHANGE is left out (1 row): Core Data's history of changes
          the table Own is left out (2 rows): it belongs to no entity

        """))
  }

  @Test("are verified by the models of their run, in a folder of several")
  func versions() throws {
    let models = URL(fileURLWithPath: model).deletingLastPathComponent().path
    try XMLModelWriter(Model(entities: [Entity(name: "Other")]))
      .write(to: "\(models)/Other.xcdatamodeld")
    let (_, _, path) = try sample.convert { $0.modelPath = models }
    var verifier = StoreVerifier(store: path, inputs: [maker.path], options: ConversionOptions())
    #expect(try verifier.run().verification?.isPassed == true)
  }

  @Test("are compared by several threads, each with a graph of its own")
  func threads() throws {
    try maker.edit(
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO ZTAG SELECT i, 5, 1, 'tag ' || i FROM n;
      """)
    let (store, report, _) = try sample.convert { $0.jobs = 4 }
    #expect(report.verification?.isPassed == true)
    #expect(try store.lines("SELECT count(*), max(name) FROM Tag") == ["19904|tag 9999"])
  }

  @Test("need a model that they are of")
  func missingModel() throws {
    #expect {
      try sample.convert { $0.modelPath = nil }
    } throws: { error in
      "\(error)"
        == "\(maker.path): the store does not carry its model: give it with --model (a model, or a folder with models)"
    }
  }
}

@Suite("Real Core Data stores as inputs", .enabled(if: Repository.corpus != nil))
struct RealStoreConversionTests {
  @Test(
    "are converted into both layouts, and nothing differs",
    arguments: SharedFolder.databases(in: "coredata", "sources"))
  func converted(_ path: String) throws {
    let folder = try TemporaryFolder()
    for layout in StoreLayout.allCases {
      var options = ConversionOptions()
      (options.verifies, options.layout, options.existingStore) = (true, layout, .replace)
      let near = URL(fileURLWithPath: path).deletingLastPathComponent()
      let models = try FileManager.default.contentsOfDirectory(atPath: near.path)
        .filter { $0.hasSuffix(".xcdatamodel") }.map { near.appendingPathComponent($0).path }
      let versions = ["../models", "../Model.xcdatamodeld"].map {
        near.appendingPathComponent($0).standardizedFileURL.path
      }.filter { FileManager.default.fileExists(atPath: $0) }
      options.modelPath = models.first ?? versions.first
      var conversion = Conversion(
        inputs: [path], destination: folder.file(named: "out.sqlite"), options: options)
      let report = try conversion.run()
      #expect(report.verification?.differences.isEmpty == true)
      #expect(report.omissions.isEmpty)
    }
  }
}
