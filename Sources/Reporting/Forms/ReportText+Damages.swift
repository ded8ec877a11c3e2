import Support

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
