extension ComparisonOperator {
  /// Searches in texts, scalar by scalar, in a time that is in proportion to their length.
  enum TextSearch {
    /// True if a text contains another one that is not empty: Foundation finds no empty ones.
    static func contains(_ text: String, _ part: String) -> Bool {
      let part = Array(part.utf8)
      guard let first = part.first, part.count <= text.utf8.count else { return false }
      // For each place, the length of the longest beginning that ends there (Knuth, Morris, Pratt).
      var borders = [Int](repeating: 0, count: part.count)
      func extended(_ length: Int, by byte: UInt8) -> Int {
        var length = length
        while length > 0, part[length] != byte { length = borders[length - 1] }
        return part[length] == byte ? length + 1 : length
      }
      for place in part.indices.dropFirst() {
        borders[place] = extended(borders[place - 1], by: part[place])
      }
      var length = 0
      for byte in text.utf8 {
        if length == 0, byte != first { continue }
        length = extended(length, by: byte)
        if length == part.count { return true }
      }
      return false
    }

    /// True if a text begins with another one that is not empty.
    static func begins(_ text: String, _ part: String) -> Bool {
      !part.isEmpty && text.utf8.starts(with: part.utf8)
    }

    /// True if a text ends with another one that is not empty.
    static func ends(_ text: String, _ part: String) -> Bool {
      !part.isEmpty && text.utf8.reversed().starts(with: part.utf8.reversed())
    }
  }
}
