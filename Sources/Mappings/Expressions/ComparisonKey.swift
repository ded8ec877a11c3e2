import DataModel
import Foundation

/// A value in a form that is equal for values that a predicate takes as equal.
enum ComparisonKey: Hashable {
  case null
  case number(ExactNumber)
  /// An infinity or NaN, which is equal to itself here.
  case special(String)
  case text([UInt8])
  case url([UInt8])
  case other(ImportValue)
  case list([ComparisonKey])
  case set(Set<ComparisonKey>)
  case dictionary([ComparisonKey: ComparisonKey])

  init(_ value: ImportValue, options: TextOptions = []) {
    switch value {
    case .null: self = .null
    case .bool, .integer, .real, .decimal:
      let number = NumericValue(value)
      self = number?.exact.map { .number($0) } ?? .special("\(number?.real ?? .nan)")
    case .text(let text): self = .text(Array(options.folded(text).utf8))
    case .date, .data, .uuid, .row, .foundation: self = .other(value)
    case .url(let text): self = .url(Array(text.utf8))
    case .list(let elements): self = .list(elements.map { ComparisonKey($0, options: options) })
    case .set(let elements): self = .set(Set(elements.map { ComparisonKey($0, options: options) }))
    case .dictionary(let pairs):
      self = .dictionary(
        Dictionary(
          pairs.map { (ComparisonKey($0.key), ComparisonKey($0.value, options: options)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The values without those that are equal to an earlier one.
  static func distinct(_ values: [ImportValue]) -> [ImportValue] {
    var seen: Set<ComparisonKey> = []
    return values.filter { seen.insert(ComparisonKey($0)).inserted }
  }
}
