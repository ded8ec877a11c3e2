/// The number of a class in an `ObjectReader`, in the order in which they were met.
package struct ClassID: BitwiseCopyable, Hashable, Sendable {
  package let index: Int

  package init(index: Int) {
    self.index = index
  }
}

/// The record of a class in an archive.
package struct ClassRecord: Hashable, Sendable {
  /// The name, as archived.
  package var name: String
  /// The class and its superclasses, the class first.
  ///
  /// Empty where the archive does not say.
  package var hierarchy: [String]
  /// Names of classes to use where the class is unknown (`$classhints`).
  package var hints: [String]
  /// The Foundation class whose objects are read as a value or a collection, if it is one.
  package var known: KnownClass?

  package init(name: String, hierarchy: [String], hints: [String], known: KnownClass? = nil) {
    self.name = name
    self.hierarchy = hierarchy
    self.hints = hints
    self.known = known
  }

  /// True if its objects are attributed texts.
  package var isAttributedText: Bool {
    guard case .foundation(let found) = known else { return false }
    return found.name == ArchivedAttributedString.classNames.first
  }
}
