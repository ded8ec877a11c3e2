extension String {
  /// True if it comes before another in the order of their UTF-8 bytes.
  package func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// True if it equals another text byte for byte, not only as Unicode compares them.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// The text with capitals of ASCII as small letters: names are the same to SQLite where this is.
  package var folded: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
