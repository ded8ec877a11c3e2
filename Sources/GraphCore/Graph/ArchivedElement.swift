/// An element of a collection as the archive has it.
package struct ArchivedElement {
  /// Its place; nil where there is no order.
  package var position: Int?
  /// Its key; nil where there are none.
  package var key: GraphValue?
  /// The value of the element.
  package var value: GraphValue

  @inlinable
  package init(position: Int?, key: GraphValue?, value: GraphValue) {
    (self.position, self.key, self.value) = (position, key, value)
  }
}

extension ObjectGraph {
  /// An element of a collection.
  @inlinable
  package func element(
    of elements: GraphElements, at position: Int
  ) throws(ArchiveError) -> ArchivedElement {
    ArchivedElement(
      position: elements.kind.isOrdered ? position : nil,
      key: elements.kind.isKeyed ? try key(of: elements, at: position) : nil,
      value: try value(of: elements, at: position))
  }
}
