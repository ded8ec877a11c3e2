import ArchiveReader

/// Descriptions of indexes.
extension ModelArchive {
  private enum ElementType {
    static let rTree: Int64 = 1
  }

  /// The fetch indexes of an `NSEntityDescription`.
  mutating func fetchIndexes(of entity: GraphObject) throws(ModelError) -> [FetchIndex] {
    var indexes: [FetchIndex] = []
    for value in try list(try self.value(of: entity, "NSFetchIndexDescriptions")) {
      guard let object = try self.object(value), isA("NSFetchIndexDescription", object),
        let name = try text(of: object, "NSIndexName")
      else { continue }
      var index = FetchIndex(name: name, elements: [])
      index.isPartial = try self.object(self.value(of: object, "NSPartialIndexPredicate")) != nil
      for value in try list(try self.value(of: object, "NSIndexElements")) {
        guard let element = try self.object(value) else { continue }
        let form = try integer(of: element, "NSFetchIndexElementType") ?? 0
        index.elements.append(
          FetchIndex.Element(
            property: try text(of: element, "NSPropertyName"),
            // Where it is false, the compiler leaves it out.
            isAscending: try flag(of: element, "NSAscending") ?? false,
            form: form == ElementType.rTree ? .rTree : .binary))
      }
      indexes.append(index)
    }
    return indexes
  }
}
