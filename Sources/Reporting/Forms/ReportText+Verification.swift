import Stores
import Support

extension ReportText {
  /// The findings of a comparison, for a command that does nothing else.
  package var verification: String {
    [comparison, closing].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The findings of the comparison of the store with the archives; empty if it was not made.
  var comparison: String {
    guard let result = report.verification else { return "" }
    let compared = ReportWords.compared(result, in: report)
    var lines: [String] = []
    if result.isPassed, !result.isComplete {
      let rest = Words.count(
        result.notComparedCount, "value or row", plural: "values and rows")
      lines.append(
        styled("Verification incomplete", .yellow)
          + ": no differences were found, but \(rest) could not be compared; \(compared).")
    } else if result.isPassed {
      lines.append(styled("Verification passed", .green) + ": \(compared).")
    } else {
      let count = Words.count(result.differenceCount, "difference")
      lines.append(styled("Verification failed", .red) + ": \(count); \(compared).")
    }
    let most = isVerbose ? 100 : 10
    for difference in result.differences.prefix(most) {
      lines.append("  " + PrintableText.printable(Self.words(difference)))
    }
    let rest = result.differenceCount - min(most, result.differences.count)
    if rest > 0 {
      lines.append(more(rest, listed: result.differences.count, of: result.differenceCount))
    }
    for omission in result.notCompared.prefix(most) {
      let name =
        omission.property.isEmpty ? omission.entity : "\(omission.entity).\(omission.property)"
      lines.append(
        styled("Not compared", .yellow)
          + ": \(PrintableText.printable(name)) (\(omission.count)), because \(omission.reason).")
    }
    if result.notCompared.count > most {
      lines.append("Not compared: \(result.notCompared.count - most) more; see a JSON report.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A difference in words: "a.plist: object 5, Note 7, title: expected 'a', found 'b'", or
  /// "a.plist: is not in the store".
  static func words(_ difference: VerificationResult.Difference) -> String {
    if difference.entity == RelationalLayout.archiveTable, difference.property.isEmpty,
      let archive = difference.archive
    {
      return "\(archive): \(difference.found)"
    }
    var place = difference.entity
    if let row = difference.row { place += " \(row)" }
    if !difference.property.isEmpty { place += ", \(difference.property)" }
    if let uid = difference.uid { place = "object \(uid), \(place)" }
    return "\(difference.archive ?? "the store"): \(place): expected \(difference.expected), "
      + "found \(difference.found)"
  }
}
