/// The table of the relational layout whose rows an entity of a drafted model has.
///
/// The user info of the entity says so, under the key `archivedTable`.
package enum DraftedTable: Sendable, Hashable {
  /// The elements of what an entity holds under a key.
  case elements(entity: String, property: String)
  /// The values that find no room in the table of an entity.
  case overflow(entity: String)
  /// The collections that no object holds under a key, and their elements.
  case collections
  case collectionElements
  /// The values of the top-level keys.
  case topLevel

  /// The key of the user info.
  static let userInfoKey = "archivedTable"

  /// Reads what the user info says.
  init(text: String) {
    let words = text.split(separator: ".", maxSplits: 1).map(String.init)
    switch text {
    case "_collection": self = .collections
    case "_collection_element": self = .collectionElements
    case "_top": self = .topLevel
    default:
      self =
        words.count == 2
        ? .elements(entity: words[0], property: words[1]) : .overflow(entity: text)
    }
  }

  /// The value in the user info: the name that such a table has in the relational layout.
  var text: String {
    switch self {
    case .elements(let entity, let property): "\(entity).\(property)"
    case .overflow(let entity): entity
    case .collections: "_collection"
    case .collectionElements: "_collection_element"
    case .topLevel: "_top"
    }
  }
}
