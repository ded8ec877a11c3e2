/// A property that holds several values, rows or pairs.
public struct ValueCollection: Sendable, Equatable {
  /// The name of the property.
  public var name: String
  /// The archived key.
  public var key: String
  /// True if the order of the elements means something.
  public var isOrdered: Bool
  /// The type of plain keys, where the elements are pairs with such keys.
  public var keyType: AttributeType?
  /// True if keys of pairs are rows or collections.
  public var hasReferencesAsKeys: Bool
  /// The type of the plain elements, where there are any.
  public var valueType: AttributeType?
  /// True if elements are rows or collections.
  public var hasReferencesAsValues: Bool
  /// True if -0.0 is among the plain elements or keys.
  public var holdsNegativeZero: Bool
  /// True if both none at all (nil) and an empty collection were found.
  public var distinguishesEmpty: Bool

  package init(
    name: String, key: String, isOrdered: Bool, keyType: AttributeType? = nil,
    hasReferencesAsKeys: Bool, valueType: AttributeType? = nil, hasReferencesAsValues: Bool,
    holdsNegativeZero: Bool, distinguishesEmpty: Bool
  ) {
    self.name = name
    self.key = key
    self.isOrdered = isOrdered
    self.keyType = keyType
    self.hasReferencesAsKeys = hasReferencesAsKeys
    self.valueType = valueType
    self.hasReferencesAsValues = hasReferencesAsValues
    self.holdsNegativeZero = holdsNegativeZero
    self.distinguishesEmpty = distinguishesEmpty
  }
}

extension ValueCollection {
  /// True if nothing is known of the elements: all collections found were empty.
  package var isAlwaysEmpty: Bool {
    valueType == .unknown && (keyType == nil || keyType == .unknown) && !hasReferencesAsKeys
      && !hasReferencesAsValues
  }

  /// The members of a to-many relationship as elements.
  package init(_ relationship: Relationship) {
    self.init(
      name: relationship.name, key: relationship.key, isOrdered: relationship.isOrdered,
      hasReferencesAsKeys: false, hasReferencesAsValues: true, holdsNegativeZero: false,
      distinguishesEmpty: relationship.distinguishesEmpty)
  }

  /// Makes the form one that also holds what another does.
  package mutating func merge(_ other: ValueCollection) {
    makeRoom(for: other)
    isOrdered = isOrdered || other.isOrdered
    distinguishesEmpty = distinguishesEmpty || other.distinguishesEmpty
  }

  /// Gives the form room for the keys and values of another, whatever the order of the elements.
  package mutating func makeRoom(for other: ValueCollection) {
    keyType =
      keyType.map { type in other.keyType.map { type.common(with: $0) } ?? type }
      ?? other.keyType
    valueType =
      valueType.map { type in other.valueType.map { type.common(with: $0) } ?? type }
      ?? other.valueType
    hasReferencesAsKeys = hasReferencesAsKeys || other.hasReferencesAsKeys
    hasReferencesAsValues = hasReferencesAsValues || other.hasReferencesAsValues
    holdsNegativeZero = holdsNegativeZero || other.holdsNegativeZero
  }
}
