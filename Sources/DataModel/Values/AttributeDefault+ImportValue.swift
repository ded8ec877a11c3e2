import Foundation

extension AttributeDefault {
  /// The default as a value; nil for what models do not write as one.
  package var importValue: ImportValue? {
    switch self {
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .real(value)
    case .decimal(let text): ImportValue(decimalText: text)
    case .string(let text): .text(text)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .other: nil
    }
  }
}
