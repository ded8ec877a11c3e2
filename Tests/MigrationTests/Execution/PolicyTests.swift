import Converter
import DataModel
import Foundation
import GraphTesting
import Mappings
import Migration
import Testing

@Suite("Policies")
struct PolicyTests {
  private typealias Mapping = MigrationEntityMapping

  private static let events = [
    Entity(
      name: "Event",
      attributes: [
        Attribute(name: "amount", type: .double), Attribute(name: "tags", type: .string),
        Attribute(name: "timeStamp", type: .date),
      ])
  ]

  private static func store(_ rows: String) throws -> MadeStore {
    try MadeStore(
      events, "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZTAGS, ZTIMESTAMP) VALUES \(rows);")
  }

  // MARK: Objects of other entities

  /// Makes one tag for each name, however many events have it.
  private final class TagPolicy: MigrationPolicy {
    private var tags: [String: DestinationInstance] = [:]

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      let event = try manager.context.insert(into: "Event")
      event["amount"] = try source.value(forKey: "amount")
      if case .text(let text) = try source.value(forKey: "tags") {
        let names = text.split { $0 == "," || $0 == "\n" }
          .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        event["tags"] = try names.map { try tag($0, manager) }
      }
      manager.associate(source: source, with: event, for: mapping)
    }

