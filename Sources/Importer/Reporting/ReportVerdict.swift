/// What a report comes to, in one sentence.
struct ReportVerdict {
  /// How well a run went.
  enum Kind: String {
    /// All archives were converted, and nothing was found to be wrong.
    case good
    /// Something is to be looked at, but no archive and no part of one is missing.
    case attention
    /// Something is missing or wrong: the exit code of the run was not 0.
    case bad
  }

  var kind: Kind
  var sentence: String

  init(_ report: ConversionReport) {
    let files = report.archives.filter { $0.place == nil }
    let converted = files.count { $0.outcome == .converted }
    let rejected = files.count { $0.outcome == .rejected }
    guard report.hasStore || report.isDryRun else {
      kind = .bad
      let count = report.validationErrorCount
      let reason =
        count == 0
        ? ""
        : ": " + ReportWords.count(count, "value or row", plural: "values or rows")
          + (count == 1 ? " breaks a rule" : " break a rule")
      sentence = "Nothing was written\(reason)."
      return
    }
    let known = files.count - converted - rejected
    var parts = [Self.conversion(converted, known, rejected, isDryRun: report.isDryRun)]
    if report.hasDamagedArchives { parts.append("parts of them could not be read") }
    if let pass = report.failedPass { parts.append("pass \(pass.name) failed") }
    sentence = parts.joined(separator: ", ") + Self.ending(report)
    let isBad =
      rejected > 0 || report.hasDamagedArchives || report.hasRejectedArchives
      || report.failedPass != nil || report.verification?.isPassed == false
    let isDoubtful = ReportFinding.all(in: report).contains { $0.kind != .good }
    kind = isBad ? .bad : isDoubtful ? .attention : .good
  }

  private static func conversion(
    _ converted: Int, _ known: Int, _ rejected: Int, isDryRun: Bool
  ) -> String {
    let verb = isDryRun ? "can be converted" : converted == 1 ? "was converted" : "were converted"
    let all = converted + known + rejected
    if rejected > 0 {
      return "\(converted) of \(ReportWords.count(all, "archive")) \(verb), \(rejected) "
        + (rejected == 1 ? "was rejected" : "were rejected")
    }
    if converted == 0 {
      return known == 0 ? "No archive was converted" : "Nothing is new: the store has all archives"
    }
    if known > 0 {
      return "\(converted) of \(ReportWords.count(all, "archive")) \(verb), "
        + "\(known) the store had already"
    }
    return converted == 1 ? "The archive \(verb)" : "All \(converted) archives \(verb)"
  }

  private static func ending(_ report: ConversionReport) -> String {
    guard let verification = report.verification else {
      return report.isDryRun ? "; nothing was kept." : "; the store was not verified."
    }
    if verification.isPassed {
      return report.isDryRun
        ? "; the store was verified, but not kept." : "; the store is verified."
    }
    let count = ReportWords.count(verification.differenceCount, "place")
    return "; the store differs from the archives in \(count)."
  }
}

extension ConversionReport {
  /// Whether there is a store: it was written and kept.
  var hasStore: Bool { storeBytes != nil }
}
