extension Entity {
  /// True if an attribute has an index by its name alone, which its own element can declare.
  ///
  /// The compiler adds such an index to every other one that sorts by the attribute alone; declared
  /// by an element of its own, it would be there twice.
  func hasIndex(of attribute: Attribute) -> Bool {
    fetchIndexes.contains { $0.isOfAttributeAlone && $0.name == attribute.name }
  }
}

extension FetchIndex {
  /// True if the index has the name of the one property that it sorts by, and is for all rows.
  fileprivate var isOfAttributeAlone: Bool { onlyAscendingProperty == name && !isPartial }
}

extension XMLModelWriter {
  /// An index as an element of its own; nil for one that stands in its attribute's, and where a
  /// compiled model did not tell all of it.
  static func element(_ index: FetchIndex, of entity: Entity) -> ElementText? {
    let isAttribute = entity.attributes.contains { $0.name == index.name }
    guard !(index.isOfAttributeAlone && isAttribute) else { return nil }
    guard !index.isPartial || index.predicate != nil,
      index.elements.allSatisfy({ $0.property != nil || $0.expression != nil })
    else { return nil }
    var element = ElementText("fetchIndex", ["name": index.name])
    element.add("partialIndexPredicate", index.predicate)
    element.children = index.elements.map { part in
      ElementText(
        "fetchIndexElement",
        [
          "property": part.property, "expression": part.property == nil ? part.expression : nil,
          "type": part.form == .rTree ? "RTree" : "Binary",
          "order": part.isAscending ? "ascending" : "descending",
        ])
    }
    return element
  }
}
