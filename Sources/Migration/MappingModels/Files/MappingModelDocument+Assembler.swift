import DataModel
import Foundation
import GraphCore
import Mappings

extension MappingModelDocument {
  /// Puts the objects of an `xcmapping.xml` together: which property mappings belong to which
  /// entity mapping, and which of those to the mapping model.
  ///
  /// Both sides of a relationship are stored, so either is enough. An identifier that no object of
  /// the right kind has is an error.
  struct Assembler {
    private let limits: ReadingLimits

    init(_ limits: ReadingLimits) { self.limits = limits }

    mutating func document(
      of objects: [XMLMappingObject]
    ) throws(ModelError) -> MappingModelDocument {
      let models = objects.filter { $0.kind == .mappingModel }
      guard let model = models.first else {
        throw ModelError(.notAMappingModel, name: "it has no XDDEVMAPPINGMODEL")
      }
      guard models.count == 1 else {
        throw ModelError(.notAMappingModel, line: models[1].line, name: "it has several")
      }
      let kinds = Dictionary(
        objects.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
      try check(objects, kinds)

      var document = try MappingModelDocument(model: model)
      let listed = Set(model.ids("entitymappings"))
      let used = Set(
        objects.filter {
          $0.kind == .entityMapping
            && (listed.contains($0.id) || !$0.ids("mappingmodel").isEmpty)
        }.map(\.id))
      guard used.count <= MappingModel.maxEntityMappings else {
        throw ModelError(.tooMany, name: "entity mappings")
      }
      var properties: [String: [(XMLMappingObject.Kind, MappingModelDocument.PropertyMapping)]] =
        [:]
      let owners = Self.owners(objects)
      for object in objects where object.kind.isPropertyMapping {
        guard let owner = object.ids("entitymapping").first ?? owners[object.id] else {
          try document.leftovers.add(object)
          continue
        }
        guard used.contains(owner) else { continue }
        properties[owner, default: []].append((object.kind, try propertyMapping(object)))
      }
      for object in objects where object.kind == .entityMapping {
        guard used.contains(object.id) else {
          try document.leftovers.add(object)
          continue
        }
        var mapping = try entityMapping(object)
        for (kind, property) in properties[object.id] ?? [] {
          if kind == .attributeMapping {
            mapping.attributeMappings.append(property)
          } else {
            mapping.relationshipMappings.append(property)
          }
        }
        document.entityMappings.append(mapping)
      }
      // Those of one number stay in the order of the file.
      let order = document.entityMappings.enumerated().sorted {
        ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
      }
      document.entityMappings = order.map(\.element)
      return document
    }

    /// The kinds of objects that each relationship leads to.
    private static let destinations: [String: Set<XMLMappingObject.Kind>] = [
      "entitymappings": [.entityMapping], "mappingmodel": [.mappingModel],
      "attributemappings": [.attributeMapping], "relationshipmappings": [.relationshipMapping],
      "entitymapping": [.entityMapping],
    ]

    /// Refuses identifiers that lead nowhere, or to something else.
    private func check(
      _ objects: [XMLMappingObject], _ kinds: [String: XMLMappingObject.Kind]
    ) throws(ModelError) {
      for object in objects {
        for (name, destinations) in Self.destinations {
          for id in object.ids(name) where !(kinds[id].map { destinations.contains($0) } ?? false) {
            throw ModelError(.danglingReference, property: name, line: object.line, name: id)
          }
        }
      }
    }

    /// The entity mappings that list property mappings, by the identifiers of these.
    private static func owners(_ objects: [XMLMappingObject]) -> [String: String] {
      var owners: [String: String] = [:]
      for object in objects where object.kind == .entityMapping {
        for id in object.ids("attributemappings") + object.ids("relationshipmappings") {
          owners[id] = object.id
        }
      }
      return owners
    }

    // MARK: Objects

    private mutating func entityMapping(
      _ object: XMLMappingObject
    ) throws(ModelError) -> MappingModelDocument.EntityMapping {
      let written = try expression(of: object, "sourceexpressiondata")
      return MappingModelDocument.EntityMapping(
        name: try object.name("name"), sourceEntityName: try object.name("sourcename"),
        destinationEntityName: try object.name("destinationname"),
        order: try object.integer("mappingnumber") ?? 0,
        sourceExpression: written,
        filter: try object.text("sourcefilterpredicatestring").map {
          ExpressionNode(predicate: $0)
        },
        isAutomatic: try object.flag("autogenerateexpression") ?? (written == nil),
        policyClassName: try object.name("migrationpolicyclassname"),
        userInfo: try userInfo(of: object))
    }

    private mutating func propertyMapping(
      _ object: XMLMappingObject
    ) throws(ModelError) -> MappingModelDocument.PropertyMapping {
      guard let name = try object.name("name") else {
        throw ModelError(.missingName, line: object.line, name: object.kind.rawValue)
      }
      return MappingModelDocument.PropertyMapping(
        name: name, valueExpression: try expression(of: object, "valueexpressiondata"),
        isAutomatic: try object.flag("autogenerateexpression") ?? true,
        sourceKeyPath: try object.name("sourcekeypath"),
        sourceMappingName: try object.name("sourcemappingname"),
        userInfo: try userInfo(of: object))
    }

    // MARK: Archives in it

    private func expression(
      of object: XMLMappingObject, _ name: String
    ) throws(ModelError) -> ExpressionNode? {
      guard let data = try object.data(name) else { return nil }
      return try placed(object, name) { () throws(ModelError) in
        let archive = try MappingArchive(data, limits)
        return try archive.expression(try archive.root(), name)
      }
    }

    private func userInfo(
      of object: XMLMappingObject
    ) throws(ModelError) -> [String: UnarchivedValue] {
      guard let data = try object.data("userinfodata") else { return [:] }
      return try placed(object, "userinfodata") { () throws(ModelError) in
        var archive = try MappingArchive(data, limits)
        return try archive.userInfo(try archive.root(), "userinfodata")
      }
    }

    /// Does a step, whose error is at an object.
    private func placed<Result>(
      _ object: XMLMappingObject, _ name: String, _ step: () throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
      do throws(ModelError) {
        return try step()
      } catch {
        var error = error
        (error.entity, error.property, error.line) = (object.id, name, object.line)
        throw error
      }
    }
  }
}

extension MappingModelDocument.Leftovers {
  /// Adds a mapping that is not used, by its name; what else is in it is not looked at.
  fileprivate mutating func add(_ object: MappingModelDocument.XMLMappingObject) throws(ModelError)
  {
    let name = try object.name("name")
    switch object.kind {
    case .mappingModel: break
    case .entityMapping:
      let defaultName = MigrationEntityMapping.defaultName(
        source: try object.name("sourcename"), destination: try object.name("destinationname"))
      entityMappings.append(name ?? defaultName)
    case .attributeMapping: attributeMappings.append(name ?? "(unnamed)")
    case .relationshipMapping: relationshipMappings.append(name ?? "(unnamed)")
    }
  }
}
