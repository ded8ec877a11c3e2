import Foundation
import Support

/// A fact about the run as a whole: a name and a value, for the forms that are documents.
struct ReportFacts {
  var name: String
  var value: String
  /// True if the value comes from a file, or is to be copied verbatim.
  var isQuoted = false

  static func all(of report: ConversionReport) -> [ReportFacts] {
    var facts: [ReportFacts] = []
    if !report.storePath.isEmpty, report.hasStore {
      facts.append(ReportFacts(name: "Store", value: report.storePath, isQuoted: true))
    }
    facts.append(ReportFacts(name: "Layout", value: report.storeLayout))
    if let bytes = report.storeBytes {
      facts.append(ReportFacts(name: "Size", value: ReportWords.exactSize(bytes)))
    }
    if let digest = report.storeSHA256 {
      facts.append(ReportFacts(name: "SHA-256", value: digest, isQuoted: true))
    }
    if let start = report.startedAt {
      facts.append(ReportFacts(name: "Started", value: ReportWords.time(start)))
    }
    if let seconds = report.seconds {
      facts.append(ReportFacts(name: "Duration", value: ReportWords.time(seconds)))
    }
    facts += ReportWords.unowned(report).map { ReportFacts(name: $0.name, value: $0.words) }
    facts.append(ReportFacts(name: "Verification", value: verification(report)))
    facts.append(ReportFacts(name: "Converter", value: "version \(report.converterVersion)"))
    return facts
  }

  private static func verification(_ report: ConversionReport) -> String {
    guard let result = report.verification else { return "not run" }
    let compared = ReportWords.compared(result, in: report)
    guard result.isPassed else { return "failed, \(compared)" }
    guard !result.isComplete else { return "passed, \(compared)" }
    return "incomplete, \(compared), \(Words.grouped(result.notComparedCount)) not compared"
  }
}

/// The outcome of a report, in one sentence.
struct ReportVerdict {
  /// The kind of outcome of a run.
  enum Kind: String {
    /// All archives were converted whole, but for what was left out on purpose.
    case good
    /// Something needs attention, such as objects or values that are not in the store.
    case attention
    /// Something is missing or wrong: the exit code of the run was not 0.
    case bad
  }

  var kind: Kind
  var sentence: String
  /// The clauses on what is missing from the store; none if nothing is.
  var losses: [String] = []

  init(_ report: ConversionReport) {
    guard report.hasStore || report.isDryRun else {
      kind = .bad
      let reason = Self.reason(report)
      sentence = "Nothing was written\(reason)."
      return
    }
    var parts = Self.conversion(report)
    if report.hasDamagedArchives { parts.append("parts could not be read") }
    if let pass = report.failedPass { parts.append("pass \(pass.name) failed") }
    losses = ReportLoss.clauses(report)
    sentence =
      ([parts.joined(separator: ", ")] + losses).joined(separator: "; ") + Self.ending(report)
    let isBad =
      report.isWithoutRows || report.hasDamagedArchives || report.hasRejectedArchives
      || report.failedPass != nil || report.verification?.isPassed == false
    let isDoubtful = ReportFinding.all(in: report).contains { $0.kind != .good }
    kind = isBad ? .bad : isDoubtful ? .attention : .good
  }

  /// Why nothing was written, as far as the report says; empty if it does not.
  private static func reason(_ report: ConversionReport) -> String {
    let count = report.validationErrorCount
    if count > 0 {
      return ": " + Words.count(count, "validation error")
    }
    guard let verification = report.verification, !verification.isPassed else { return "" }
    return ": the store would differ from the archives in "
      + Words.count(verification.differenceCount, "place")
  }

  /// The outcome of the files, not counting nested archives.
  private static func conversion(_ report: ConversionReport) -> [String] {
    let files = report.archives.filter { $0.place == nil }
    let converted = files.count { $0.outcome == .converted }
    let rejected = files.count { $0.outcome == .rejected }
    let duplicates = files.count { $0.outcome == .skipped && $0.duplicateOf != nil }
    let known = files.count - converted - rejected - duplicates
    guard converted + rejected + duplicates > 0 else {
      return [
        known == 0 ? "No archive was found" : "Nothing new: the store already has all archives"
      ]
    }
    let words = SourceWords(report)
    func verb(_ count: Int) -> String {
      (report.isDryRun ? "can be " : count == 1 ? "was " : "were ") + words.verb.lowercased()
    }
    if converted == files.count {
      return [
        converted == 1
          ? "The \(words.input) \(verb(1))"
          : "All \(Words.grouped(converted)) \(words.input)s \(verb(2))"
      ]
    }
    var parts = [
      "\(Words.grouped(converted)) of \(Words.count(files.count, words.input)) "
        + verb(converted)
    ]
    if known > 0 { parts.append("\(Words.grouped(known)) already in the store") }
    if duplicates > 0 {
      parts.append(
        duplicates == 1 ? "1 is a duplicate" : "\(Words.grouped(duplicates)) are duplicates")
    }
    if rejected > 0 {
      parts.append(rejected == 1 ? "1 was rejected" : "\(Words.grouped(rejected)) were rejected")
    }
    return parts
  }

  private static func ending(_ report: ConversionReport) -> String {
    guard let verification = report.verification else {
      return report.isDryRun ? "; nothing was kept." : "; the store was not verified."
    }
    if verification.isPassed, !verification.isComplete {
      let rest = Words.count(
        verification.notComparedCount, "value or row", plural: "values and rows")
      return "; the store was verified, except for \(rest) that could not be compared"
        + (report.isDryRun ? ", but not kept." : ".")
    }
    if verification.isPassed {
      return report.isDryRun
        ? "; the store was verified, but not kept." : "; the store is verified."
    }
    let count = Words.count(verification.differenceCount, "place")
    return "; the store differs from the \(SourceWords(report).input)s in \(count)."
  }
}

extension ConversionReport {
  /// True if there is a store: it was written and kept.
  var hasStore: Bool { storeBytes != nil }
}
