import ArchiveWriter
import Converter
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A migration manager")
struct MigrationManagerTests {
  private func conversion(
    _ archives: KeyedArchiveBuilder..., mapping: String,
    _ policies: [String: any MigrationPolicy.Type]
  ) throws -> SteeredConversion {
    try SteeredConversion(
      archives, model: HookModel.document, mapping: mapping, ImportExtensions(policies: policies))
  }

  // MARK: Associations

  /// Makes a row of the mapping's entity and a label of each thing.
  final class TwoRows: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let thing = try manager.createDestinationInstances(forSource: source, in: mapping)
      let label = try manager.context.insert(into: "Label")
      label["name"] = "label of " + (thing["name"] ?? "?")
      manager.associate(source: source, with: label, for: mapping)
    }

    func createRelationships(
      forDestination destination: DestinationInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      guard destination.entityName == "Thing" else { return }
      let sources = try manager.sourceInstances(
        forMapping: mapping.name, destinations: [destination])
      let rows = manager.destinationInstances(forMapping: mapping.name, sources: sources)
      destination["labels"] = rows.filter { $0.entityName == "Label" }
      destination["size"] = sources.count
    }
  }

  /// Finds the rows that another mapping made.
  final class Finder: MigrationPolicy {
    func createRelationships(
      forDestination destination: DestinationInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      let boxes = try manager.sourceInstances(
        forMapping: mapping.name, destinations: [destination])
      let things = try boxes.flatMap { try $0.objects(forKey: "things") }
      let rows = manager.destinationInstances(forMapping: "Things", sources: things.reversed())
      destination.add(rows.filter { $0.entityName == "Thing" }, to: "things")
      let names = try boxes.map { try $0.value(forKeyPath: "things.name") }
      destination["uniqueId"] = "\(names)".replacing("DataModel.ImportValue.", with: "")
    }
  }

  private static let associating = """
    entities:
      Box:
        policy: Finder
        complete: true
        attributes: {name: name}
      Thing:
        name: Things
        policy: TwoRows
        complete: true
        attributes: {name: name}
        unread: [box, labels]
    """

  @Test("finds rows by their source instances, and these by their rows")
  func associations() throws {
    let (store, report) = try conversion(
      BoxArchive.box("A", things: "a", "b"), BoxArchive.box("C", things: "c"),
      mapping: Self.associating, ["TwoRows": TwoRows.self, "Finder": Finder.self]
    ).run()
    let things = try store.lines(
      "SELECT name, size, box_id, things_position FROM Thing ORDER BY name")
    #expect(things == ["a|1|1|1", "b|1|1|0", "c|1|2|0"])
    #expect(
      try store.lines(
        """
        SELECT Thing.name, Label.name FROM Label_things
          JOIN Label ON Label.id = Label_id JOIN Thing ON Thing.id = Thing_id ORDER BY 1
        """) == ["a|label of a", "b|label of b", "c|label of c"])
    #expect(
      try store.lines("SELECT uniqueId FROM Box")
        == [#"[list([text("a"), text("b")])]"#, #"[list([text("c")])]"#])
    // What policies read is not unread.
    #expect(report.unread == [])
  }

  // MARK: Sharing

  /// Counts things, in all passes.
  final class Counter: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let count = manager.userInfo["count"] as? Int ?? 0
      manager.userInfo["count"] = count + 1
      let thing = try manager.createDestinationInstances(forSource: source, in: mapping)
      thing["size"] = count
      if count == 0 { manager.userInfo["first"] = thing }
    }

    func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {}

    func performCustomValidation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      // A row that was kept can still be changed.
      let first = manager.userInfo["first"] as? DestinationInstance
      first?["name"] = "\(mapping.passName ?? "first") of \(manager.userInfo["count"] ?? 0)"
    }
  }

  @Test("keeps what policies share, from pass to pass")
  func userInfo() throws {
    let pass = "Thing: {policy: Counter, complete: true, attributes: {name: name}}"
    let mapping = """
      entities:
        \(pass)
      passes:
        - name: Again
          entities:
            Thing: {name: Once more, policy: Counter, complete: true, attributes: {name: name}}
      """
    let (store, _) = try conversion(
      BoxArchive.box("A", things: "a", "b"), BoxArchive.box("C", things: "c"), mapping: mapping,
      ["Counter": Counter.self]
    ).run()
    #expect(
      try store.lines("SELECT size, name FROM Thing ORDER BY size")
        == ["0|Again of 6", "1|b", "2|c", "3|a", "4|b", "5|c"])
  }

  // MARK: Progress

  final class Idle: MigrationPolicy {}

  @Test("tells of its progress, from 0 to 1")
  func progress() throws {
    let reported = SharedNumbers()
    var conversion = try conversion(
      BoxArchive.box("A", things: "a", "b"), BoxArchive.box("C", things: "c"),
      mapping: """
        entities:
          Box: {policy: Idle}
          Thing: {policy: Idle}
        passes:
          - name: Again
            entities:
              Thing: {name: Again, policy: Idle}
        """, ["Idle": Idle.self])
    conversion.options.onPolicyProgress = { reported.append($0) }
    _ = try conversion.run(isRepeated: false)
    let numbers = reported.all
    #expect(numbers.count > 10)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == numbers.count)
    #expect((numbers.first ?? 0) > 0 && (numbers.first ?? 1) < 0.2)
    #expect(numbers.last == 1)
  }

  private final class SharedNumbers: Sendable {
    private let numbers = Mutex<[Double]>([])

    var all: [Double] { numbers.withLock(\.self) }

    func append(_ number: Double) { numbers.withLock { $0.append(number) } }
  }

  // MARK: Sources of rows

  /// Says of each thing how many objects its row stands for.
  final class Tracing: MigrationPolicy {
    var functions: [String: PolicyFunction] {
      [
        "origins:": { arguments, manager in
          let sources = try manager.sourceInstances(in: arguments[0])
          return .text(sources.map { "\($0.className) \($0.uid)" }.joined(separator: ", "))
        }
      ]
    }
  }

  @Test("finds the objects that the rows in an argument stand for")
  func sources() throws {
    let mapping = """
      entities:
        Thing: {complete: true, attributes: {name: name}, unread: [box, labels]}
        Box:
          policy: Tracing
          complete: true
          attributes:
            name: {expression: 'FUNCTION($entityPolicy, "origins:", things)'}
      """
    let (store, _) = try conversion(
      BoxArchive.box("A", things: "a", "b"), mapping: mapping, ["Tracing": Tracing.self]
    ).run()
    let lines = try store.lines("SELECT name FROM Box")
    #expect(lines == ["Thing 5, Thing 9"])
  }

  // MARK: Identity and functions

  @Test("merges rows of one identity, as without policies")
  func identity() throws {
    let mapping = """
      entities:
        Box: {identity: [name], policy: Idle}
        Thing: {policy: Idle, unread: [labels]}
      """
    let (store, _) = try conversion(
      BoxArchive.box("A", things: "a"), BoxArchive.box("A", things: "b"), mapping: mapping,
      ["Idle": Idle.self]
    ).run()
    #expect(try store.lines("SELECT id, name FROM Box") == ["1|A"])
    #expect(try store.lines("SELECT name, box_id FROM Thing ORDER BY 1") == ["a|1", "b|1"])
  }

  /// Answers functions.
  final class Answering: MigrationPolicy {
    var functions: [String: PolicyFunction] {
      [
        "shout:times:": { arguments, _ in
          guard case .text(let text) = arguments[0], case .integer(let count) = arguments[1]
          else { return .null }
          return .text(String(repeating: text.uppercased(), count: Int(count)))
        }
      ]
    }
  }

  @Test("asks a policy for the functions of a mapping's expressions")
  func functions() throws {
    func mapping(_ function: String) -> String {
      """
      entities:
        Box:
          policy: Answering
          complete: true
          attributes:
            name: {expression: 'FUNCTION($entityPolicy, "\(function)", name, 2)'}
          unread: [things]
      """
    }
    let policies = ["Answering": Answering.self]
    let (store, _) = try conversion(
      BoxArchive.box("a"), mapping: mapping("shout:times:"), policies
    ).run()
    #expect(try store.lines("SELECT name FROM Box") == ["AA"])
    let messages = try conversion(
      BoxArchive.box("a"), mapping: mapping("whisper:times:"), policies
    ).failure()
    #expect(messages == ["mapping.yaml:6:26: the policy has no function 'whisper:times:'"])
  }
}
