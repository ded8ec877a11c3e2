extension LayoutOmission {
  /// It in words.
  var words: String {
    let noun =
      switch kind {
      case .value: ReportWords.count(count, "value")
      case .link: ReportWords.count(count, "link")
      case .order: ReportWords.count(count, "row")
      }
    return "\(noun) of \(entity) '\(property)' (\(reason))"
  }
}
