import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Names of archived classes in mappings and hooks")
struct ArchivedClassNameTests {
  private static let leaf = "_TtCC6Garden5Plant4Leaf"

  /// An archive of objects of some classes, each with a name and with hints.
  private func archive(
    _ objects: (className: String, hints: [String])...
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      let references = objects.map { object in
        var record = [
          KeyValue("$classname", .string(object.className)),
          KeyValue("$classes", .array([.string(object.className), "NSObject"])),
        ]
        if !object.hints.isEmpty {
          record.append(KeyValue("$classhints", .array(object.hints.map { .string($0) })))
        }
        let reference = archive.add(.dictionary(record))
        return archive.add(["name": archive.string(object.className), "$class": reference])
      }
      return archive.array(references)
    }
  }

  private func rows(
    _ archive: KeyedArchiveBuilder, mapping: String? = nil,
    _ extensions: ImportExtensions = ImportExtensions()
  ) throws -> [String] {
    let (store, report) = try SteeredConversion([archive], mapping: mapping, extensions).run()
    return try report.entities.filter { $0.rows > 0 }.sorted { $0.name < $1.name }.flatMap {
      entity in
      try store.lines("SELECT name FROM \"\(entity.name)\" ORDER BY id").map {
        "\(entity.name) \($0)"
      }
    }
  }

  // MARK: Swift's names

  static let mappings = [
    "classes: {Garden.Plant.Leaf: Foliage}", "classes: {_TtCC6Garden5Plant4Leaf: Foliage}",
    "entities: {Foliage: {from: Garden.Plant.Leaf}}",
    "entities: {Foliage: {from: [_TtCC6Garden5Plant4Leaf]}}",
    "classes: {Garden.Plant.Leaf: {class: Foliage}}",
    "classes: {_TtCC6Garden5Plant4Leaf: {class: Old.Foliage}}",
  ]

  @Test("may be the archived ones or those in Swift", arguments: mappings)
  func swiftNames(mapping: String) throws {
    #expect(try rows(archive((Self.leaf, []))) == ["Plant.Leaf \(Self.leaf)"])
    #expect(try rows(archive((Self.leaf, [])), mapping: mapping) == ["Foliage \(Self.leaf)"])
  }

  @Test("mean the archived class where one has the name, and else those that have it in Swift")
  func exactNames() throws {
    let other = "_TtC6GardenP33_0B4E7C1C8E2C1E0F8B8C1C4E6E3E5F3E5Plant"
    let archive = archive(("Garden.Plant", []), (other, []))
    #expect(
      try rows(archive, mapping: "classes: {Garden.Plant: Herb}") == [
        "Herb Garden.Plant", "Herb \(other)",
      ])
    #expect(
      try rows(archive, mapping: "classes: {Garden.Plant: Herb, \(other): Weed}") == [
        "Herb Garden.Plant", "Weed \(other)",
      ])
  }

  static let doubled = [
    "classes: {Garden.Plant.Leaf: Foliage, _TtCC6Garden5Plant4Leaf: Weed}",
    "classes: {Garden.Plant.Leaf: {ignore: true}}\n"
      + "entities: {Foliage: {from: _TtCC6Garden5Plant4Leaf}}",
    "classes: {Garden.Plant.Leaf: {class: Foliage}, _TtCC6Garden5Plant4Leaf: Weed}",
  ]

  @Test("are told where two of them mean one class", arguments: doubled)
  func twoNames(mapping: String) throws {
    let messages = try SteeredConversion(
      [archive((Self.leaf, []))], mapping: mapping, ImportExtensions()
    ).failure()
    #expect(
      messages == [
        "mapping.yaml:1:11: 'Garden.Plant.Leaf' and '\(Self.leaf)' are the same class: "
          + "use one of its names"
      ])
    // In an archive without the class there is nothing to be heard.
    #expect(try rows(archive(("Note", [])), mapping: mapping) == ["Note Note"])
  }

  @Test("are told where a mapping has another of them than a hook")
  func hookedNames() throws {
    let messages = try SteeredConversion(
      [archive((Self.leaf, []))], mapping: "classes: {_TtCC6Garden5Plant4Leaf: Foliage}",
      ImportExtensions(hooks: [LeafHook.self])
    ).failure()
    #expect(
      messages == [
        "mapping.yaml:1:11: 'Garden.Plant.Leaf' and '\(Self.leaf)' are the same class: "
          + "use one of its names"
      ])
  }

  @Test("lead to values and to what is left behind, too")
  func valuesAndIgnored() throws {
    let archive = KeyedArchiveBuilder.of("Note") { archive in
      ["leaf": archive.instance(of: Self.leaf, ["name": archive.string("green")])]
    }
    let value = try SteeredConversion(
      [archive], mapping: "classes: {Garden.Plant.Leaf: {value: name}}", ImportExtensions()
    ).run()
    #expect(try value.store.lines("SELECT leaf FROM Note") == ["green"])
    let ignored = try SteeredConversion(
      [archive], mapping: "classes: {Garden.Plant.Leaf: {ignore: true}}", ImportExtensions()
    ).run()
    #expect(ignored.report.entities.filter { $0.rows > 0 }.map(\.name) == ["Note"])
  }

  struct LeafHook: ImportHook {
    static let archivedClassNames = ["Garden.Plant.Leaf"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert()
      row["name"] = "\(coder.plainClassName) by hook"
      coder.ignore("name")
      return row
    }
  }

  @Test("lead to hooks")
  func hooks() throws {
    let extensions = ImportExtensions(hooks: [LeafHook.self])
    #expect(
      try rows(archive((Self.leaf, [])), extensions) == ["Plant.Leaf Garden.Plant.Leaf by hook"])
  }

  // MARK: Translations

  @Test("of a module that was moved are one line")
  func translation() throws {
    let archive = archive(("OldModule.Note", []), ("NewModule.Note", []))
    let moved = try rows(
      archive, mapping: "classes: {OldModule.Note: {class: NewModule.Note}}")
    #expect(moved == ["Note OldModule.Note", "Note NewModule.Note"])
    #expect(
      try rows(
        archive,
        mapping: "classes: {OldModule.Note: {class: NewModule.Note}, NewModule.Note: Page}")
        == ["Page OldModule.Note", "Page NewModule.Note"])
    #expect(
      try rows(
        self.archive(("OldModule.Leaf", [])),
        mapping: "classes: {OldModule.Leaf: {class: Garden.Plant.Leaf}}",
        ImportExtensions(hooks: [LeafHook.self])) == ["Plant.Leaf OldModule.Leaf by hook"])
  }

  @Test("of a class that was renamed again lead to its last name")
  func translationChain() throws {
    let mapping = "classes: {OldNote: {class: MidNote}, MidNote: {class: Note}, Note: Page}"
    #expect(
      try rows(archive(("OldNote", []), ("MidNote", []), ("Note", [])), mapping: mapping)
        == ["Page OldNote", "Page MidNote", "Page Note"])
    #expect(try rows(archive(("OldNote", [])), mapping: mapping) == ["Page OldNote"])
    #expect(
      try rows(
        archive((Self.leaf, [])),
        mapping: "classes: {Garden.Plant.Leaf: {class: Mid}, Mid: {class: Note}}")
        == ["Note \(Self.leaf)"])
  }

  @Test("that lead back to themselves are told, once each")
  func translationLoop() throws {
    let mapping = "classes: {C: {class: A}, A: {class: B}, B: {class: A}, D: {class: D}}"
    let messages = try SteeredConversion(
      [archive(("A", []), ("C", []))], mapping: mapping, ImportExtensions()
    ).failure()
    #expect(
      messages == [
        "mapping.yaml:1:26: the renamings of the class 'A' form a cycle",
        "mapping.yaml:1:56: the renamings of the class 'D' form a cycle",
      ])
  }

  // MARK: Hints

  @Test("that an archive hints at count where nothing is said of the class itself")
  func hints() throws {
    let archive = archive(("Odd", ["Unheard", "Even", "Garden.Plant.Leaf"]))
    #expect(try rows(archive) == ["Odd Odd"])
    #expect(try rows(archive, mapping: "classes: {Even: Number}") == ["Number Odd"])
    #expect(try rows(archive, mapping: "classes: {Even: Number, Odd: Digit}") == ["Digit Odd"])
    #expect(try rows(archive, mapping: "entities: {Number: {from: Even}}") == ["Number Odd"])
    #expect(try rows(archive, mapping: "entities: {Even: {}}") == ["Even Odd"])
    #expect(
      try rows(archive, ImportExtensions(hooks: [LeafHook.self])) == ["Odd Odd by hook"])
    // The first hint of which something is said counts.
    #expect(
      try rows(
        archive, mapping: "classes: {Even: Number}", ImportExtensions(hooks: [LeafHook.self]))
        == ["Number Odd"])
  }

  @Test("that an archive hints at lead to the entities of a model")
  func hintsOfModel() throws {
    let (store, _) = try SteeredConversion(
      [archive(("Gadget", ["Tool", "Thing"]), ("Loop", ["Loop"]))], model: HookModel.document,
      ImportExtensions()
    ).run()
    #expect(try store.lines("SELECT name FROM Thing") == ["Gadget"])
  }
}
