import ArchiveWriter
import Converter
import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Transformable attributes of Core Data stores")
struct StoreTransformableTests {
  private let maker: StoreMaker

  private static func hex(_ data: Data) -> String {
    data.map { String(format: "%02X", $0) }.joined()
  }

  private static let archives: [(key: Int, data: Data)] = [
    (1, KeyedArchiveBuilder.archive { $0.string("Geneva") }.binary()),
    (2, KeyedArchiveBuilder.archive { $0.array(["red", 2]) }.binary()),
    (3, KeyedArchiveBuilder.archive { $0.dictionary(keys: ["size"], values: [12]) }.binary()),
    (4, KeyedArchiveBuilder.archive { $0.date(secondsSince2001: 0.5) }.binary()),
    (5, KeyedArchiveBuilder.archive { $0.string("Geneva") }.binary().dropLast(3)),
    (6, Data([1, 2, 3])),
    // SwiftData stores arrays of texts so.
    (8, BinaryPropertyListWriter().data(for: ["red", "blue"])),
    (9, BinaryPropertyListWriter().data(for: ["size": ["a": 12]])),
  ]

  /// An archive of an object of an application's class.
  private static let font = KeyedArchiveBuilder.archive { archive in
    archive.instance(of: "Font", ["name": archive.string("Monaco"), "note": 3])
  }.binary()

