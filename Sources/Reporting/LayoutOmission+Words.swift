import Support

extension LayoutOmission {
  /// It in words.
  var words: String {
    let noun =
      switch kind {
      case .value: Words.count(count, "value")
      case .link: Words.count(count, "link")
      case .order, .index: Words.count(count, "row")
      }
    return "\(noun) of \(entity) '\(property)' (\(reason))"
  }
}
