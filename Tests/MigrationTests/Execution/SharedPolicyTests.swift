import ArchiveWriter
import Converter
import Foundation
import Migration
import TestSupport
import Testing

@Suite("One policy for archives and for stores")
struct SharedPolicyTests {
  /// Makes one tag of each name that stands in a text.
  private final class TagPolicy: MigrationPolicy {
    private var count = 0

    var functions: [String: PolicyFunction] {
      [
        "shout:": { [unowned self] arguments, _ in
          guard case .text(let text) = arguments[0] else { return .null }
          count += 1
          return .text(text.uppercased() + "!")
        }
      ]
    }

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let event = try manager.createDestinationInstances(forSource: source, in: mapping)
      guard case .text(let text) = try source.value(forKey: "tags") else { return }
      for name in text.split(separator: ",") {
        let tag = try manager.context.findOrInsert(
          into: "Tag", identity: ["name": .text(String(name))])
        tag["uses"] = (tag["uses"] ?? 0) + 1
        tag.add([event], to: "events")
      }
    }

    func endInstanceCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      manager.userInfo["words"] =
        "\(mapping.sourceClassNames) \(try mapping.destinationEntityName) \(count)"
    }

    func performCustomValidation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let uses = try manager.context.fetch("Tag").map { $0["uses"] ?? 0 }.reduce(0, +)
      guard uses < 6 else {
        throw ImportError(.refused, name: "\(uses), \(manager.userInfo["words"] ?? "")")
      }
    }
  }

  private static let events = [
    Entity(
      name: "Event",
      attributes: [
        Attribute(name: "tags", type: .string), Attribute(name: "title", type: .string),
      ])
  ]

  private static let tagged = [
    Entity(
      name: "Event", attributes: [Attribute(name: "title", type: .string)],
      relationships: [
        Relationship(
          name: "tags", destinations: ["Tag"], isToMany: true, isOrdered: true, inverse: "events")
      ]),
    Entity(
      name: "Tag",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "uses", type: .integer32),
      ],
      relationships: [
        Relationship(
          name: "events", destinations: ["Event"], isToMany: true, isOrdered: true,
          inverse: "tags")
      ]),
  ]

  /// Titles and tags; the rows of both ways are the same.
  private static let cases = [("one", "a,b"), ("two", "b,c,b")]
  private static let rows = [
    #"Event(title="ONE!") tags=[Tag(name="a" uses=1), Tag(name="b" uses=3)]"#,
    #"Event(title="TWO!") tags=[Tag(name="b" uses=3), Tag(name="c" uses=1)]"#,
    #"Tag(name="a" uses=1) events=[Event(title="ONE!")]"#,
    #"Tag(name="b" uses=3) events=[Event(title="ONE!"), Event(title="TWO!")]"#,
    #"Tag(name="c" uses=1) events=[Event(title="TWO!")]"#,
  ]

  private static let refusal =
    #"TagPolicy.performCustomValidation, mapping 'EventToEvent': 6, ["Event"] Event 3"#

  // MARK: A store by a mapping model

  private func migrated(_ events: [(title: String, tags: String)]) throws -> MigratedSource {
    let rows = events.enumerated().map { index, event in
      "(\(index + 1), 1, 1, '\(event.title)', '\(event.tags)')"
    }
    let store = try MadeStore(
      Self.events,
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTAGS) VALUES "
        + rows.joined(separator: ", ") + ";")
    return try store.migrated(
      to: Self.tagged,
      [
        MigrationEntityMapping(
          "Event", "Event", policy: "App.TagPolicy",
          ["title": #"FUNCTION($entityPolicy, "shout:", $source.title)"#])
      ], policies: ["TagPolicy": TagPolicy.self])
  }

  @Test("runs over a store by a mapping model")
  func store() throws {
    #expect(try StoreContent.lines(migrated(Self.cases)) == Self.rows)
    let error = #expect(throws: MigrationError.self) {
      _ = try migrated(Self.cases + [("three", "d")])
    }
    #expect(error?.description == Self.refusal)
  }

  // MARK: An archive by a mapping file

  private func converted(_ events: [(title: String, tags: String)]) throws -> [String] {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array(
        events.map { event in
          archive.instance(
            of: "Event",
            ["title": archive.string(event.title), "tags": archive.string(event.tags)])
        })
    }
    let input = try folder.write(archive.binary(), to: "events.plist")
    var options = ConversionOptions()
    options.modelPath = folder.file(named: "Model.xcdatamodel")
    try XMLModelWriter(Model(entities: Self.tagged)).write(to: options.modelPath ?? "")
    options.mappingPath = try folder.write(
      """
      entities:
        Event:
          policy: TagPolicy
          complete: true
          attributes: {title: {expression: 'FUNCTION($entityPolicy, "shout:", title)'}}
      """, to: "mapping.yaml")
    options.extensions = ImportExtensions(policies: ["TagPolicy": TagPolicy.self])
    options.layout = .coreData
    let destination = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [input], destination: destination, options: options)
    _ = try conversion.run()
    return try StoreContent.lines(
      SQLiteStoreSource(path: destination, model: ModelSource(Model(entities: Self.tagged))))
  }

  @Test("runs over an archive by a mapping file")
  func archive() throws {
    let rows = try converted(Self.cases)
    #expect(rows == Self.rows)
    let error = #expect(throws: ConversionError.self) {
      _ = try converted(Self.cases + [("three", "d")])
    }
    #expect(error?.messages == ["a hook or policy stopped the run: " + Self.refusal])
  }
}
