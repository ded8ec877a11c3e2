import DataModel
import Foundation

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
