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
