/// The role of a property that a drafted model has for Core Data alone: there are no relationships
/// to several entities there, no collections of values, and each relationship has an inverse.
///
/// The user info of the property says so, under the key `archivedPart`.
package enum DraftedPart: Sendable, Hashable {
  /// The attributes of a text, as JSON.
  case runs(of: String)
  /// 0 where a collection is empty, nothing where there is none.
  case count(of: String)
  /// The way back of a relationship that the archives show no inverse of.
  case inverse
  /// A to-one relationship, where it leads to one of several entities.
  case reference(of: String)
  /// The rows of an entity of elements: what the collections under a key hold.
  case elements(of: String)
  // In an entity of elements.
  case owner
  case position
  case key
  case value

  /// The key of the user info.
  static let userInfoKey = "archivedPart"

  /// Reads what the user info says; nil if it is nothing that is known.
  init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case ("inverse", 1): self = .inverse
    case ("owner", 1): self = .owner
    case ("position", 1): self = .position
    case ("key", 1): self = .key
    case ("value", 1): self = .value
    case ("runs", 3): self = .runs(of: words[2])
    case ("count", 3): self = .count(of: words[2])
    case ("reference", 3): self = .reference(of: words[2])
    case ("elements", 3): self = .elements(of: words[2])
    default: return nil
    }
  }

  /// The value in the user info.
  package var text: String {
    switch self {
    case .runs(let name): "runs of \(name)"
    case .count(let name): "count of \(name)"
    case .inverse: "inverse"
    case .reference(let name): "reference of \(name)"
    case .elements(let name): "elements of \(name)"
    case .owner: "owner"
    case .position: "position"
    case .key: "key"
    case .value: "value"
    }
  }
}

extension DraftedPart {
  /// The other keys of the user info that are read back.
  enum Key {
    /// The type that the values of an attribute have in the relational layout.
    static let type = "archivedType"
    /// The inverse that a relationship has in the relational layout.
    static let inverse = "archivedInverse"
  }
}