  init() throws {
    let rows = Self.archives.map { "(\($0.key), 3, 1, x'\(Self.hex($0.data))')" }
    maker = try StoreMaker(
      StoreMaker.model,
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZEXTRA) VALUES \(rows.joined(separator: ", ")), "
        + "(7, 3, 1, NULL);")
    try XMLModelWriter(StoreMaker.model).write(to: maker.folder.file(named: "M.xcdatamodeld"))
  }

  private func convert(
    _ inputs: [String] = [], _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> (store: StoreQuery, report: ConversionReport, path: String) {
    var options = ConversionOptions()
    options.modelPath = maker.folder.file(named: "M.xcdatamodeld")
    (options.verifies, options.existingStore) = (true, .replace)
    change(&options)
    let path = maker.folder.file(named: "out.sqlite")
    var conversion = Conversion(
      inputs: inputs.isEmpty ? [maker.path] : inputs, destination: path, options: options)
    let report = try conversion.run()
    #expect(report.verification?.isPassed == true)
    var verifier = StoreVerifier(store: path, inputs: [maker.path], options: options)
    if inputs.isEmpty, options.layout == .relational {
      #expect(try verifier.run().verification?.isPassed == true)
    }
    return (try StoreQuery(path), report, path)
  }

  private func extras(of store: StoreQuery) throws -> [String] {
    try store.lines(
      "SELECT iif(typeof(extra) = 'blob', hex(extra), extra) FROM Note ORDER BY id")
  }

  @Test("become the values that they are archives of, where they are")
  func values() throws {
    let (store, _, path) = try convert()
    let expected = [
      "Geneva", "[\"red\",2]", "{\"size\":12}", "2001-01-01T00:00:00.500Z",
      Self.hex(Self.archives[4].data), "010203", "NULL", "[\"red\",\"blue\"]",
      "{\"size\":{\"a\":12}}",
    ]
    #expect(try extras(of: store) == expected)
    let editor = try StoreEditor(path)
    try editor.run("UPDATE Item SET extra = 'Genova' WHERE id = 1")
    editor.close()
    var options = ConversionOptions()
    options.modelPath = maker.folder.file(named: "M.xcdatamodeld")
    var verifier = StoreVerifier(store: path, inputs: [maker.path], options: options)
    let differences = try verifier.run().verification?.differences.map(\.property)
    #expect(differences == ["extra"])
  }

  @Test("become these values beside a binary store, too, which has no archives of them")
  func besideBinaryStore() throws {
    let (alone, _, _) = try convert()
    let expected = try extras(of: alone)
    var binary = BinaryStoreMaker(model: ModelSource(StoreMaker.model))
    var values = Array(repeating: PropertyListValue.null, count: 11)
    values[4] = binary.archive.string("Monaco")
    binary.nodes.append(
      BinaryStoreMaker.Node(key: 1, entity: "Note", values: values, relationships: 2))
    let input = try maker.folder.write(binary.bytes, to: "store.binary")
    let (store, _, _) = try convert([maker.path, input])
    #expect(try extras(of: store) == expected + ["Monaco"])
  }

  @Test("of objects of the application's own classes keep their bytes")
  func objects() throws {
    try maker.edit("UPDATE ZITEM SET ZEXTRA = x'\(Self.hex(Self.font))' WHERE Z_PK = 1;")
    #expect(try extras(of: convert().store).first == Self.hex(Self.font))
  }

  /// Archives that hold more than the value, or not all of it as text.
  private static let surplus: [(name: String, data: Data)] = [
    (
      "another outermost key",
      {
        guard
          case .dictionary(let pairs) = KeyedArchiveBuilder.archive({ $0.string("a") })
            .propertyList()
        else { return Data() }
        return BinaryPropertyListWriter().data(for: .dictionary(pairs + [KeyValue("$extra", "b")]))
      }()
    ),
    (
      "another top-level key",
      {
        var archive = KeyedArchiveBuilder.archive { $0.string("a") }
        archive.setTop("other", "b")
        return archive.binary()
      }()
    ),
    (
      "an unreachable object",
      KeyedArchiveBuilder.archive { archive in
        _ = archive.array([archive.string("b")])
        return archive.array([archive.string("a")])
      }.binary()
    ),
    (
      "an unpaired surrogate",
      KeyedArchiveBuilder.archive { $0.add(.utf16([0xD800, 0x41])) }.binary()
    ),
    (
      "an unpaired surrogate in a list",
      KeyedArchiveBuilder.archive { $0.array([.utf16([0x41, 0xDC00])]) }.binary()
    ),
  ]

  @Test("that hold more than a value, or a text that no value keeps, keep their bytes")
  func surplus() throws {
    for (name, data) in Self.surplus {
      try maker.edit("UPDATE ZITEM SET ZEXTRA = x'\(Self.hex(data))' WHERE Z_PK = 1;")
      #expect(try extras(of: convert().store).first == Self.hex(data), "\(name)")
    }
  }

  @Test("of all kinds of values have no surplus")
  func foundationValues() throws {
    let archives: [(data: Data, text: String)] = [
      (KeyedArchiveBuilder.archive { $0.url("https://a.example/") }.binary(), "https://a.example/"),
      (
        KeyedArchiveBuilder.archive { archive in
          archive.instance(
            of: "NSLocale", ["NS.identifier": archive.string("de")])
        }.binary(), #"{"class":"NSLocale","identifier":"de"}"#
      ),
      (
        KeyedArchiveBuilder.archive { archive in
          archive.array([archive.mutableString("a"), archive.date(secondsSince2001: 0.5)])
        }.binary(), #"["a","2001-01-01T00:00:00.500Z"]"#
      ),
    ]
    for (data, text) in archives {
      try maker.edit("UPDATE ZITEM SET ZEXTRA = x'\(Self.hex(data))' WHERE Z_PK = 1;")
      #expect(try extras(of: convert().store).first == text)
    }
  }

  @Test("keep their bytes in Core Data's layout")
  func coreDataLayout() throws {
    let (_, _, path) = try convert { $0.layout = .coreData }
    let found = try StoreQuery(path).lines("SELECT hex(ZEXTRA) FROM ZITEM ORDER BY Z_PK")
    let data = Self.archives.map { Self.hex($0.data) }
    #expect(found == data.prefix(6) + [""] + data.dropFirst(6))
  }

  @Test("say in Core Data's layout that their bytes are in the row, where they may be elsewhere")
  func externalData() throws {
    var model = StoreMaker.model
    for (number, entity) in model.entities.enumerated() {
      for (place, attribute) in entity.attributes.enumerated() where attribute.name == "extra" {
        model.entities[number].attributes[place].allowsExternalBinaryDataStorage = true
      }
    }
    let bytes = Self.archives.map { "01" + Self.hex($0.data) }
    let rows = bytes.enumerated().map { "(\($0 + 1), 3, 1, x'\($1)')" }
    let store = try StoreMaker(
      model,
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZEXTRA) VALUES \(rows.joined(separator: ", "));")
    try XMLModelWriter(model).write(to: store.folder.file(named: "M.xcdatamodeld"))
    var options = ConversionOptions()
    options.modelPath = store.folder.file(named: "M.xcdatamodeld")
    (options.verifies, options.layout) = (true, .coreData)
    let path = store.folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [store.path], destination: path, options: options)
    #expect(try conversion.run().verification?.isPassed == true)
    #expect(try StoreQuery(path).lines("SELECT hex(ZEXTRA) FROM ZITEM ORDER BY Z_PK") == bytes)
    var verifier = StoreVerifier(store: path, inputs: [store.path], options: options)
    #expect(try verifier.run().verification?.isPassed == true)
    let editor = try StoreEditor(path)
    try editor.run("UPDATE ZITEM SET ZEXTRA = substr(ZEXTRA, 2) WHERE Z_PK = 6")
    editor.close()
    #expect(try verifier.run().verification?.isPassed == false)
  }

  @Test("are opened as archives of their own where that is asked for")
  func nested() throws {
    let (store, report, _) = try convert { ($0.opensNested, $0.errorPolicy) = (true, .skip) }
    let nested = try store.lines("SELECT uid, key, path FROM _archive WHERE parent IS NOT NULL")
    #expect(
      nested
        == [1, 2, 3, 4, 8, 9].map {
          "\($0)|extra|\(maker.path)#Note \($0).extra"
        })
    #expect(
      try store.lines("SELECT value FROM _top WHERE value IS NOT NULL") == [
        "Geneva", "2001-01-01T00:00:00.500Z",
      ])
    #expect(report.archives.filter { $0.outcome == .rejected }.map(\.path).count == 1)
    // The store's own tables are still those of its model.
    #expect(try extras(of: store).prefix(1) == ["Geneva"])
    #expect(try store.lines("SELECT count(*) FROM Tag") == ["0"])
  }

  @Test("have tables for the objects in them, beside those of the store's own")
  func nestedObjects() throws {
    try maker.edit(
      """
      UPDATE ZITEM SET ZEXTRA = x'\(Self.hex(Self.font))', ZFLAG = 1, ZCREATED = 0.5
        WHERE Z_PK = 1;
      DELETE FROM ZITEM WHERE Z_PK = 5;
      """)
    let (store, _, _) = try convert { $0.opensNested = true }
    #expect(try store.lines("SELECT name, note FROM Font") == ["Monaco|3"])
    // Those of the store inherit from each other, and have tables without rows, as its model says.
    #expect(
      try store.lines(
        "SELECT type, name FROM sqlite_schema WHERE name IN ('Font', 'Item', 'Note', 'Tag') "
          + "ORDER BY name") == ["table|Font", "table|Item", "view|Note", "table|Tag"])
    #expect(
      try store.lines("SELECT created, flag, hex(extra) FROM Note LIMIT 1") == [
        "2001-01-01T00:00:00.500Z|1|\(Self.hex(Self.font))"
      ])
  }

  @Test("may hold data itself in a binary store, of which an archive is made")
  func dataItself() throws {
    var binary = BinaryStoreMaker()
    for (key, data) in Self.archives {
      let values = Array(repeating: PropertyListValue.null, count: 10)
      binary.nodes.append(
        BinaryStoreMaker.Node(
          key: Int64(key), entity: "Note",
          values: values + [binary.archive.mutableData(data), .null], relationships: 2))
    }
    let input = try maker.folder.write(binary.bytes, to: "store.binary")
    try XMLModelWriter(StoreModels.library.model).write(
      to: maker.folder.file(named: "Library.xcdatamodeld"))
    var options = ConversionOptions()
    options.modelPath = maker.folder.file(named: "Library.xcdatamodeld")
    (options.verifies, options.layout) = (true, .coreData)
    let path = maker.folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [input], destination: path, options: options)
    #expect(try conversion.run().verification?.differences.isEmpty == true)
    var verifier = StoreVerifier(store: path, inputs: [input], options: options)
    #expect(try verifier.run().verification?.differences.isEmpty == true)
  }

  @Test("are as whole in a migrated binary store as in a converted one", arguments: [true, false])
  func migratedObjects(isCoreData: Bool) throws {
    var binary = BinaryStoreMaker()
    let font = binary.archive.instance(of: "Font", ["name": binary.archive.string("Monaco")])
    let styles = [
      binary.archive.array(["red", 2]), binary.archive.dictionary(keys: ["size"], values: [12]),
      binary.archive.array([font]), font, binary.archive.url("https://example.org/\u{FC}"),
      binary.archive.instance(
        of: "NSLocale", ["NS.identifier": binary.archive.string("de")]),
    ]
    for (index, style) in styles.enumerated() {
      var values = Array(repeating: PropertyListValue.null, count: 12)
      values[2] = binary.archive.url("https://example.org/\(index)\u{FC}")
      values[10] = style
      binary.nodes.append(
        BinaryStoreMaker.Node(
          key: Int64(index) + 1, entity: "Note", values: values, relationships: 2))
    }
    let input = try maker.folder.write(binary.bytes, to: "store.binary")
    let versions = [("Library", StoreModels.library), ("Later", StoreModels.later)]
    for (name, version) in versions {
      try XMLModelWriter(version.model).write(
        to: maker.folder.file(named: "\(name).xcdatamodeld"))
    }
    let (old, new) = (
      maker.folder.file(named: "Library.xcdatamodeld"),
      maker.folder.file(named: "Later.xcdatamodeld")
    )
    func rows(_ name: String, _ change: (inout ConversionOptions) -> Void) throws -> [String] {
      var options = ConversionOptions()
      options.layout = isCoreData ? .coreData : .relational
      options.verifies = true
      change(&options)
      let path = maker.folder.file(named: name)
      var conversion = Conversion(inputs: [input], destination: path, options: options)
      let verification = try conversion.run().verification
      #expect(
        verification?.differences.map { "\($0.property): \($0.expected), \($0.found)" } == [])
      return try StoreQuery(path).lines(
        isCoreData
          ? "SELECT ZURL, hex(ZSTYLE) FROM ZITEM ORDER BY Z_PK"
          : "SELECT URL, style FROM Note ORDER BY id")
    }
    let converted = try rows("converted.sqlite") { $0.modelPath = old }
    let migrated = try rows("migrated.sqlite") {
      ($0.modelPath, $0.migration) = (new, MigrationOptions(versionPaths: [old]))
    }
    #expect(migrated.count == styles.count)
    guard !isCoreData else {
      #expect(migrated == converted)
      return #expect(migrated.allSatisfy { !$0.contains("NULL") && !$0.hasSuffix("|") })
    }
    let whole = [
      "https://example.org/0\u{FC}|[\"red\",2]", "https://example.org/1\u{FC}|{\"size\":12}",
      "https://example.org/4\u{FC}|https://example.org/\u{FC}",
      "https://example.org/5\u{FC}|{\"class\":\"NSLocale\",\"identifier\":\"de\"}",
    ]
    #expect(migrated.prefix(2) + migrated.suffix(2) == whole)
    #expect(converted.prefix(2) + converted.suffix(2) == whole)
    #expect(
      converted[2...3] == [
        "https://example.org/2\u{FC}|[null]", "https://example.org/3\u{FC}|NULL",
      ])
    // What holds other objects is an archive between the steps, and stays one.
    #expect(
      migrated[2...3].allSatisfy {
        $0.contains("|x'62706C697374") || $0.contains("|x'62706c697374")
      })
  }

  @Test("are found by several threads, in several stores")
  func several() throws {
    let second = try StoreMaker(
      StoreMaker.model,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZEXTRA)
          SELECT i, 3, 1, x'\(Self.hex(Self.archives[0].data))' FROM n;
      """)
    let (store, _, _) = try convert([maker.path, second.path]) {
      ($0.opensNested, $0.errorPolicy, $0.jobs) = (true, .skip, 4)
    }
    let archives = try store.lines("SELECT count(*) FROM _archive")
    #expect(archives == ["408"])
    #expect(try store.lines("SELECT count(*) FROM Note WHERE extra = 'Geneva'") == ["401"])
  }
}
