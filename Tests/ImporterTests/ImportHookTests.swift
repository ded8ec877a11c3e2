import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Hooks as functions")
struct ImportHookTests {
  // MARK: Relationships

  struct BoxHook: ImportHook {
    static let archivedClassNames = ["Box"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let box = try coder.insert()
      box["name"] = try coder.decodeString(forKey: "name")
      box["things"] = try coder.decodeObject(forKey: "things")
      return box
    }
  }

  struct ThingHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let thing = try coder.insert(into: "Thing")
      thing["name"] = try coder.decodeString(forKey: "name")
      return thing
    }
  }

  /// Sets the other side as well.
  struct BackwardThingHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let thing = try ThingHook.insert(from: coder)
      thing?["box"] = try coder.decodeObject(forKey: "box")
      return thing
    }
  }

  private let things = ["1|a|1|0", "2|b|1|1", "3|c|1|2"]
  private let thingRows = "SELECT id, name, box_id, things_position FROM Thing"

  @Test("decode each object once, keep the order, and fill the inverse")
  func oneSide() throws {
    let (store, report) = try HookModel.conversion(
      BoxArchive.box(things: "a", "b", "c"), hooks: BoxHook.self, ThingHook.self
    ).run()
    #expect(try store.lines("SELECT id, name FROM Box") == ["1|box"])
    #expect(try store.lines(thingRows) == things)
    #expect(report.relationshipsSetFromBothSides == [])
    #expect(report.unread == ["Thing.box 3", "Thing.labels 3"])
  }

  @Test("may set both sides: the rows are the same, and the report says so once")
  func bothSides() throws {
    let (store, report) = try HookModel.conversion(
      BoxArchive.box(things: "a", "b", "c"), hooks: BoxHook.self, BackwardThingHook.self
    ).run()
    #expect(try store.lines(thingRows) == things)
    #expect(report.relationshipsSetFromBothSides == ["Thing.box"])
    #expect(report.conflictCount == 0)
    #expect(report.unread == ["Thing.labels 3"])
  }

  /// Says something of rows before their objects have become them.
  struct EagerBoxHook: ImportHook {
    static let archivedClassNames = ["Box"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let box = try coder.insert()
      for (number, thing) in try coder.decodeRows(forKey: "things").enumerated() {
        thing["size"] = number
        box.add([thing], to: "things")
      }
      return box
    }
  }

  @Test("may set values of rows that are yet to be made")
  func rowsToCome() throws {
    let (store, _) = try HookModel.conversion(
      BoxArchive.box(things: "a", "b"), hooks: EagerBoxHook.self, ThingHook.self
    ).run()
    #expect(
      try store.lines("SELECT name, size, box_id, things_position FROM Thing")
        == ["a|0|1|0", "b|1|1|1"])
  }

  /// Adds things in another order than that of the archive, and one that it makes.
  struct AddingBoxHook: ImportHook {
    static let archivedClassNames = ["Box"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let box = try coder.insert()
      let things = try coder.decodeRows(forKey: "things")
      box["things"] = Array(things.prefix(1))
      box.add(things.suffix(1), to: "things")
      let own = try coder.insert(into: "Thing")
      own["name"] = "own"
      box.add([own], to: "things")
      box.add(things.dropFirst().dropLast(), to: "things")
      return box
    }
  }

  @Test("add rows behind those that a relationship holds")
  func add() throws {
    let (store, _) = try HookModel.conversion(
      BoxArchive.box(things: "a", "b", "c"), BoxArchive.box(things: "d"),
      hooks: AddingBoxHook.self, ThingHook.self
    ).run()
    #expect(
      try store.lines(
        "SELECT box_id, things_position, name FROM Thing WHERE box_id = 1 ORDER BY things_position")
        == ["1|0|a", "1|1|c", "1|2|own", "1|3|b"])
  }

  // MARK: Several rows, or none

  /// Drops things without a name, and makes a label of each part of the others' names.
  struct PartsHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      guard let name = try coder.decodeString(forKey: "name"), !name.isEmpty else { return nil }
      let thing = try coder.insert(into: "Thing")
      thing["labels"] = try name.split(separator: " ").map { part in
        let label = try coder.insert(into: "Label")
        label["name"] = String(part)
        return label
      }
      return thing
    }
  }

  @Test("make one row of an object, or several, or none")
  func severalRows() throws {
    let (store, report) = try HookModel.conversion(
      BoxArchive.box(things: "a b", "", "c"), hooks: BoxHook.self, PartsHook.self
    ).run()
    #expect(try store.lines("SELECT id, name FROM Label") == ["1|a", "2|b", "3|c"])
    #expect(
      try store.lines("SELECT count(*), count(box_id), max(things_position) FROM Thing")
        == ["2|2|1"])
    #expect(
      try store.lines(
        "SELECT name FROM Label_things JOIN Label ON Label.id = Label_id ORDER BY Thing_id, 1")
        == ["a", "b", "c"])
    #expect(report.filteredObjects.map { "\($0.className) \($0.count)" } == ["Thing 1"])
  }

  /// Makes one row of all things of a name.
  struct UniqueThingHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let name = try coder.decodeObject(forKey: "name")
      let thing = try coder.context.findOrInsert(into: "Thing", identity: ["name": name])
      if thing.wasFound { return thing }
      thing["size"] = 1
      return thing
    }
  }

  @Test("may return a row that is there already: references to the object lead to it")
  func uniquing() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let things = ["a", "b", "a"].map { archive.instance(of: "Thing", ["name": .string($0)]) }
      let boxes = things.map { archive.instance(of: "Box", ["things": archive.array([$0])]) }
      return archive.array(boxes)
    }
    // The same once more, with other bytes: of files with the same bytes, one is converted.
    var other = archive
    _ = other.string("of nobody")
    let (store, report) = try HookModel.conversion(
      archive, other, hooks: BoxHook.self, UniqueThingHook.self
    ).run()
    #expect(try store.lines("SELECT name, size FROM Thing ORDER BY name") == ["a|1", "b|1"])
    #expect(try store.value("SELECT count(*) FROM Box") == "6")
    // A thing is in one box only: the last that claims it.
    #expect(
      try store.lines("SELECT name, box_id FROM Thing ORDER BY name") == ["a|6", "b|5"])
    #expect(report.conflictCount > 0)
  }

  /// Counts how often each letter stands in the name of a box.
  struct CountingHook: ImportHook {
    static let archivedClassNames = ["Box"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let box = try coder.insert(into: "Box")
      for letter in try coder.decodeString(forKey: "name") ?? "" {
        let label = try coder.context.findOrInsert(
          into: "Label", identity: ["name": .text(String(letter))])
        label["uses"] = (label["uses"] ?? 0) + 1
        #expect(coder.context.instance(for: label.reference)["uses"] == label["uses"] as Int?)
      }
      return box
    }
  }

  @Test("see what they have said of a row, however often they find it")
  func foundAgain() throws {
    let (store, _) = try HookModel.conversion(
      BoxArchive.box("abcdefghijklmnopabca"), BoxArchive.box("za"), hooks: CountingHook.self
    ).run()
    #expect(
      try store.lines("SELECT name, uses FROM Label WHERE uses > 1 ORDER BY name")
        == ["a|4", "b|2", "c|2"])
    #expect(try store.value("SELECT count(*) FROM Label") == "17")
  }

  @Test("of which a later one takes the place of an earlier one for a class")
  func laterHook() throws {
    let (store, _) = try HookModel.conversion(
      BoxArchive.box(things: "a b"), hooks: ThingHook.self, BoxHook.self, PartsHook.self
    ).run()
    #expect(try store.value("SELECT count(*) FROM Label") == "2")
  }
}
