extension Sequence<Int> {
  /// The sum, or the greatest number there is: a report that is read may hold any number.
  package var boundedSum: Int {
    reduce(0) { $0.addingBounded($1) }
  }
}

extension Int {
  /// The sum with another number, or the greatest number there is.
  package func addingBounded(_ other: Int) -> Int {
    let (result, overflow) = addingReportingOverflow(other)
    return overflow ? .max : result
  }
}
