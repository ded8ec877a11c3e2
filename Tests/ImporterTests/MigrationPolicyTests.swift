import ArchiveWriter
import Importer
import Synchronization
import TestSupport
import Testing

@Suite("Migration policies")
struct MigrationPolicyTests {
  private func conversion(
    _ archives: KeyedArchiveBuilder..., mapping: String, _ policy: any MigrationPolicy.Type
  ) throws -> SteeredConversion {
    try SteeredConversion(
      archives, model: HookModel.document, mapping: mapping,
      ImportExtensions(policies: ["Policy": policy]))
  }

  private static let mapping = """
    entities:
      Box: {policy: Policy}
      Thing: {policy: Policy, unread: [labels]}
    """

  // MARK: Callbacks

  /// Writes down how it is called.
  final class Recorder: MigrationPolicy {
    static let calls = Mutex<[String]>([])

    private func note(_ call: String, _ mapping: MigrationMapping) {
      Self.calls.withLock { $0.append("\(mapping.name) \(call)") }
    }

    func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      let names = mapping.sourceClassNames + [try mapping.destinationEntityName]
      note("begin \(names) \(mapping.passName ?? "first")", mapping)
    }

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let path = source.archivePath.split(separator: "/").last ?? ""
      note("create \(path) \(source.className) \(try source.value(forKey: "name"))", mapping)
      try manager.createDestinationInstances(forSource: source, in: mapping)
    }

    func endInstanceCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      note("endInstances", mapping)
    }

    func createRelationships(
      forDestination destination: DestinationInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      note("relate \(destination["name"])", mapping)
      try manager.createRelationships(forDestination: destination, in: mapping)
    }

    func endRelationshipCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      note("endRelationships", mapping)
    }

    func performCustomValidation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      note("validate", mapping)
    }

    func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      note("end", mapping)
    }
  }

  @Test("are called seven times in three stages, over all archives")
  func callbacks() throws {
    let (store, _) = try conversion(
      BoxArchive.box("A", things: "a", "b"), BoxArchive.box("C", things: "c"),
      mapping: Self.mapping, Recorder.self
    ).run(isRepeated: false)
    #expect(
      Recorder.calls.withLock(\.self).map {
        $0.replacing("DataModel.ImportValue.", with: "").replacing("text(", with: "")
          .replacing(#"")"#, with: #"""#)
      } == [
        #"BoxToBox begin ["Box", "Box"] first"#,
        #"BoxToBox create a0.plist Box "A""#,
        #"BoxToBox create a1.plist Box "C""#,
        "BoxToBox endInstances",
        #"ThingToThing begin ["Thing", "Thing"] first"#,
        #"ThingToThing create a0.plist Thing "a""#,
        #"ThingToThing create a0.plist Thing "b""#,
        #"ThingToThing create a1.plist Thing "c""#,
        "ThingToThing endInstances",
        #"BoxToBox relate "A""#,
        #"BoxToBox relate "C""#,
        "BoxToBox endRelationships",
        #"ThingToThing relate "a""#,
        #"ThingToThing relate "b""#,
        #"ThingToThing relate "c""#,
        "ThingToThing endRelationships",
        "BoxToBox validate", "ThingToThing validate", "BoxToBox end", "ThingToThing end",
      ])
    #expect(
      try store.lines("SELECT name, box_id, things_position FROM Thing ORDER BY name")
        == ["a|1|0", "b|1|1", "c|2|0"])
  }

  /// Leaves everything to the mapping.
  final class Idle: MigrationPolicy {}

  @Test("do what the mapping says, where they are silent")
  func defaults() throws {
    let archives = (BoxArchive.box("A", things: "a", "b"), BoxArchive.box("C", things: "c"))
    let plain = Self.mapping.replacing("policy: Policy", with: "complete: false")
    let (expected, _) = try conversion(
      archives.0, archives.1, mapping: plain, Idle.self
    ).run()
    let (store, report) = try conversion(
      archives.0, archives.1, mapping: Self.mapping, Idle.self
    ).run()
    for table in ["Box", "Thing", "_top", "_rows ORDER BY archive_id, entity"] {
      #expect(
        try store.lines("SELECT * FROM \(table)") == expected.lines("SELECT * FROM \(table)"))
    }
    #expect(report.unread == [])
    #expect(report.ignored == ["Thing.labels 3"])
  }

  // MARK: Errors

  /// Fails in the callback that the mapping is named after.
  final class Failing: MigrationPolicy {
    private func fail(_ name: String, _ mapping: MigrationMapping) throws {
      if mapping.name == name { throw ImportError(.refused, name: "no \(name)") }
    }

    func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      try fail("begin", mapping)
      if mapping.name == "cancel" {
        manager.cancel(ImportError(.cancelled, name: "too late"))
        manager.cancel(ImportError(.cancelled, name: "not heard"))
      }
    }

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      try fail("create", mapping)
      if mapping.name == "forget" {
        try manager.context.insert(into: mapping.destinationEntityName)
      } else {
        try manager.createDestinationInstances(forSource: source, in: mapping)
      }
    }

    func endInstanceCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      try fail("endInstances", mapping)
    }

    func createRelationships(
      forDestination destination: DestinationInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      try fail("relate", mapping)
    }

    func endRelationshipCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      try fail("endRelationships", mapping)
    }

    func performCustomValidation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      try fail("validate", mapping)
    }

    func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      try fail("end", mapping)
    }
  }

  private static func failingMapping(_ name: String) -> String {
    """
    entities:
      Box: {name: \(name), policy: Policy, complete: true, attributes: {name: name}}
    """
  }

  @Test(
    "end the run with an error from any callback, and leave the destination untouched",
    arguments: [
      "begin", "create", "endInstances", "relate", "endRelationships", "validate", "end",
    ])
  func failures(callback: String) throws {
    let messages = try conversion(
      BoxArchive.box("A"), mapping: Self.failingMapping(callback), Failing.self
    ).failure()
    #expect(messages.count == 1)
    #expect(messages[0].contains("no \(callback)"), "\(messages)")
  }

  @Test("can cancel the run; the first reason counts")
  func cancel() throws {
    let messages = try conversion(
      BoxArchive.box("A"), mapping: Self.failingMapping("cancel"), Failing.self
    ).failure()
    #expect(
      messages == [
        "a hook or policy stopped the run: Failing.begin, mapping 'cancel': cancelled: too late"
      ])
  }

  @Test("must not forget to associate the rows that they make")
  func forgetful() throws {
    let messages = try conversion(
      BoxArchive.box("A"), mapping: Self.failingMapping("forget"), Failing.self
    ).failure()
    #expect(messages.count == 1)
    #expect(
      messages[0].hasSuffix("the policy created rows without associating them with the object"))
  }

  @Test("that are not there are an error, with the nearest name")
  func unknownPolicy() throws {
    let messages = try conversion(
      BoxArchive.box("A"), mapping: "entities: {Box: {policy: Polyci}}", Idle.self
    ).failure()
    #expect(messages.count == 1)
    #expect(messages[0].contains("Polyci") && messages[0].contains("Policy"))
  }
}
