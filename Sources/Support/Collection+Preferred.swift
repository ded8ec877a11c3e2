extension Collection {
  /// The first element for which something holds; the first of all if it holds for none.
  package func preferred(where isPreferred: (Element) -> Bool) -> Element? {
    first(where: isPreferred) ?? first
  }
}