    private func tag(_ name: String, _ manager: MigrationManager) throws -> DestinationInstance {
      if let known = tags[name] { return known }
      let tag = try manager.context.insert(into: "Tag")
      tag["name"] = name
      tags[name] = tag
      return tag
    }
  }

  private static let tagged = [
    Entity(
      name: "Event", attributes: [Attribute(name: "amount", type: .double)],
      relationships: [
        Relationship(name: "tags", destinations: ["Tag"], isToMany: true, inverse: "events")
      ]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "events", destinations: ["Event"], isToMany: true, inverse: "tags")
      ]),
  ]

  @Test("A policy makes objects of another entity, each once, and links them")
  func tags() throws {
    let store = try Self.store(
      "(1, 1, 1, 1, 'a, b ,,a', 0), (2, 1, 1, 2, 'b,\n c', 0), (3, 1, 1, 3, NULL, 0), "
        + "(4, 1, 1, 4, ' , ', 0), (5, 1, 1, 5, 'A', 0)")
    let migrated = try store.migrated(
      to: Self.tagged, [Mapping("Event", "Event", policy: "Seed.TagPolicy")],
      policies: ["TagPolicy": TagPolicy.self])
    #expect(
      try StoreContent.lines(migrated) == [
        #"Event(amount=1.0) tags=[Tag(name="a"), Tag(name="b")]"#,
        #"Event(amount=2.0) tags=[Tag(name="b"), Tag(name="c")]"#,
        "Event(amount=3.0)", "Event(amount=4.0)", #"Event(amount=5.0) tags=[Tag(name="A")]"#,
        #"Tag(name="A") events=[Event(amount=5.0)]"#,
        #"Tag(name="a") events=[Event(amount=1.0)]"#,
        #"Tag(name="b") events=[Event(amount=1.0), Event(amount=2.0)]"#,
        #"Tag(name="c") events=[Event(amount=2.0)]"#,
      ])
    #expect(checkGraph(migrated) == [])
    #expect(migrated.summary.entityMappings.map(\.sourceObjects) == [5])
    #expect(migrated.summary.entityMappings.map(\.destinationObjects) == [5])
    #expect(migrated.summary.otherObjects == 4)
  }

  // MARK: Functions

  /// Answers functions, and counts how often it is asked.
  private final class FunctionPolicy: MigrationPolicy {
    private var count: Int64 = 0

    var functions: [String: PolicyFunction] {
      [
        "rounded:": { arguments, _ in
          guard case .real(let value) = arguments[0] else { return .null }
          return .integer(Int64(value.rounded()))
        },
        "next": { [unowned self] _, _ in
          count += 1
          return .integer(count)
        },
        "tagOf:shout:": { arguments, manager in
          let source = try manager.sourceInstances(in: arguments[0])
          guard case .text(let tag)? = try source.first?.value(forKey: "tags") else { return .null }
          return .text(arguments[1] == .bool(true) ? tag.uppercased() : tag)
        },
      ]
    }
  }

  private static let counted = [
    Entity(
      name: "Event",
      attributes: [
        Attribute(name: "amount", type: .double), Attribute(name: "number", type: .integer32),
        Attribute(name: "rounded", type: .integer16), Attribute(name: "tag", type: .string),
      ])
  ]

  @Test("Functions are called once for each object and property, and read as often as one likes")
  func functions() throws {
    let store = try Self.store("(1, 1, 1, 1.5, 'a', 0), (2, 1, 1, -2.4, 'b', 0)")
    let migrated = try store.migrated(
      to: Self.counted,
      [
        Mapping(
          "Event", "Event", policy: "FunctionPolicy",
          [
            "amount": "$source.amount", "number": "FUNCTION($entityPolicy, \"next\")",
            "rounded": "FUNCTION($entityPolicy, \"rounded:\", $source.amount)",
            "tag": "FUNCTION($entityPolicy, \"tagOf:shout:\", $source, TRUE)",
          ])
      ], policies: ["FunctionPolicy": FunctionPolicy.self])
    for _ in 0..<2 {
      #expect(
        try StoreContent.lines(migrated) == [
          #"Event(amount=-2.4 number=2 rounded=-2 tag="B")"#,
          #"Event(amount=1.5 number=1 rounded=2 tag="A")"#,
        ])
    }
    #expect(checkGraph(migrated) == [])
  }

  @Test("A policy that is not there is an error, with a block that can stand in for it")
  func missingPolicy() throws {
    let store = try Self.store("(1, 1, 1, 1.5, 'a', 0)")
    let error = #expect(throws: MigrationError.self) {
      try store.migrated(
        to: Self.counted,
        [
          Mapping(
            "Event", "Event", policy: "App.Unknown",
            [
              "rounded": "FUNCTION($entityPolicy, \"rounded:\", $source.amount)"
            ])
        ], policies: ["TagPolicy": TagPolicy.self])
    }
    #expect(
      error?.description == """
        entity mapping EventToEvent: a policy is missing: App.Unknown
        blocks in a mapping file (--mapping) can stand in for policies:
        policies:
          App.Unknown:
            attributes:
              amount:
              number:  # Event has none: set 'from' or 'value'
              rounded:  # Event has none: set 'from' or 'value'
              tag:  # Event has none: set 'from' or 'value'
        """)
  }

  @Test("A function that is not there is an error before anything runs")
  func missingFunction() throws {
    let store = try Self.store("(1, 1, 1, 1.5, 'a', 0)")
    #expect(
      throws: MigrationError(
        .missingFunction, entityMapping: "EventToEvent", property: "rounded", name: "other:")
    ) {
      try store.migrated(
        to: Self.counted,
        [
          Mapping(
            "Event", "Event", policy: "FunctionPolicy",
            [
              "rounded": "FUNCTION($entityPolicy, \"other:\", $source.amount)"
            ])
        ], policies: ["FunctionPolicy": FunctionPolicy.self])
    }
  }

  // MARK: Callbacks

  /// Writes down what is called.
  private final class RecordingPolicy: MigrationPolicy {
    private func note(_ words: String, _ manager: MigrationManager) {
      manager.userInfo["calls"] = (manager.userInfo["calls"] as? [String] ?? []) + [words]
    }

    func begin(_ mapping: MigrationMapping, manager: MigrationManager) {
      note("begin \(mapping.name)", manager)
    }

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      let made = try manager.createDestinationInstances(forSource: source, in: mapping)
      note("create \(made["amount"])", manager)
    }

    func endInstanceCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) { note("endInstances", manager) }

    func createRelationships(
      forDestination destination: DestinationInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      let sources = try manager.sourceInstances(
        forMapping: mapping.name, destinations: [destination])
      let back = manager.destinationInstances(forMapping: mapping.name, sources: sources)
      note("relate \(back == [destination])", manager)
    }

    func endRelationshipCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) { note("endRelationships", manager) }

    func performCustomValidation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) { note("validate", manager) }

    func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      note("end", manager)
      guard mapping.name == "Last" else { return }
      throw Calls(list: manager.userInfo["calls"] as? [String] ?? [])
    }
  }

  private struct Calls: Error, CustomStringConvertible {
    var list: [String]
    var description: String { list.joined(separator: ", ") }
  }

  @Test("The callbacks come in three stages; an error of one ends the migration")
  func callbacks() throws {
    let store = try Self.store("(1, 1, 1, 1.5, 'a', 0), (2, 1, 1, NULL, 'a', 0)")
    let mappings = ["First", "Last"].map {
      Mapping(
        "Event", "Event", name: $0, where: $0 == "Last" ? "amount == nil" : "TRUEPREDICATE",
        policy: "RecordingPolicy", ["amount": "$source.amount"])
    }
    let error = #expect(throws: MigrationError.self) {
      try store.migrated(
        to: Self.counted, mappings, policies: ["RecordingPolicy": RecordingPolicy.self])
    }
    #expect(
      error?.description
        == "RecordingPolicy.end, mapping 'Last': begin First, "
        + "create real(1.5), create null, endInstances, begin Last, create null, endInstances, "
        + "relate true, relate true, endRelationships, relate true, endRelationships, validate, "
        + "validate, end, end")
  }

  /// Keeps events of more than one, and merges all of the same tag.
  private final class MergingPolicy: MigrationPolicy {
    private var merged: [ImportValue: DestinationInstance] = [:]

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      guard case .real(let amount) = try source.value(forKey: "amount"), amount > 1 else { return }
      let tag = try source.value(forKey: "tags")
      let event = try merged[tag] ?? manager.context.insert(into: "Event")
      merged[tag] = event
      event["amount"] = amount + (event["amount"] ?? 0)
      event["tag"] = tag
      manager.associate(source: source, with: event, for: mapping)
    }

    func endInstanceCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      if let unnamed = merged[.null] { manager.context.delete(unnamed) }
    }
  }

  @Test("A policy drops objects, merges several into one, and deletes what it made")
  func merging() throws {
    let store = try Self.store(
      "(1, 1, 1, 2, 'a', 0), (2, 1, 1, 1, 'a', 0), (3, 1, 1, 3, 'b', 0), (4, 1, 1, 4, 'a', 0), "
        + "(5, 1, 1, 9, NULL, 0)")
    let migrated = try store.migrated(
      to: Self.counted, [Mapping("Event", "Event", policy: "MergingPolicy")],
      policies: ["MergingPolicy": MergingPolicy.self])
    #expect(
      try StoreContent.lines(migrated) == [
        #"Event(amount=3.0 tag="b")"#, #"Event(amount=6.0 tag="a")"#,
      ])
    #expect(checkGraph(migrated) == [])
    #expect(migrated.summary.entityMappings.map(\.sourceObjects) == [5])
    #expect(migrated.summary.entityMappings.map(\.destinationObjects) == [2])
    #expect(migrated.summary.entityMappings.map(\.droppedObjects) == [1])
  }

  /// Does what cannot be done.
  private final class WrongPolicy: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      guard case .text(let fault) = try source.value(forKey: "tags") else { return }
      let event = try manager.context.insert(into: "Event")
      switch fault {
      case "type": event["amount"] = "x"
      case "key": event["numbr"] = "x"
      case "readKey": _ = event["colour"]
      case "clearKey": event.clear("colour")
      case "add": event.add([event], to: "tag")
      case "sourceKey": _ = try source.value(forKey: "amounts")
      case "sourcePath": _ = try source.value(forKeyPath: "colour.name")
      case "entity": try manager.context.insert(into: "Evnt")
      case "fetch": _ = try manager.context.fetch("Colour")
      case "identity": try manager.context.findOrInsert(into: "Event", identity: ["name": "x"])
      case "identityType":
        try manager.context.findOrInsert(into: "Event", identity: ["number": "x"])
      case "deleted":
        manager.context.delete(event)
        event["tag"] = "x"
      case "cancelled":
        manager.cancel(ImportError(.cancelled, name: "too late"))
        manager.cancel(ImportError(.cancelled, name: "not heard"))
      case "content": throw Content(text: "secret")
      default: break
      }
    }
  }

  private struct Content: Error { var text: String }

  private static let wrongPlace =
    "WrongPolicy.createDestinationInstances, mapping 'EventToEvent': "

  @Test(
    "What a policy cannot do is an error",
    arguments: [
      ("type", "entity mapping EventToEvent.amount: unsuitable value: amount cannot hold a text"),
      ("key", wrongPlace + "unknown property 'Event.numbr' (did you mean 'number'?)"),
      ("readKey", wrongPlace + "unknown property 'Event.colour'"),
      ("clearKey", wrongPlace + "unknown property 'Event.colour'"),
      ("add", "entity mapping EventToEvent.tag: unsuitable value: tag is not a relationship"),
      ("sourceKey", wrongPlace + "unknown property 'Event.amounts' (did you mean 'amount'?)"),
      ("sourcePath", wrongPlace + "unknown property 'Event.colour'"),
      ("entity", wrongPlace + "unknown entity 'Evnt' (did you mean 'Event'?)"),
      ("fetch", wrongPlace + "unknown entity 'Colour'"),
      ("identity", wrongPlace + "unknown property 'Event.name'"),
      (
        "identityType",
        "entity mapping EventToEvent.number: unsuitable value: number cannot hold a text"
      ),
      ("deleted", "entity mapping EventToEvent: the destination object Event 1 has been deleted"),
      ("cancelled", wrongPlace + "cancelled: too late"), ("content", wrongPlace + "Content"),
    ])
  func wrong(fault: String, words: String) throws {
    let store = try Self.store("(1, 1, 1, 2, '\(fault)', 0)")
    let error = #expect(throws: MigrationError.self) {
      try store.migrated(
        to: Self.counted, [Mapping("Event", "Event", policy: "WrongPolicy")],
        policies: ["WrongPolicy": WrongPolicy.self])
    }
    #expect(error?.description == words)
    #expect(error?.entityMapping == "EventToEvent")
  }
}
