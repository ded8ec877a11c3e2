extension ImportValue {
  /// The text that a store keeps of a value.
  ///
  /// Collections and values of Foundation's other classes are kept in JSON. Nothing and rows have
  /// no text.
  package var storedText: String? {
    switch self {
    case .null, .row: nil
    case .foundation(let found): found.json
    case .list, .set, .dictionary: try? JSONText.text(of: self)
    default: ValueText.text(of: self)
    }
  }
}
