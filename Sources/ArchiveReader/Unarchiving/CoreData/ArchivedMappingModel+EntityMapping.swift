import Foundation

extension ArchivedMappingModel {
  /// An NSEntityMapping: what becomes of the instances of an entity.
  public struct EntityMapping: KeyedDecodable {
    /// What is done with an entity: NSEntityMappingType.
    public enum Kind: Int, Sendable, CaseIterable {
      /// It is not said.
      case undefined
      /// A policy does it.
      case custom
      /// The entity is new.
      case add
      /// The entity is no more.
      case remove
      /// Both versions are the same.
      case copy
      /// The properties say what becomes of each value.
      case transform
    }

    /// The archived class.
    public static let archivedClassNames = ["NSEntityMapping"]

    /// The name by which other mappings and policies find it.
    public let name: String?
    /// What is done, as archived.
    public let type: Int
    /// The entity of the old model; nil if it is new.
    public let sourceEntity: String?
    /// The version hash of the entity of the old model.
    public let sourceVersionHash: Data?
    /// The entity of the new model; nil if it is no more.
    public let destinationEntity: String?
    /// The version hash of the entity of the new model.
    public let destinationVersionHash: Data?
    /// Which instances are taken.
    public let source: ArchivedExpression?
    /// The class of the policy, where the author named one.
    public let policyClass: String?
    /// Where the values of attributes come from.
    public let attributes: [PropertyMapping]
    /// Where relationships lead to.
    public let relationships: [PropertyMapping]
    /// What the author left for policies: texts, numbers and other values of a property list.
    public let userInfo: DecodedValue?

    /// What is done; nil if this version of Core Data has no such type.
    public var kind: Kind? { Kind(rawValue: type) }

    /// Decodes a mapping.
    ///
    /// - Parameter coder: The object's keys.
    /// - Throws: `ArchiveError` for a value of another kind.
    public init(coder: KeyedCoder) throws {
      name = try coder.decodeString(forKey: "NSMappingName")
      type = try coder.decodeInteger(forKey: "NSMappingType")
      sourceEntity = try coder.decodeString(forKey: "NSSourceEntityName")
      sourceVersionHash = try coder.decodeData(forKey: "NSSourceEntityVersionHash")
      destinationEntity = try coder.decodeString(forKey: "NSDestinationEntityName")
      destinationVersionHash = try coder.decodeData(forKey: "NSDestinationEntityVersionHash")
      source = try coder.decode(forKey: "NSSourceExpression")
      policyClass = try coder.decodeString(forKey: "NSEntityMigrationPolicyClassName")
      attributes =
        try coder.decodeArrayOfObjects(
          of: PropertyMapping.self, forKey: "NSAttributeMappings") ?? []
      relationships =
        try coder.decodeArrayOfObjects(
          of: PropertyMapping.self, forKey: "NSRelationshipMappings") ?? []
      userInfo = try coder.decodeObject(forKey: "NSUserInfo")
    }
  }
}
