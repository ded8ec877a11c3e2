import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Objects of value classes")
struct ValueClassTests {
  /// Where objects of a value class stand: under the key `p` of objects of the class `T`.
  struct Place: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the key holds in each of the objects; it is given an object of the value class.
    var values: @Sendable (inout KeyedArchiveBuilder, PropertyListValue) -> [PropertyListValue]
    /// What is asked of the store, and what comes of it.
    var query: String
    var lines: [String]

    init(
      _ description: String, _ query: String, _ lines: [String],
      values:
        @escaping @Sendable (inout KeyedArchiveBuilder, PropertyListValue) -> [PropertyListValue]
    ) {
      (testDescription, self.values, self.query, self.lines) = (description, values, query, lines)
    }

    /// The objects, in an array.
    var archive: KeyedArchiveBuilder {
      .archive { archive in
        let value = archive.instance(of: "K", ["raw": .integer(7)])
        let objects = values(&archive, value).map { archive.instance(of: "T", ["p": $0]) }
        return archive.array(objects)
      }
    }

    static let all = [
      Place("alone", "SELECT quote(p) FROM T", ["7"]) { [$1] },
      Place("beside a row", "SELECT quote(p), quote(p_id) FROM T", ["7|NULL", "NULL|1"]) {
        [$1, $0.instance(of: "U")]
      },
      Place("beside a text", "SELECT quote(p) FROM T", ["7", "'t'"]) { [$1, $0.string("t")] },
      Place("in an array", "SELECT quote(value) FROM T_p", ["7", "7"]) { [$0.array([$1, $1])] },
      Place(
        "in an array with a row", "SELECT quote(value), quote(value_type) FROM T_p",
        ["7|NULL", "NULL|'U'"]
      ) {
        [$0.array([$1, $0.instance(of: "U")])]
      },
      Place("in an array with a text", "SELECT quote(value) FROM T_p", ["7", "'t'"]) {
        [$0.array([$1, $0.string("t")])]
      },
      Place(
        "in an array, where another holds a row", "SELECT quote(value), quote(value_type) FROM T_p",
        ["7|NULL", "NULL|'U'"]
      ) {
        [$0.array([$1]), $0.array([$0.instance(of: "U")])]
      },
      Place("in a dictionary", "SELECT quote(key), quote(value) FROM T_p", ["'k'|7"]) {
        [$0.dictionary([$0.string("k"): $1])]
      },
      Place(
        "in a dictionary with a text", "SELECT quote(key), quote(value) FROM T_p",
        ["'k'|7", "'l'|'t'"]
      ) {
        [$0.dictionary(keys: [$0.string("k"), $0.string("l")], values: [$1, $0.string("t")])]
      },
      Place("as a key", "SELECT quote(key), quote(value) FROM T_p", ["7|'v'"]) {
        [$0.dictionary(keys: [$1], values: [$0.string("v")])]
      },
      Place("as key and value", "SELECT quote(key), quote(value) FROM T_p", ["7|7"]) {
        [$0.dictionary(keys: [$1], values: [$1])]
      },
    ]
  }

  @Test("are values wherever they stand", arguments: Place.all)
  func places(_ place: Place) throws {
    var conversion = try SteeredConversion(
      [place.archive], mapping: "classes: {K: {value: raw}}", ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run()
    #expect(try store.lines(place.query) == place.lines)
    #expect(report.verification?.differences == [])
    #expect(report.unreadKeys.isEmpty)
  }

  /// What the value class is may be told by a hook instead.
  struct Seven: ImportValueHook {
    static let archivedClassNames = ["K"]

    static func value(from coder: ImportCoder) throws -> ImportValue {
      .integer(Int64(try coder.decodeInteger(forKey: "raw")))
    }
  }

  @Test("are values wherever they stand if a hook makes them", arguments: Place.all)
  func hooked(_ place: Place) throws {
    let (store, report) = try SteeredConversion(
      [place.archive], mapping: "entities: {T: {}}", ImportExtensions(values: [Seven.self])
    ).run()
    #expect(try store.lines(place.query) == place.lines)
    #expect(report.unreadKeys.isEmpty)
  }

  @Test("give a collection that is named what other objects hold in their place")
  func namedCollections() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let value = archive.instance(of: "K", ["raw": .string("t")])
      let other = archive.instance(of: "A", ["info": archive.set([])])
      return archive.array([
        archive.instance(of: "A", ["info": value]),
        archive.instance(of: "B", ["info": archive.array([other])]),
      ])
    }
    var conversion = try SteeredConversion(
      [archive],
      mapping: """
        classes: {B: A, K: {value: raw}}
        entities: {A: {collections: {info: {}}}}
        """, ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run()
    #expect(try store.lines("SELECT id, info FROM A") == ["1|t", "2|NULL", "3|NULL"])
    #expect(try store.lines("SELECT A_id, value_id, value_type FROM A_info") == ["2|3|A"])
    #expect(report.verification?.differences == [])
    #expect(report.unreadKeys.isEmpty)
  }

  @Test("are values under top-level keys and in collections there, whatever tells so")
  func topLevel() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let value = archive.instance(of: "K", ["raw": .integer(7)])
      archive.setTop("alone", value)
      archive.setTop("pairs", archive.dictionary([value: archive.instance(of: "T")]))
      return archive.array([value, archive.instance(of: "T")])
    }
    let stores = [
      try SteeredConversion(
        [archive], mapping: "classes: {K: {value: raw}}", ImportExtensions()),
      try SteeredConversion(
        [archive], mapping: "entities: {T: {}}", ImportExtensions(values: [Seven.self])),
    ]
    for conversion in stores {
      let (store, _) = try conversion.run()
      #expect(
        try store.lines("SELECT key, value FROM _top WHERE value IS NOT NULL") == ["alone|7"])
      #expect(
        try store.lines("SELECT key, value, value_type FROM _collection_element ORDER BY id") == [
          "7|NULL|T", "NULL|7|NULL", "NULL|NULL|T",
        ])
    }
  }

  @Test("lead to the rows of their class, whatever names an earlier run has given")
  func earlierNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    for (number, classes) in [["X.Note", "Y.Note"], ["Y.Note", "X.Note"]].enumerated() {
      let archive = KeyedArchiveBuilder.archive { archive in
        let notes = classes.map { archive.instance(of: $0, ["name": archive.string($0)]) }
        let value = archive.instance(of: "K", ["raw": notes[number]])
        return archive.array(notes + [archive.instance(of: "T", ["p": value])])
      }
      var options = ConversionOptions()
      options.existingStore = .append
      options.verifies = true
      options.mappingPath = try folder.write(
        "plainNames: true\nclasses: {K: {value: raw}}", to: "mapping.yaml")
      var conversion = Conversion(
        inputs: [try folder.write(archive.binary(), to: "a\(number).plist")], destination: path,
        options: options)
      #expect(try conversion.run().verification?.differences == [])
    }
    let store = try StoreQuery(path)
    let table = try store.value("SELECT entity FROM _class WHERE name = 'X.Note'")
    #expect(
      try store.lines("SELECT n.name FROM T JOIN \(table) AS n ON n.id = T.p_id ORDER BY T.id") == [
        "X.Note", "X.Note",
      ])
  }
}
