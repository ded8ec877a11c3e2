extension ImportValue {
  /// The text that a store keeps of a value.
  ///
  /// Collections are kept in JSON. Nothing and rows have no text.
  var storedText: String? {
    switch self {
    case .null, .row: nil
    case .list, .set, .dictionary: try? JSONText.text(of: self)
    default: ValueText.text(of: self)
    }
  }
}
