extension StoredValue {
  /// A value as the relational layout keeps it.
  package init(_ value: ImportValue) {
    switch value {
    case .null, .row: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = value.isNaN ? .text("NaN") : .real(value)
    case .data(let data): self = .blob(data)
    default: self = value.storedText.map { .text($0) } ?? .null
    }
  }
}
