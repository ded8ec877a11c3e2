import Foundation
import Support

/// The hashes by which Core Data tells whether a store fits a model (`NSStoreModelVersionHashes`,
/// version 3).
///
/// The rules were found by comparing models with stores. Hashed are names, whether properties are
/// optional, types, destinations, inverses, counts, order, uniqueness and hash modifiers; not
/// hashed are class names, defaults, validation, delete rules, indexes, renaming identifiers, and
/// properties that are not stored.
extension Model {
  /// The hash of each entity, by name: 32 bytes.
  ///
  /// For the entities in `entitiesWithUncertainHash` it may differ from the one of Core Data. An
  /// entity without a number (see `numberedEntities`) has none.
  public func versionHashes() -> [String: Data] {
    var hashes: [String: Data] = [:]
    // The hashes of the properties of an entity, inherited ones included.
    var properties: [String: [String: Data]] = [:]
    for entity in numberedEntities.map(\.entity) {
      var all = entity.parent.flatMap { properties[$0] } ?? [:]
      for attribute in entity.attributes where !attribute.isTransient {
        all[attribute.name] = attribute.versionHash
      }
      for relationship in entity.relationships where !relationship.isTransient {
        all[relationship.name] = relationship.versionHash
      }
      properties[entity.name] = all

      var hasher = MessageDigest.sha256()
      hasher.update(entity.name)
      hasher.update(flag: entity.isAbstract)
      if let parent = entity.parent, let hash = hashes[parent] { hasher.update(hash) }
      for (_, hash) in all.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        hasher.update(hash)
      }
      let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
      for constraint in constraints.sorted(by: { $0.precedesInBytes($1) }) {
        hasher.update(constraint)
      }
      hasher.update(entity.versionHashModifier ?? "")
      hashes[entity.name] = Data(hasher.finish())
    }
    return hashes
  }

  /// The digest of all hashes, in base64 (`NSStoreModelVersionHashesDigest`).
  public func digest() -> String { Self.digest(of: versionHashes()) }

  /// The digest of hashes.
  ///
  /// - Parameter hashes: The hash of each entity.
  /// - Returns: The digest, in base64.
  public static func digest(of hashes: [String: Data]) -> String {
    var hasher = MessageDigest.sha512()
    for (name, hash) in sorted(hashes) {
      hasher.update(name)
      hasher.update(hash)
    }
    return Data(hasher.finish()).base64EncodedString()
  }

  /// The checksum of all hashes, in base64 (`NSStoreModelVersionChecksumKey`).
  public func checksum() -> String { Self.checksum(of: versionHashes()) }

  /// The checksum of hashes.
  ///
  /// - Parameter hashes: The hash of each entity.
  /// - Returns: The checksum, in base64.
  public static func checksum(of hashes: [String: Data]) -> String {
    var hasher = MessageDigest.sha256()
    for (_, hash) in sorted(hashes) { hasher.update(hash) }
    return Data(hasher.finish()).base64EncodedString()
  }

  /// The names of the entities whose hash may differ from the one of Core Data, sorted.
  ///
  /// It is not known how derived and composite attributes enter the hash. This concerns the
  /// entities that have or inherit one that is stored.
  public var entitiesWithUncertainHash: [String] {
    var uncertain: Set<String> = []
    for entity in numberedEntities.map(\.entity) {
      let isUncertain = entity.attributes.contains {
        !$0.isTransient && ($0.isDerived || $0.type == .composite)
      }
      let isInherited = entity.parent.map { uncertain.contains($0) } ?? false
      if isUncertain || isInherited { uncertain.insert(entity.name) }
    }
    return uncertain.sorted { $0.precedesInBytes($1) }
  }

  /// The names of the entities whose hash differs from a given one, or that only one side has.
  ///
  /// - Parameter hashes: Hashes by entity, of a store or of a `VersionInfo`.
  /// - Returns: The names, sorted; none if the model is the one that the hashes belong to.
  public func entitiesThatDiffer(from hashes: [String: Data]) -> [String] {
    let own = versionHashes()
    return Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }
      .sorted { $0.precedesInBytes($1) }
  }

  private static func sorted(_ hashes: [String: Data]) -> [(name: String, hash: Data)] {
    hashes.sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, $0.value) }
  }
}

extension Attribute {
  fileprivate var versionHash: Data {
    var hasher = MessageDigest.sha256()
    hasher.update(
      propertyHash(name: name, isOptional: isOptional, modifier: versionHashModifier))
    hasher.update(integer: type.coreDataCode ?? 0)
    if allowsExternalBinaryDataStorage { hasher.update(flag: true) }
    if preservesAfterDeletion { hasher.update(flag: true) }
    return Data(hasher.finish())
  }
}

extension Relationship {
  fileprivate var versionHash: Data {
    var hasher = MessageDigest.sha256()
    hasher.update(
      propertyHash(name: name, isOptional: isOptional, modifier: versionHashModifier))
    hasher.update(destinations.first ?? "")
    hasher.update(inverse ?? "")
    hasher.update(integer: Int32(clamping: maximumCount))
    hasher.update(integer: Int32(clamping: minimumCount))
    if isOrdered {
      hasher.update(flag: true)
      hasher.update(flag: false)
    }
    return Data(hasher.finish())
  }
}

/// The hash of what attributes and relationships have in common.
private func propertyHash(name: String, isOptional: Bool, modifier: String?) -> Data {
  var hasher = MessageDigest.sha256()
  hasher.update(name)
  hasher.update(flag: isOptional)
  hasher.update(flag: false)
  hasher.update(modifier ?? "")
  return Data(hasher.finish())
}

extension MessageDigest {
  fileprivate mutating func update(flag: Bool) { update([flag ? 1 : 0] as [UInt8]) }

  fileprivate mutating func update(integer: Int32) {
    unsafe withUnsafeBytes(of: integer.littleEndian) { unsafe update($0) }
  }
}
