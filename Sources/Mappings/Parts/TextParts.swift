extension RelationshipMapping {
  /// Takes texts apart at a separator.
  ///
  /// The separator has its scalars in the text; it does not end before an accent, or whatever else
  /// makes one character with its last scalar. A line feed is found in the end of a line of two
  /// characters.
  struct TextParts {
    private let separator: String
    private let scalars: [Unicode.Scalar]
    /// True if a text that looks like the separator, with other scalars, is none.
    private let isExact: Bool

    init(_ separator: String, isExact: Bool) {
      self.separator = separator
      scalars = Array(separator.unicodeScalars)
      // What is ASCII has one form.
      self.isExact = isExact || scalars.allSatisfy(\.isASCII)
    }

    /// The parts of a text, empty ones included.
    func parts(of text: String) -> [String] {
      guard isExact else {
        return text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      }
      let all = text.unicodeScalars
      var parts: [String] = []
      var (start, place) = (all.startIndex, all.startIndex)
      while place < all.endIndex {
        guard let end = end(at: place, in: all) else {
          all.formIndex(after: &place)
          continue
        }
        parts.append(String(all[start..<place]))
        (start, place) = (end, end)
      }
      parts.append(String(all[start...]))
      return parts
    }

    /// The end of a separator that begins at a place; nil if none does.
    private func end(
      at place: String.Index, in all: String.UnicodeScalarView
    ) -> String.Index? {
      var place = place
      for scalar in scalars {
        guard place < all.endIndex, all[place] == scalar else { return nil }
        all.formIndex(after: &place)
      }
      guard place < all.endIndex else { return place }
      let next = all[place].properties
      return next.isGraphemeExtend || next.isEmojiModifier ? nil : place
    }
  }
}
