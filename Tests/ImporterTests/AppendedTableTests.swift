import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Tables of a store that is added to")
struct AppendedTableTests {
  /// An archive in which a note holds texts, whose table is Note_labels.
  private static let texts = KeyedArchiveBuilder.of("Note") { archive in
    ["labels": archive.array([archive.string("a"), archive.string("b")])]
  }

  /// One with objects of a class that has the name of this table.
  private static let objects = KeyedArchiveBuilder.of("Note_labels") { archive in
    ["name": archive.string("c")]
  }

  /// One in which a note holds a record, whose entity has the same name.
  private static let record = KeyedArchiveBuilder.of("Note") { archive in
    [
      "labels": archive.dictionary([
        archive.string("name"): archive.string("d"), archive.string("number"): 1,
      ])
    ]
  }

  @Test(
    "hold what they held, and others of the same name get another one",
    arguments: [
      (texts, objects, "Note_labels", "Note_labels_2"),
      (texts, record, "Note_labels", "Note_labels_2"),
      (objects, texts, "Note_labels_2", "Note_labels"),
      (record, texts, "Note_labels_2", "Note_labels"),
    ])
  func otherTables(
    first: KeyedArchiveBuilder, second: KeyedArchiveBuilder, texts: String, rows: String
  ) throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    var third = second
    third.setTop("name", third.string("other"))
    for (name, archive) in [("a", first), ("b", second), ("c", third)] {
      var options = ConversionOptions()
      (options.existingStore, options.verifies) = (.append, true)
      let input = try folder.write(archive.binary(), to: name)
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    let found = try StoreQuery(store)
    let isAgain = texts == "Note_labels_2"
    #expect(
      try found.lines("SELECT value FROM \(texts)")
        == Array(repeating: ["a", "b"], count: isAgain ? 2 : 1).flatMap { $0 })
    #expect(try found.value("SELECT count(*) FROM \(rows)") == (isAgain ? "1" : "2"))
    let inputs = ["a", "b", "c"].map { folder.file(named: $0) }
    var verifier = StoreVerifier(store: store, inputs: inputs, options: ConversionOptions())
    #expect(try verifier.run().verification?.isPassed == true)
  }

  /// A list of notes, and a set of notes, which lead back to it, under the same key; or an array of
  /// other objects, which do not.
  private static func lists(_ title: String, others: Bool) -> KeyedArchiveBuilder {
    .archive { archive in
      guard !others else {
        let cards = [archive.instance(of: "Card", ["title": archive.string(title)])]
        return archive.instance(of: "Deck", ["notes": archive.array(cards)])
      }
      let (list, pile) = (archive.reserve(), archive.reserve())
      func note(_ key: String, _ owner: KeyedArchiveBuilder.Slot) -> PropertyListValue {
        let name = archive.string("\(title) \(key)")
        return archive.instance(
          of: "Note", [KeyValue("title", name), KeyValue(key, owner.reference)])
      }
      let (listed, piled) = (note("list", list), note("pile", pile))
      archive.fill(list, className: "List", ["notes": archive.array([listed])])
      archive.fill(pile, className: "Pile", ["notes": archive.set([piled])])
      return archive.array([list.reference, pile.reference])
    }
  }

  @Test("are added to though another relationship of the same name has positions")
  func positionsOfOthers() throws {
    let folder = try TemporaryFolder()
    func convert(_ names: [String], to store: String) throws -> StoreQuery {
      var options = ConversionOptions()
      (options.existingStore, options.verifies) = (.append, true)
      let path = folder.file(named: store)
      var conversion = Conversion(
        inputs: names.map { folder.file(named: $0) }, destination: path, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
      return try StoreQuery(path)
    }
    let names = ["a", "b", "c"]
    for name in names {
      try folder.write(Self.lists(name, others: name == "b").binary(), to: name)
      _ = try convert([name], to: "out.db")
    }
    let (store, whole) = (try StoreQuery(folder.file(named: "out.db")), try convert(names, to: "o"))
    for table in ["Note", "List", "Pile", "Deck", "Card", "Deck_notes"] {
      let rows = "SELECT * FROM \(table) ORDER BY id"
      #expect(try store.lines(rows) == whole.lines(rows))
    }
  }

  @Test(
    "are found again where their names are not those of the class", arguments: ["sqlite_a", "a\0"])
  func otherNames(className: String) throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    for name in ["a", "b", "c"] {
      var options = ConversionOptions()
      (options.existingStore, options.verifies) = (.append, true)
      let archive = KeyedArchiveBuilder.of(className) { archive in
        ["labels": archive.array([archive.string(name)])]
      }
      let input = try folder.write(archive.binary(), to: name)
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    let names = try StoreQuery(store).lines(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE '%labels%'")
    #expect(names == ["1"])
  }

  /// A note with records under a key, or with an empty array.
  private static func note(records: Int, _ name: String) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.of("Note") { archive in
      let parts = (0..<records).map { number in
        archive.dictionary([
          archive.string("name"): archive.string("\(name) \(number)"),
          archive.string("number"): .integer(Int64(number)),
        ])
      }
      return ["parts": archive.array(parts)]
    }
  }

  @Test(
    "take archives with nothing under a key that has records in others",
    arguments: [
      ([2, 0, 2], "Note_parts", "Note_parts_2"), ([0, 2, 2], "Note_parts_2", "Note_parts"),
    ])
  func noRecords(counts: [Int], rows: String, links: String) throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    for (name, records) in zip(["a", "b", "c"], counts) {
      var options = ConversionOptions()
      (options.existingStore, options.verifies) = (.append, true)
      let input = try folder.write(Self.note(records: records, name).binary(), to: name)
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    let expected = zip(["a", "b", "c"], counts).enumerated().flatMap { note, found in
      (0..<max(found.1, 1)).map {
        "\(note + 1)|" + (found.1 == 0 ? "NULL|NULL|NULL" : "\($0)|\(found.0) \($0)|\($0)")
      }
    }
    #expect(
      try StoreQuery(store).lines(
        """
        SELECT Note.id, position, name, number FROM Note
          LEFT JOIN \(links) ON Note_id = Note.id
          LEFT JOIN \(rows) ON \(rows).id = Note_parts_id ORDER BY Note.id, position
        """) == expected)
    let inputs = ["a", "b", "c"].map { folder.file(named: $0) }
    var verifier = StoreVerifier(store: store, inputs: inputs, options: ConversionOptions())
    #expect(try verifier.run().verification?.isPassed == true)
  }

  /// A note with values and collections, or with nothing under the same keys.
  private static func note(isEmpty: Bool) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.of("Note") { archive in
      guard !isEmpty else {
        return [
          "title": .none, "count": .none, "price": archive.null(), "labels": archive.array([]),
          "ranks": archive.dictionary([:]),
        ]
      }
      return [
        "title": archive.string("a"), "count": 1,
        "price": archive.decimal(words: [123], exponent: -1),
        "labels": archive.array([archive.string("b")]),
        "ranks": archive.dictionary([1: archive.string("c"), 2: archive.string("d")]),
      ]
    }
  }

  @Test("take archives with nothing under a key, whatever the type of its column")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    for (name, isEmpty) in [("a", false), ("b", true), ("c", false)] {
      var options = ConversionOptions()
      (options.existingStore, options.verifies) = (.append, true)
      // The last one differs from the first by its name alone.
      var archive = Self.note(isEmpty: isEmpty)
      if name == "c" { archive.setTop("name", archive.string("c")) }
      let input = try folder.write(archive.binary(), to: name)
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    let found = try StoreQuery(store)
    #expect(
      try found.lines("SELECT count(*), count(title), count(count), sum(price_number) FROM Note")
        == ["3|2|2|24.6"])
    #expect(try found.lines("SELECT Note_id, value FROM Note_labels") == ["1|b", "3|b"])
    #expect(
      try found.lines("SELECT Note_id, key, value FROM Note_ranks")
        == ["1|1|c", "1|2|d", "3|1|c", "3|2|d"])
    let inputs = ["a", "b", "c"].map { folder.file(named: $0) }
    var verifier = StoreVerifier(store: store, inputs: inputs, options: ConversionOptions())
    #expect(try verifier.run().verification?.isPassed == true)
  }
}
