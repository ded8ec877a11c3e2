/// The replacement of a policy that a Core Data mapping model names: rules for some of the
/// properties of the destination objects.
///
/// Everything that it does not name is made as the mapping model says.
public struct PolicyMapping: Sendable, Equatable {
  /// The class that the mapping model names; the module may be left out.
  public var className: Marked<String>
  /// The only entity mapping that is meant; nil for all that name the class.
  public var entityMapping: Marked<String>?
  /// The mappings of the attributes.
  public var attributes: [AttributeMapping]
  /// The mappings of the relationships: rows that are found or made from parts of a value.
  public var relationships: [RelationshipMapping]

  /// Creates a block that names no properties.
  public init(className: Marked<String>) {
    self.className = className
    entityMapping = nil
    attributes = []
    relationships = []
  }
}
