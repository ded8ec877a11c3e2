/// The entities of a store and what connects them.
///
/// A model is drawn from archives (see `ModelInference`) or read from a Core Data model.
public struct Model: Sendable, Equatable {
  /// The entities: in the order in which archives lead to them, or sorted by name.
  public var entities: [Entity]
  /// The version identifiers of a Core Data model.
  public var versionIdentifiers: [String]

  /// Creates a model.
  public init(entities: [Entity] = [], versionIdentifiers: [String] = []) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
  }
}
