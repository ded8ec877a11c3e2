/// A property that holds rows of other entities.
public struct Relationship: Sendable, Equatable {
  /// The rule for the rows that a deleted row holds.
  public enum DeleteRule: String, Sendable, CaseIterable {
    /// Nothing.
    case noAction
    /// They forget the deleted row.
    case nullify
    /// They are deleted too.
    case cascade
    /// The row cannot be deleted as long as there are any.
    case deny
  }

  /// The name of the relationship.
  public var name: String
  /// The archived key.
  public var key: String
  /// The names of the entities whose rows it holds: mostly one.
  public var destinations: [String]
  /// True if the relationship holds several rows.
  public var isToMany: Bool
  /// True if the order of the rows means something.
  public var isOrdered: Bool
  /// The name of the relationship of the destination that leads back.
  public var inverse: String?
  /// True if the relationship may hold nothing.
  public var isOptional: Bool
  /// True if the relationship is not stored.
  public var isTransient: Bool
  /// The least number of rows: see `requiredCount`.
  public var minimumCount: Int
  /// The greatest number of rows: 1 for a to-one relationship, 0 for no limit.
  ///
  /// Core Data models that a program built may say -1 for no limit.
  public var maximumCount: Int
  /// The rule for the rows that a deleted row holds.
  public var deleteRule: DeleteRule
  /// The name by which an earlier version of the model knew the relationship.
  public var renamingIdentifier: String?
  /// A text that the model's author set to tell this version from others.
  public var versionHashModifier: String?
  /// True if both none at all (nil) and an empty collection were found.
  public var distinguishesEmpty: Bool
  /// The role of the relationship in a drafted model, if it is no archived key.
  package var draftedPart: DraftedPart?
  /// The inverse in the archives, though not from all rows: so a drafted model says otherwise.
  package var archivedInverse: String?

  /// Creates a relationship; its key is its name unless told otherwise.
  public init(
    name: String, key: String? = nil, destinations: [String], isToMany: Bool,
    isOrdered: Bool = false, inverse: String? = nil, isOptional: Bool = true,
    isTransient: Bool = false, minimumCount: Int = 0, maximumCount: Int? = nil,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, distinguishesEmpty: Bool = false
  ) {
    self.name = name
    self.key = key ?? name
    self.destinations = destinations
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.inverse = inverse
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.distinguishesEmpty = distinguishesEmpty
  }

  /// The number of rows that it has to hold by the rules of Core Data, unless it is optional and
  /// empty.
  ///
  /// A to-many relationship that is not optional may be empty: only a least count of its own demands
  /// rows.
  package var requiredCount: Int { Swift.max(minimumCount, isToMany || isOptional ? 0 : 1) }
}
