import Converter
import CoreDataStores
import DataModel
import Foundation
import Mappings
import Migration
import TestSupport

/// A store for tests: a model, and rows that a test writes in SQL.
struct MadeStore {
  let model: Model
  private let folder: TemporaryFolder
  private let path: String

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - entities: The entities of its model.
  ///   - sql: What inserts the rows.
  /// - Throws: An error of SQLite's.
  init(_ entities: [Entity], _ sql: String) throws {
    model = Model(entities: entities)
    folder = try TemporaryFolder()
    path = try folder.write([], to: "store.sqlite")
    try CoreDataStoreCreator(layout: CoreDataLayout(model), source: ModelSource(model))
      .create(at: path)
    let editor = try StoreEditor(path)
    try editor.run("BEGIN; \(sql) COMMIT;")
    editor.close()
  }

  /// Opens it.
  func open(salvages: Bool = false) throws -> SQLiteStoreSource {
    try SQLiteStoreSource(path: path, model: ModelSource(model), salvages: salvages)
  }

  /// Changes its bytes.
  func damage(_ change: (inout Data) throws -> Void) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// Migrates it.
  func migrated(
    to entities: [Entity], _ mappings: [MigrationEntityMapping],
    policies: [String: any MigrationPolicy.Type] = [:],
    declarations: PolicyDeclarations = PolicyDeclarations()
  ) throws -> MigratedSource {
    try MigratedSource(
      try open(), by: MappingModel(entityMappings: mappings),
      to: ModelSource(Model(entities: entities)), declarations: declarations,
      MigratedSource.Setting(
        policies: policies, now: Date(timeIntervalSinceReferenceDate: 1_000)))
  }
}

extension MigrationEntityMapping {
  /// An entity mapping whose expressions are written in NSPredicate's format.
  ///
  /// - Parameters:
  ///   - source: The source entity; nil for a mapping that adds one.
  ///   - destination: The destination entity; nil for one that removes one.
  ///   - name: The name, if it is not the usual one.
  ///   - filter: Which source objects.
  ///   - policy: The class of the policy.
  ///   - attributes: The expressions of attributes.
  ///   - relationships: Those of relationships.
  init(
    _ source: String?, _ destination: String?, name: String? = nil,
    where filter: String = "TRUEPREDICATE", policy: String? = nil,
    _ attributes: KeyValuePairs<String, String> = [:],
    relationships: KeyValuePairs<String, String> = [:]
  ) {
    func properties(_ pairs: KeyValuePairs<String, String>) -> [MigrationPropertyMapping] {
      pairs.map {
        MigrationPropertyMapping(
          name: $0.key, valueExpression: ExpressionNode(format: $0.value))
      }
    }
    self.init(
      name: name ?? Self.defaultName(source: source, destination: destination),
      kind: policy == nil ? .transform : .custom, sourceEntityName: source,
      destinationEntityName: destination,
      sourceExpression: source.map {
        .objects(of: $0, where: ExpressionNode(predicate: filter))
      }, policyClassName: policy, attributeMappings: properties(attributes),
      relationshipMappings: properties(relationships))
  }

  /// The expression of a relationship: what an entity mapping made of source objects.
  static func made(by mapping: String, of sources: String) -> String {
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
      + "\"\(mapping)\", \(sources))"
  }

  /// The expression of a relationship: what became of the objects in one of the source's.
  static func made(ofRelationship key: String) -> String {
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
      + "\"\(key)\", $source.\(key))"
  }
}
