import DataModel
import Foundation

extension ImportValue {
  /// A text, folded for the search for a row.
  package func folded(_ folding: RelationshipMapping.Folding) -> ImportValue {
    // The column has the text alone, and what is unique there tells rows apart.
    if let attributed = attributedText {
      return attributed.text.map { ImportValue.text($0).folded(folding) } ?? .null
    }
    guard case .text(let text) = self else { return self }
    let folded =
      switch folding {
      case .none: text
      case .unicode: text.precomposedStringWithCanonicalMapping
      case .case:
        text.folding(options: .caseInsensitive, locale: nil).precomposedStringWithCanonicalMapping
      }
    return .text(folded)
  }
}
