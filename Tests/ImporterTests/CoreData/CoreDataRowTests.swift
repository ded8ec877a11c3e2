import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Rows that go straight into a Core Data store")
struct CoreDataRowTests {
  /// Books with chapters in order, some of which are appendices.
  private static let model = Model(entities: [
    Entity(
      name: "Book",
      attributes: [Attribute(name: "title", type: .string), Attribute(name: "made", type: .date)],
      relationships: [
        Relationship(
          name: "chapters", destinations: ["Chapter"], isToMany: true, isOrdered: true,
          inverse: "book")
      ]),
    Entity(
      name: "Chapter",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "key", type: .uuid),
        Attribute(name: "made", type: .date), Attribute(name: "price", type: .decimal),
      ],
      relationships: [
        Relationship(
          name: "book", destinations: ["Book"], isToMany: false, inverse: "chapters")
      ]),
    Entity(
      name: "Appendix", parent: "Chapter", attributes: [Attribute(name: "letter", type: .string)]),
    // Its table has the name of the one that Core Data has for books.
    Entity(name: "ZBook", attributes: [Attribute(name: "title", type: .string)]),
    Entity(name: "Alias", attributes: [Attribute(name: "title", type: .string)]),
  ])

  private static func titled(_ className: String, _ title: String) -> GraphObject {
    GraphObject(className, ["title": .plain(.string(title)), "made": .date(12.5)])
  }

  private static func book(_ title: String, _ chapters: [Int]) -> GraphObject {
    GraphObject(
      "Book",
      [
        "title": .plain(.string(title)), "made": .date(-0.25), "chapters": .array(chapters),
      ])
  }

  private static let objects = [
    book("one", [3, 2]), book("two", [4]), titled("Chapter", "a"), titled("Appendix", "b"),
    titled("Chapter", "c"), titled("ZBook", "none"), titled("Alias", "other"),
  ]

  private static func options(_ hooks: any ImportHook.Type...) -> ConversionOptions {
    var options = ConversionOptions.pairs
    options.model = model
    options.extensions.hooks = hooks
    return options
  }

  private static func input(
    _ folder: TemporaryFolder, _ objects: [GraphObject] = objects
  ) throws -> String {
    try folder.write(KeyedArchiveBuilder.graph(objects).binary(), to: "books.plist")
  }

  @Test("are those of the relational layout")
  func plain() throws {
    let folder = try TemporaryFolder()
    try CoreDataVerification.expectPassed([try Self.input(folder)], Self.options())
  }

  @Test(
    "are those of the relational layout where hooks read, change, merge and delete them",
    arguments: [Rewriting.self, Merging.self, Removing.self] as [any ImportHook.Type])
  func hooked(hook: any ImportHook.Type) throws {
    let folder = try TemporaryFolder()
    let input = try Self.input(folder)
    try CoreDataVerification.expectPassed([input], Self.options(hook))
  }

  @Test("are what hooks made of them")
  func rewritten() throws {
    let folder = try TemporaryFolder()
    var options = Self.options(Rewriting.self)
    options.layout = .coreData
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(
      inputs: [try Self.input(folder)], destination: path, options: options)
    #expect(try conversion.run().losses == [])
    let store = try StoreQuery(path)
    #expect(
      try store.lines("SELECT ZTITLE, ZMADE, Z_ENT, ZBOOK, Z_FOK_BOOK, hex(ZKEY) FROM ZCHAPTER")
        == [
          "a after 12.5 after 112.5|212.5|3|1|3072|00010203040506070809000102030405",
          "b after 12.5|112.5|4|1|2048|00010203040506070809000102030405",
          "c|12.5|3|2|2048|00010203040506070809000102030405",
        ])
    #expect(try store.lines("SELECT ZTITLE FROM ZZBOOK") == ["none"])
  }

  @Test("are read by hooks as the store keeps them")
  func readBack() throws {
    let folder = try TemporaryFolder()
    var options = Self.options(Pricing.self)
    options.layout = .coreData
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(
      inputs: [try Self.input(folder)], destination: path, options: options)
    let report = try conversion.run()
    #expect(
      report.losses.map { [$0.before, $0.after] }
        == Array(repeating: ["0.1234567890123456789", "0.12345678901234568"], count: 3))
    #expect(
      try StoreQuery(path).lines("SELECT ZTITLE, ZPRICE FROM ZCHAPTER") == [
        "none|0.12345678901234568", "0.12345678901234568|0.12345678901234568",
        "0.12345678901234568|0.12345678901234568",
      ])
  }

  @Test("tell of a loss only if it is one of what the store has in the end")
  func losses() throws {
    let folder = try TemporaryFolder()
    var options = Self.options(Timeless.self)
    options.layout = .coreData
    var conversion = Conversion(
      inputs: [try Self.input(folder)], destination: folder.file(named: "out.sqlite"),
      options: options)
    #expect(
      try conversion.run().losses.map { [$0.className, $0.key, $0.before, $0.after] } == [
        ["Book", "made", "nan", "nothing"]
      ])
  }

  @Test("stand after the members of an ordered collection that does not hold them")
  func strays() throws {
    let folder = try TemporaryFolder()
    func archive(_ notes: [Int]) throws -> String {
      let note = GraphObject("Note", ["folder": .one(0)])
      return try Self.input(
        folder, [GraphObject("Folder", ["notes": .array(notes)]), note, note, note])
    }
    // In the relational layout of a draft, such a row has no position.
    var options = ConversionOptions.pairs
    options.mappingPath = try folder.draftMapping(of: archive([1, 2, 3]), withModel: true)
    let input = try archive([2, 1])
    options.layout = .coreData
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [input], destination: path, options: options)
    _ = try conversion.run()
    #expect(
      try StoreQuery(path).lines("SELECT Z_PK, ZFOLDER, Z_FOK_FOLDER FROM ZNOTE") == [
        "1|1|3072", "2|1|2048", "3|1|4096",
      ])
    try CoreDataVerification.expectPassed([input], options)
  }

  @Test("tell how many losses there are, however many of them are listed")
  func manyLosses() throws {
    let folder = try TemporaryFolder()
    let prices = (0..<1_500).map {
      GraphObject("Item", ["price": .plain(.real(-0.0 * Double($0)))])
    }
    var options = ConversionOptions.pairs
    options.model = Model(entities: [
      Entity(name: "Item", attributes: [Attribute(name: "price", type: .double)])
    ])
    options.layout = .coreData
    var conversion = Conversion(
      inputs: [try Self.input(folder, prices)], destination: folder.file(named: "out.sqlite"),
      options: options)
    let report = try conversion.run()
    #expect(report.lossCount == 1_500)
    #expect(report.losses.count == 1_000)
    #expect(report.lossKinds.map { "\($0.location) \($0.count)" } == ["Item.price 1500"])
  }

  private static let key = UUID(
    uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5))

  /// Reads what was written of the row before, and changes it.
  private struct Rewriting: ImportHook {
    static let archivedClassNames = ["Chapter", "Appendix"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert()
      row["title"] = try coder.decodeObject(forKey: "title")
      row["made"] = try coder.decodeObject(forKey: "made")
      row["key"] = .uuid(key)
      try coder.context.fetch("Chapter", where: ["key": .uuid(key)]).forEach(change)
      return row
    }

    private static func change(_ row: DestinationInstance) {
      guard case .text(let title) = row["title"], case .date(let made) = row["made"] else { return }
      row["title"] = .text("\(title) after \(made.timeIntervalSinceReferenceDate)")
      row["made"] = .date(made + 100)
    }

  }

  /// Gives chapters a price of more digits than a double has, and the price of the one before as
  /// their title.
  private struct Pricing: ImportHook {
    static let archivedClassNames = ["Chapter", "Appendix"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert()
      let price = try #require(Decimal(string: "0.1234567890123456789"))
      let earlier = try coder.context.fetch("Chapter", where: ["price": .decimal(price)]).first
      row["price"] = .decimal(price)
      row["title"] = .text((earlier?["price"] as Decimal?).map { "\($0)" } ?? "none")
      return row
    }
  }

  /// Lets all chapters of a title be one.
  private struct Merging: ImportHook {
    static let archivedClassNames = ["Chapter", "Appendix"]
    static let entityName: String? = "Chapter"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.context.findOrInsert(into: "Chapter", identity: ["title": .text("x")])
      row["made"] = try coder.decodeObject(forKey: "made")
      return row
    }
  }

  /// Deletes the chapters of a book that are not the first.
  private struct Removing: ImportHook {
    static let archivedClassNames = ["Book"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert()
      row["chapters"] = try coder.decodeObject(forKey: "chapters")
      guard case .list(let rows) = row["chapters"] else { return row }
      for case .row(let chapter) in rows.dropFirst() {
        coder.context.delete(coder.context.instance(for: chapter))
      }
      return row
    }
  }

  /// Gives books a date that no calendar reaches, and all but the first another one later.
  private struct Timeless: ImportHook {
    static let archivedClassNames = ["Book"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert()
      row["title"] = try coder.decodeObject(forKey: "title")
      row["made"] = .date(Date(timeIntervalSinceReferenceDate: .nan))
      for earlier in try coder.context.fetch("Book", where: ["title": .text("one")]) {
        earlier["made"] = .date(Date(timeIntervalSinceReferenceDate: 1))
      }
      return row
    }
  }
}
