import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("An identity in a hierarchy")
struct HierarchyIdentityTests {
  private typealias Records = [(className: String, values: KeyValuePairs<String, String>)]

  private static let mapping = """
    entities:
      Pet: {identity: name}
      Cat: {parent: Pet}
      Dog: {parent: Pet}
    """

  /// Converts archives in one run, or in one for each of them, which adds to the store.
  private static func rows(
    _ archives: [Records], _ mapping: String = mapping, appending: Bool,
    hooks: [any ImportHook.Type] = []
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(mapping, to: "m.yaml")
    let inputs = try archives.enumerated().map { number, records in
      try folder.write(
        InheritedMappingTests.records(records).binary(), to: "a\(number).plist")
    }
    var options = ConversionOptions()
    options.mappingPath = folder.file(named: "m.yaml")
    options.extensions = ImportExtensions(hooks: hooks)
    options.existingStore = .append
    options.verifies = !appending && hooks.isEmpty
    for inputs in appending ? inputs.map({ [$0] }) : [inputs] {
      var conversion = Conversion(
        inputs: inputs, destination: folder.file(named: "out.sqlite"), options: options)
      let report = try conversion.run()
      #expect(report.verification?.isPassed ?? true)
    }
    let store = try StoreQuery(folder.file(named: "out.sqlite"))
    #expect(try store.flaws() == [])
    return try store.lines("SELECT _entity, name, age, claws FROM Pet ORDER BY name")
  }

  @Test(
    "is shared by the rows of an entity and its subentities, in one run and over several",
    arguments: [true, false])
  func shared(appending: Bool) throws {
    // Without objects of the parent, a key would be one of each subentity, with a column for each.
    let parent = ("Pet", ["name": "p", "age": "1"] as KeyValuePairs)
    let rows = try Self.rows(
      [
        [("Cat", ["name": "a", "claws": "5"]), parent],
        [("Cat", ["name": "a", "age": "3"]), ("Dog", ["name": "d", "age": "2"]), parent],
        [("Dog", ["name": "d"]), ("Cat", ["name": "e", "claws": "4", "age": "9"]), parent],
      ], appending: appending)
    #expect(rows == ["Cat|a|3|5", "Dog|d|2|NULL", "Cat|e|9|4", "Pet|p|1|NULL"])
  }

  @Test(
    "lets a row be of the narrower of two entities, whichever comes first",
    arguments: [true, false], [true, false])
  func narrowed(appending: Bool, parentFirst: Bool) throws {
    let parent: Records = [("Pet", ["name": "a", "age": "1"])]
    let child: Records = [("Cat", ["name": "a", "claws": "5"])]
    let rows = try Self.rows(
      parentFirst ? [parent, child, parent] : [child, parent, child], appending: appending)
    #expect(rows == ["Cat|a|1|5"])
  }

  @Test(
    "cannot make one row of objects of two entities of which neither inherits from the other",
    arguments: [true, false])
  func siblings(appending: Bool) throws {
    #expect {
      _ = try Self.rows(
        [[("Cat", ["name": "a", "claws": "1"])], [("Dog", ["name": "a", "age": "1"])]],
        appending: appending)
    } throws: { error in
      "\(error)".hasSuffix("Dog.name: is not unique (a row of 'Cat' has it)")
    }
  }

  @Test("that subentities have by themselves is each one's own", arguments: [true, false])
  func ownIdentities(appending: Bool) throws {
    let rows = try Self.rows(
      [
        [("Cat", ["name": "a", "claws": "1"]), ("Dog", ["name": "a", "age": "1"])],
        [("Cat", ["name": "a", "claws": "1"]), ("Dog", ["name": "a", "age": "1"])],
      ],
      """
      entities:
        Pet: {abstract: true, attributes: {name: {type: string}, age: {type: string}}}
        Cat: {parent: Pet, identity: name}
        Dog: {parent: Pet, identity: name}
      """, appending: appending)
    #expect(rows.sorted() == ["Cat|a|NULL|1", "Dog|a|1|NULL"])
  }

  // MARK: Hooks

  /// Inserts first and says later what the row is called.
  private class Pet: ImportedObject {
    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      if let age = try coder.decodeString(forKey: "age") { self["age"] = age }
      self["name"] = try coder.decodeString(forKey: "name")
    }
  }

  private final class Cat: Pet {
    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      if let claws = try coder.decodeString(forKey: "claws") { self["claws"] = claws }
    }
  }

  /// Looks for the row itself.
  private struct Dog: ImportHook {
    static let archivedClassNames = ["Dog"]
    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let name = try coder.decodeString(forKey: "name") ?? ""
      let dog = try coder.context.findOrInsert(into: "Dog", identity: ["name": .text(name)])
      if let age = try coder.decodeString(forKey: "age") { dog["age"] = age }
      return dog
    }
  }

  @Test("holds for rows of hooks, which mappings find as well", arguments: [true, false])
  func hooks(appending: Bool) throws {
    let archives: [Records] = [
      [("Cat", ["name": "a", "claws": "5"]), ("Pet", ["name": "p", "age": "1"])],
      [
        ("Cat", ["name": "a", "age": "3"]), ("Dog", ["name": "d", "age": "2"]),
        ("Pet", ["name": "p", "age": "1"]),
      ],
      [("Pet", ["name": "a"]), ("Dog", ["name": "d"]), ("Cat", ["name": "p", "claws": "2"])],
    ]
    for hooks in [[Pet.self, Cat.self, Dog.self], [Cat.self], [Dog.self, Pet.self]]
      as [[any ImportHook.Type]]
    {
      let rows = try Self.rows(archives, appending: appending, hooks: hooks)
      #expect(rows == ["Cat|a|3|5", "Dog|d|2|NULL", "Cat|p|1|2"], "\(hooks)")
    }
  }
}
