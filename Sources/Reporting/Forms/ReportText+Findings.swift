import Migration
import Stores
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

extension ReportText {
  /// The parts of damaged archives that could not be read.
  var damages: String {
    let damaged = report.archives.filter { $0.damageCount > 0 }
    guard !damaged.isEmpty else { return "" }
    let count = damaged.map(\.damageCount).boundedSum
    var lines = [
      styled(
        "\(SourceWords.damaged(damaged)); "
          + "\(Words.count(count, "part")) could not be read.", .yellow)
    ]
    let most = isVerbose ? 100 : 10
    for archive in damaged {
      for damage in archive.damages.prefix(most + 1 - lines.count) {
        lines.append(
          "  \(PrintableText.printable(archive.path)): \(PrintableText.printable(damage.reason))")
      }
    }
    let rest = count - (lines.count - 1)
    if rest > 0 {
      lines.append(more(rest, listed: damaged.map(\.damages.count).boundedSum, of: count))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ReportText {
  /// The archives that were rejected, with all that identifies them.
  var rejected: String {
    let rejected = report.archives.filter { $0.outcome == .rejected }
    guard !rejected.isEmpty else { return "" }
    let lines = rejected.flatMap { archive in
      let facts = [
        archive.format, archive.bytes.map { Words.count($0, "byte") },
        archive.sha256.map { "SHA-256 \($0)" },
      ].compactMap(\.self)
      return ["  \(archive.path): \(archive.error ?? "")"]
        + (facts.isEmpty ? [] : ["    " + facts.joined(separator: ", ")])
    }
    return ([styled(heading(rejected.count), .red) + ":"] + lines.map(PrintableText.printable))
      .joined(separator: "\n") + "\n"
  }

  /// The last lines: what was rejected, however well the rest went.
  var closing: String {
    let rejected = report.archives.filter { $0.outcome == .rejected }
    guard !rejected.isEmpty else { return "" }
    let heading = styled(heading(rejected.count), .red)
    // The whole list stands above.
    guard !isVerbose else { return "\(heading): see above.\n" }
    let most = 10
    var lines = rejected.prefix(most).map { "  " + PrintableText.printable($0.path) }
    if rejected.count > most {
      lines.append("  … and \(Words.grouped(rejected.count - most)) more.")
    }
    return (["\(heading):"] + lines).joined(separator: "\n") + "\n"
  }

  private func heading(_ count: Int) -> String {
    let isNested = report.archives.contains { $0.outcome == .rejected && $0.place != nil }
    return "Rejected \(Words.count(count, isNested ? "archive" : SourceWords(report).input))"
  }
}

extension ReportText {
  /// The results of the steps of migrations.
  var migrations: String {
    var lines: [String] = []
    for migration in report.migrations {
      for step in migration.steps {
        lines.append(styled("Migration: \(PrintableText.printable(step.title)).", .bold))
        for line in "\(step.summary)".split(separator: "\n") {
          lines.append("  " + PrintableText.printable(String(line)))
        }
      }
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }
}

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
