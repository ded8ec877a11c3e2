extension ImportValue {
  /// The text that a store keeps of a value, for values that are kept as text: collections in
  /// JSON. Nil for nothing and for rows.
  var storedText: String? {
    switch self {
    case .null, .row: nil
    case .list, .set, .dictionary: try? JSONText.text(of: self)
    default: ValueText.text(of: self)
    }
  }
}
