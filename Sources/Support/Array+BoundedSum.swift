extension Sequence<Int> {
  /// The sum, or the greatest number there is: a report that is read may hold any number.
  package var boundedSum: Int {
    reduce(0) { sum, number in
      let (result, overflow) = sum.addingReportingOverflow(number)
      return overflow ? .max : result
    }
  }
}
