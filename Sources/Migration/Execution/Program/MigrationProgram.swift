import DataModel
import GraphCore
import MappingModels
import Mappings

/// A mapping model that is ready to run between two models.
///
/// Whatever cannot run is an error here, before anything is read.
struct MigrationProgram: Sendable {
  let source: Model
  let sourceHierarchy: EntityHierarchy
  let destination: DestinationSchema
  private(set) var mappings: [PlannedMapping] = []
  /// For each entity of the source, the entity mappings that migrate its objects.
  private(set) var mappingsOfEntity: [[Int]]
  /// For each pair of relationships, whether its links are looked up when they are asked for.
  ///
  /// Those of other pairs are kept in a `LinkTable`.
  private(set) var isLazy: [Bool] = []

  /// Plans a migration.
  ///
  /// - Parameters:
  ///   - model: The mapping model.
  ///   - source: The model of the store.
  ///   - destination: The model that it is migrated to.
  /// - Throws: `MigrationError` that names entity mapping and property.
  init(_ model: MappingModel, from source: Model, to destination: Model) throws(MigrationError) {
    self.source = source
    sourceHierarchy = EntityHierarchy(source)
    self.destination = DestinationSchema(destination)
    mappingsOfEntity = Array(repeating: [], count: source.entities.count)
    guard model.entityMappings.count <= Int(Int16.max) else {
      throw MigrationError(.tooMany, name: "entity mappings")
    }
    guard destination.entities.count <= Int(UInt16.max) else {
      throw MigrationError(.tooMany, name: "entities")
    }
    let compiler = try MappingCompiler(
      model, source, sourceHierarchy, self.destination)
    for index in model.entityMappings.indices {
      do throws(MigrationError) {
        mappings.append(try compiler.planned(index))
      } catch {
        throw error.placed(in: model.entityMappings[index].name)
      }
    }
    assignEntities()
    let links = LinkAnalysis(self)
    isLazy = self.destination.pairs.indices.map { links.isLazy($0) }
  }

  /// Objects of an entity are migrated by the entity mappings of the entity, or else of the nearest
  /// that it inherits from: a mapping of an entity leaves out subentities that have their own.
  private mutating func assignEntities() {
    var own: [Int: [Int]] = [:]
    for (index, mapping) in mappings.enumerated() {
      if let entity = mapping.sourceEntity { own[entity, default: []].append(index) }
    }
    for entity in source.entities.indices {
      let nearest = sourceHierarchy.ancestors(of: entity).first { own[$0] != nil }
      mappingsOfEntity[entity] = nearest.flatMap { own[$0] } ?? []
    }
  }
}
