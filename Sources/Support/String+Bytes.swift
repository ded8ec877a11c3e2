extension String {
  /// Whether it comes before another in the order of their UTF-8 bytes.
  package func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether it is another text byte for byte, not only by what Unicode takes for the same.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
