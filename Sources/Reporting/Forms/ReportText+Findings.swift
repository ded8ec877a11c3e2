import Support

extension ReportText {
  /// Values and rows that break the rules of the model, or could not be converted.
  var errors: String {
    guard report.validationErrorCount > 0 else { return "" }
    let count = Words.count(report.validationErrorCount, "error")
    var lines = [styled("Validation: \(count).", .red)]
    let messages = report.errorMessages
    let most = isVerbose ? 100 : 10
    lines += messages.prefix(most).map { "  " + PrintableText.printable($0) }
    if messages.count > most { lines.append("  … and more: see a JSON report.") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Contradictions in the archives.
  var conflicts: String {
    guard report.conflictCount > 0 else { return "" }
    var lines = [
      styled(
        "Conflicts: \(Words.count(report.conflictCount, "contradiction")) in the archives.",
        .yellow)
    ]
    for conflict in report.conflicts.prefix(isVerbose ? 100 : 10) {
      let name = conflict.className.map { " (\(PrintableText.printable($0)))" } ?? ""
      let place = conflict.uid.map { "object \($0)\(name), " } ?? ""
      lines.append(
        "  \(PrintableText.printable(conflict.archive ?? "")): \(place)"
          + "\(conflict.entity) \(conflict.row), \(conflict.property): \(ReportWords.words(conflict.code))"
      )
    }
    let rest = report.conflictCount - (lines.count - 1)
    if rest > 0 {
      lines.append(more(rest, listed: report.conflicts.count, of: report.conflictCount))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var losses: String {
    guard report.lossCount > 0 else { return "" }
    var lines = [
      styled(
        "Lossy: \(Words.count(report.lossCount, "value")) could not be kept exactly.", .yellow
      )
    ]
    // What happens to one key happens to many objects: a line for each kind.
    let kinds = report.lossKinds
    for kind in kinds.prefix(isVerbose ? 100 : 10) {
      lines.append(
        "  \(PrintableText.printable("\(kind.location): \(kind.reason)"))\(occurrences(of: kind))")
    }
    let rest = report.lossCount - kinds.prefix(lines.count - 1).map(\.count).boundedSum
    if rest > 0 { lines.append(more(rest, listed: report.losses.count, of: report.lossCount)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The number of losses of a kind, and the place of the first, as far as they are known.
  private func occurrences(of kind: ImportLossKind) -> String {
    let times = kind.count == 1 ? nil : Words.count(kind.count, "time")
    guard !kind.archive.isEmpty else { return times.map { ": \($0)" } ?? "" }
    let place = kind.uid.map { " object \($0)" } ?? ""
    return ": \(times.map { "\($0), first in" } ?? "in") "
      + "\(PrintableText.printable(kind.archive))\(place)"
  }
}
