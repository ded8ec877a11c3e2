/// The entities of a store and what connects them.
///
/// A model is drawn from archives (see `ModelInference`) or read from a Core Data model.
public struct Model: Sendable, Equatable {
  /// The entities: in the order in which archives lead to them, or sorted by name.
  public var entities: [Entity]
  /// The version identifiers of a Core Data model.
  public var versionIdentifiers: [String]
  /// The declarations of a Core Data model that Xcode warns of, but compiles.
  public var notes: [ModelError] = []
  /// True if a Core Data model has configurations: parts of it that stores can hold by themselves.
  package var hasConfigurations = false

  /// Creates a model.
  public init(entities: [Entity] = [], versionIdentifiers: [String] = []) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
  }
}

extension ModelError {
  /// True if the error is an inverse that does not lead back to its relationship.
  package var isAboutInverse: Bool { code == .oneSidedInverse || code == .unknownInverse }
}

extension Model {
  /// True if the inverse of a relationship, if it has one, is known to lead back to it.
  package func leadsBack(_ relationship: String, of entity: String) -> Bool {
    !notes.contains {
      $0.isAboutInverse && $0.entity == entity && $0.property == relationship
    }
  }
}
