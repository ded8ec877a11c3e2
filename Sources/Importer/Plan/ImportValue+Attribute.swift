extension ImportValue {
  /// The value as what an attribute holds where nothing is set.
  var attributeDefault: AttributeDefault? {
    switch self {
    case .null: nil
    case .bool(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .real(let value): .double(value)
    case .decimal: storedText.map { .decimal($0) }
    case .date(let value): .date(value.timeIntervalSinceReferenceDate)
    default: storedText.map { .string($0) }
    }
  }
}
