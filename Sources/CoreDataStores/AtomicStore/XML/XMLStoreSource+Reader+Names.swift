import ArchiveReader
import GraphCore

extension XMLStoreSource.Reader {
  /// The names of the properties that the objects of each entity have in a store, as it spells
  /// them.
  ///
  /// Relationships that hold nothing do not count: a reader leaves them out, too.
  ///
  /// - Complexity: Linear in the size of the file.
  static func properties(
    of document: ByteStorage, limits: ReadingLimits
  ) throws(ArchiveError) -> [String: Set<String>] {
    var properties: [String: Set<String>] = [:]
    var entity = ""
    var count = 0
    try XMLStoreEvents.read(document) { (event, _) throws(ArchiveError) in
      guard case .start(let element, let attributes) = event else { return true }
      switch element {
      case "object":
        entity = attributes["type"] ?? ""
        if properties[entity] == nil { properties[entity] = [] }
      case "relationship" where (attributes["idrefs"] ?? "").allSatisfy(\.isWhitespace): return true
      case "attribute", "relationship":
        guard properties[entity]?.insert(attributes["name"] ?? "").inserted == true else {
          return true
        }
        count += 1
      default: return true
      }
      guard properties.count + count <= limits.collectionKeys else {
        throw limits.exceeded(.collectionKeys)
      }
      return true
    }
    return properties
  }
}
