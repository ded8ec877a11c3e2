extension StoreComparison {
  /// Compares all rows of the store with those that its runs make when they are made again.
  ///
  /// Where the two differ, the runs are made once more: what differs each time is left out.
  ///
  /// - Parameters:
  ///   - runs: All runs, or those that added to a store.
  ///   - plans: Their plans.
  /// - Throws: `StoreError` if a store cannot be read or written, `ConversionError` if a run fails.
  func compareAgain(_ runs: RepeatedRuns, _ plans: [ImportPlan]) throws {
    let places = RepeatComparison.Places(plans.map(\.layout), comparesPaths: comparesPaths)
    // What holds for every store does not depend on who wrote it.
    if let last = plans.last { try StoreConsistency(last, store, findings).check() }
    let again = try VerifiedStore(path: try runs.make(0))
    let first = VerificationFindings(findings.spill)
    let comparison = RepeatComparison(store, again, nil, first, places)
    try comparison.compare()
    guard comparison.isDifferent else { return findings.merge(first.result) }
    let third = try VerifiedStore(path: try runs.make(1))
    let whole = VerificationFindings(findings.spill)
    try RepeatComparison(store, again, third, whole, places).compare()
    findings.merge(whole.result)
  }
}
