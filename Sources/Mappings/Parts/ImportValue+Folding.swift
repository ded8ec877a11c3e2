import DataModel
import Foundation

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
