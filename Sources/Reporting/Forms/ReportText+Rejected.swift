import Support

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
