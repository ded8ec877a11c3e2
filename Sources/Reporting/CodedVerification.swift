extension ConversionReport {
  /// The result of a verification, or that there was none, as the report in JSON has it.
  struct CodedVerification: Codable {
    private enum Status: String, Codable {
      case passed
      /// Nothing differs, but not everything was compared.
      case incomplete
      case failed
      case notRun = "not run"
    }

    private var status: Status
    private var valuesCompared: Int?
    private var linksCompared: Int?
    private var entriesCompared: Int?
    private var differences: [VerificationResult.Difference]?
    private var differencesLeftOut: Int?
    private var notCompared: [VerificationResult.Omission]?

    init(_ result: VerificationResult?) {
      guard let result else {
        status = .notRun
        return
      }
      status = result.isComplete ? .passed : result.isPassed ? .incomplete : .failed
      (valuesCompared, linksCompared) = (result.valuesCompared, result.linksCompared)
      entriesCompared = result.entriesCompared
      differences = result.differences
      differencesLeftOut = max(0, result.differenceCount - result.differences.count)
      notCompared = result.notCompared.isEmpty ? nil : result.notCompared
    }

    var result: VerificationResult? {
      guard status != .notRun else { return nil }
      var result = VerificationResult()
      result.valuesCompared = valuesCompared ?? 0
      result.linksCompared = linksCompared ?? 0
      result.entriesCompared = entriesCompared ?? 0
      result.differences = differences ?? []
      result.notCompared = notCompared ?? []
      result.differenceCount = [result.differences.count, differencesLeftOut ?? 0].boundedSum
      // A report that calls itself failed is not to be read as one that passed.
      if status == .failed { result.differenceCount = max(1, result.differenceCount) }
      return result
    }
  }
}
