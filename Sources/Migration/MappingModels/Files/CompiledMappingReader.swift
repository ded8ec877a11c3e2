import DataModel
import Foundation
import GraphCore
import Mappings

/// Reads a compiled mapping model: a `.cdm` file, which is a keyed archive of an NSMappingModel.
///
/// The keys are those of Xcode's compiler. What it writes twice (`NSEntityMappingsByName`) is read
/// once. An expression that is not understood does not make the file unreadable: see
/// `ExpressionNode.unknown`.
struct CompiledMappingReader {
  /// The greatest number of mappings of properties that are read, shared ones each time.
  private static let maxPropertyMappings = 200_000

  private var contents: MappingArchive
  private var propertyMappingCount = 0

  /// The mapping model in the bytes of a file.
  static func model(in bytes: Data, _ limits: ReadingLimits) throws(ModelError) -> MappingModel {
    var reader = CompiledMappingReader(contents: try MappingArchive(bytes, limits))
    return try reader.model()
  }

  /// True if bytes are the archive of a mapping model.
  static func isMappingModel(_ bytes: Data, _ limits: ReadingLimits) -> Bool {
    guard var contents = try? MappingArchive(bytes, limits),
      let root = try? contents.archive.root()
    else { return false }
    return contents.archive.isA("NSMappingModel", root)
  }

  private init(contents: MappingArchive) { self.contents = contents }

  private mutating func model() throws(ModelError) -> MappingModel {
    guard let model = try contents.archive.root(), contents.archive.isA("NSMappingModel", model)
    else { throw ModelError(.notAMappingModel, name: "its root is not an NSMappingModel") }
    var mappings: [MigrationEntityMapping] = []
    for object in try objects(model, "NSEntityMappings", of: "NSEntityMapping") {
      guard mappings.count < MappingModel.maxEntityMappings else {
        throw ModelError(.tooMany, name: "entity mappings")
      }
      mappings.append(try entityMapping(object))
    }
    return MappingModel(entityMappings: mappings)
  }

  private mutating func entityMapping(
    _ object: GraphObject
  ) throws(ModelError) -> MigrationEntityMapping {
    let source = try contents.archive.text(of: object, "NSSourceEntityName")
    let destination = try contents.archive.text(of: object, "NSDestinationEntityName")
    let name = try contents.archive.text(of: object, "NSMappingName")
    let type = try contents.archive.integer(of: object, "NSMappingType") ?? 0
    var mapping = MigrationEntityMapping(
      name: name
        ?? MigrationEntityMapping.defaultName(source: source, destination: destination),
      kind: Int(exactly: type).flatMap { .init(rawValue: $0) } ?? .undefined,
      sourceEntityName: source, destinationEntityName: destination)
    do throws(ModelError) {
      mapping.sourceVersionHash = try data(of: object, "NSSourceEntityVersionHash")
      mapping.destinationVersionHash = try data(of: object, "NSDestinationEntityVersionHash")
      mapping.sourceExpression = try expression(of: object, "NSSourceExpression")
      mapping.policyClassName = try contents.archive.text(
        of: object, "NSEntityMigrationPolicyClassName")
      mapping.userInfo = try userInfo(of: object)
      mapping.attributeMappings = try propertyMappings(of: object, "NSAttributeMappings")
      mapping.relationshipMappings = try propertyMappings(of: object, "NSRelationshipMappings")
    } catch {
      var error = error
      if error.entity == nil { error.entity = mapping.name }
      throw error
    }
    return mapping
  }

  private mutating func propertyMappings(
    of object: GraphObject, _ key: String
  ) throws(ModelError) -> [MigrationPropertyMapping] {
    var mappings: [MigrationPropertyMapping] = []
    for object in try objects(object, key, of: "NSPropertyMapping") {
      propertyMappingCount += 1
      guard propertyMappingCount <= Self.maxPropertyMappings else {
        throw ModelError(.tooMany, name: "property mappings")
      }
      guard let name = try contents.archive.text(of: object, "NSDestinationPropertyName") else {
        throw ModelError(.missingName, name: "NSPropertyMapping")
      }
      mappings.append(
        MigrationPropertyMapping(
          name: name, valueExpression: try expression(of: object, "NSValueExpression"),
          userInfo: try userInfo(of: object)))
    }
    return mappings
  }

  // MARK: Values

  /// The objects of a class that a list under a key holds.
  private mutating func objects(
    _ object: GraphObject, _ key: String, of className: String
  ) throws(ModelError) -> [GraphObject] {
    let list = try contents.archive.value(of: object, key)
    switch list {
    case .null: return []
    case .collection(_, .array): break
    default: throw ModelError(.badValue, name: key)
    }
    var objects: [GraphObject] = []
    for value in try contents.archive.list(list) {
      guard let element = try contents.archive.object(value),
        contents.archive.isA(className, element)
      else { throw ModelError(.badValue, name: key) }
      objects.append(element)
    }
    return objects
  }

  private mutating func expression(
    of object: GraphObject, _ key: String
  ) throws(ModelError) -> ExpressionNode? {
    try contents.expression(try contents.archive.value(of: object, key), key)
  }

  private mutating func userInfo(
    of object: GraphObject
  ) throws(ModelError) -> [String: UnarchivedValue] {
    try contents.userInfo(try contents.archive.value(of: object, "NSUserInfo"), "NSUserInfo")
  }

  private mutating func data(of object: GraphObject, _ key: String) throws(ModelError) -> Data? {
    switch try contents.archive.value(of: object, key) {
    case .null: nil
    case .data(let bytes): bytes.data
    default: throw ModelError(.badValue, name: key)
    }
  }
}
