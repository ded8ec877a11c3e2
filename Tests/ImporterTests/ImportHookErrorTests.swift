import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Hooks that fail")
struct ImportHookErrorTests {
  private func archive(_ name: String) -> KeyedArchiveBuilder {
    .of("Thing") { ["name": $0.string(name)] }
  }

  /// Refuses things in various ways, which their names say.
  struct StrictHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    struct Complaint: Error, CustomStringConvertible {
      var description: String
    }

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let thing = try coder.insert(into: "Thing")
      switch try coder.decodeString(forKey: "name") ?? "" {
      case "refuse": throw ImportError(.refused, name: "things must have a size")
      case "complain": throw Complaint(description: "things must be light")
      case "number": _ = try coder.decodeInteger(forKey: "name")
      case "entity": try coder.insert(into: "Lable")
      case "abstract": try coder.insert(into: "Shape")
      case "property": thing["nmae"] = "x"
      case "get": _ = thing["pirce"].isNull
      case "fetch": _ = try coder.context.fetch("Thing", where: ["sise": 1])
      case "identity":
        try coder.context.findOrInsert(into: "Label", identity: ["title": "x"])
      case "kind": thing["made"] = "yesterday"
      case "value": thing["labels"] = "x"
      case "row": thing["box"] = thing
      case "add": thing.add([thing], to: "box")
      case "adding": thing.add([], to: "lables")
      case "second":
        try coder.insert(into: "Thing")["name"] = "b"
        return try coder.insert(into: "Thing")
      case "other": return try coder.insert(into: "Label")
      default: break
      }
      return thing
    }
  }

  @Test(
    "end the run, with the hook, what is wrong in its own words, and the nearest name",
    arguments: [
      ("refuse", "Thing: the hook failed (StrictHook: things must have a size)"),
      ("complain", "Thing: the hook failed (StrictHook: things must be light)"),
      (
        "number",
        "Thing: the hook failed (StrictHook: 'name' holds text, but a number was requested)"
      ),
      (
        "entity",
        "Thing: the hook failed "
          + "(StrictHook: unknown entity 'Lable' (did you mean 'Label'?))"
      ),
      ("abstract", "Thing: the hook failed (StrictHook: the entity 'Shape' is abstract)"),
      ("property", "Thing.nmae: the model has no such name (did you mean 'name'?)"),
      ("get", "Thing.pirce: the model has no such name (did you mean 'price'?)"),
      (
        "fetch",
        "Thing: the hook failed (StrictHook: unknown property 'Thing.sise' (did you mean 'size'?))"
      ),
      ("identity", "Thing: the hook failed (StrictHook: unknown property 'Label.title')"),
      ("kind", "Thing.made: cannot hold this text (its type is date)"),
      ("value", "Thing.labels: cannot hold this text (it refers to rows of Label)"),
      ("row", "Thing.box: cannot refer to a row of this entity (Thing)"),
      ("add", "Thing.box: rows cannot be added: not a to-many relationship"),
      (
        "adding",
        "Thing.lables: the model has no such name (did you mean 'labels'?)"
      ),
      (
        "second",
        "Thing: the hook failed "
          + "(the first inserted row is not the one returned)"
      ),
      (
        "other",
        "Thing: the hook failed (references to the object are to rows of this entity, "
          + "but it created one of 'Label': set entityName)"
      ),
    ])
  func errors(name: String, words: String) throws {
    let messages = try HookModel.conversion(archive(name), hooks: StrictHook.self).failure()
    #expect(messages == ["a0.plist: object 2 (Thing): \(words)"])
  }

  @Test("reject their archive only, if errors are to be skipped")
  func skip() throws {
    var conversion = try HookModel.conversion(
      archive("a"), archive("refuse"), archive("kind"), archive("b"), hooks: StrictHook.self)
    conversion.options.errorPolicy = .skip
    let (store, report) = try conversion.run()
    #expect(report.archives.map(\.outcome) == [.converted, .rejected, .rejected, .converted])
    #expect(
      report.archives.compactMap(\.error) == [
        "object 2 (Thing): Thing: the hook failed (StrictHook: things must have a size)",
        "object 2 (Thing): Thing.made: cannot hold this text (its type is date)",
      ])
    #expect(try store.lines("SELECT id FROM Thing") == ["1", "2"])
    #expect(try store.value("SELECT count(*) FROM _archive") == "2")
  }

  /// Makes rows of an entity that is not that of its class, and does not say so.
  struct StrayHook: ImportHook {
    static let archivedClassNames = ["Parcel"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      try coder.insert(into: "Box")
    }
  }

  /// The same with the entity's name.
  struct ParcelHook: ImportHook {
    static let archivedClassNames = ["Parcel"]
    static let entityName: String? = "Box"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      try coder.insert(into: "Box")
    }
  }

  struct WrongEntityHook: ImportHook {
    static let archivedClassNames = ["Parcel"]
    static let entityName: String? = "Boxx"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? { nil }
  }

  @Test("since the entity of their class is not known")
  func noEntity() throws {
    let parcel = KeyedArchiveBuilder.of("Parcel") { _ in [:] }
    #expect(
      try HookModel.conversion(parcel, hooks: StrayHook.self).failure() == [
        "a0.plist: object 1 (Parcel): the hook failed (it created a row, but references to the "
          + "object lead nowhere: set entityName)"
      ])
    let (store, _) = try HookModel.conversion(parcel, hooks: ParcelHook.self).run()
    #expect(try store.lines("SELECT entity, row FROM _top") == ["Box|1"])
    let messages = try HookModel.conversion(parcel, hooks: WrongEntityHook.self).failure()
    #expect(messages.count == 1)
    #expect(messages[0].contains("'Boxx'") && messages[0].contains("'Box'"))
  }
}
