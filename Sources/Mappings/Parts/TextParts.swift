import DataModel
import Foundation

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

extension RelationshipMapping.Split {
  /// The elements of a value, each of which is a part if `part(_:)` keeps it: those of a
  /// collection, or what stands between the separators of a text.
  package func elements(of value: ImportValue) -> [ImportValue] {
    switch value {
    case .null: return []
    case .list(let values), .set(let values): return values
    case .text(let text):
      guard let separator, !separator.isEmpty else { return [value] }
      return RelationshipMapping.TextParts(separator, isExact: folding == .none).parts(of: text).map
      { .text($0) }
    default: return [value]
    }
  }

  /// The part that an element is; nil for one that is left out.
  package func part(_ element: ImportValue) -> ImportValue? {
    guard !element.isNull else { return nil }
    guard trims, case .text(let text) = element else { return element }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : .text(trimmed)
  }
}

extension ImportValue {
  /// The value in the form in which it is sought among those of other rows: two are one row's if
  /// SQLite takes what is stored of them for equal.
  ///
  /// So are the numbers 1 and 1.0, and true; 0.0 and -0.0; a date and the same one as text, in a
  /// column of values of all types.
  ///
  /// - Parameter folding: The way to compare texts.
  /// - Returns: The form; the value itself where it has none.
  package func folded(_ folding: RelationshipMapping.Folding) -> ImportValue {
    switch self {
    case .null, .integer, .data, .row, .list, .set, .dictionary: self
    case .text(let text): .text(folding.folded(text))
    case .bool(let value): .integer(value ? 1 : 0)
    // NaN is stored as text; it equals nothing as a number.
    case .real(let value):
      value.isNaN ? .text("NaN") : Int64(exactly: value).map { .integer($0) } ?? self
    // The column has the text alone, and what is unique there tells rows apart.
    case .foundation(let found):
      if let attributed = attributedText {
        attributed.text.map { ImportValue.text($0).folded(folding) } ?? .null
      } else {
        .text(found.json)
      }
    case .decimal, .date, .uuid, .url: ValueText.text(of: self).map { .text($0) } ?? self
    }
  }
}

extension RelationshipMapping.Folding {
  fileprivate func folded(_ text: String) -> String {
    switch self {
    case .none: text
    case .unicode: text.precomposedStringWithCanonicalMapping
    case .case:
      text.folding(options: .caseInsensitive, locale: nil).precomposedStringWithCanonicalMapping
    }
  }
}
