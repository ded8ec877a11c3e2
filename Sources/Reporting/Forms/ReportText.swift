import Foundation
import Support

/// The report for people: what is printed on the terminal after a run.
package struct ReportText {
  let report: ConversionReport
  let isVerbose: Bool
  private let style: TextStyle

  /// Prepares to print a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - isVerbose: True if each attribute, relationship and archive is printed.
  ///   - style: The style of headings and verdicts.
  package init(_ report: ConversionReport, isVerbose: Bool, style: TextStyle = .plain) {
    self.report = report
    self.isVerbose = isVerbose
    self.style = style
  }

  /// The report, each line ended.
  package func text() -> String {
    var parts = [verdict, isVerbose ? rejected : "", entities]
    if isVerbose { parts += report.entities.map(details) + [archives] }
    parts += [
      migrations, leftUnread, steering, unusedNames, errors, damages, conflicts, losses,
      comparison, closing,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  func styled(_ text: String, _ emphasis: TextStyle.Emphasis) -> String {
    style.styled(text, emphasis)
  }

  // MARK: Parts

  private var verdict: String {
    let files = report.archives.filter { $0.place == nil }
    let converted = files.count { $0.outcome == .converted }
    let rejected = files.count { $0.outcome == .rejected }
    let skipped = files.count { $0.outcome == .skipped && $0.duplicateOf == nil }
    let duplicates = files.count { $0.duplicateOf != nil && $0.outcome == .skipped }
    let words = SourceWords(report)
    var line = styled(
      "\(words.verb) \(Words.count(converted, words.input))", .green)
    if skipped > 0 { line += ", skipped \(Words.grouped(skipped)) already in the store" }
    if duplicates > 0 { line += ", skipped \(Words.count(duplicates, "duplicate"))" }
    if rejected > 0 { line += ", " + styled("rejected \(Words.grouped(rejected))", .red) }
    if let seconds = report.seconds { line += String(format: " in %.2f s", seconds) }
    let store =
      if report.isDryRun { "dry run, nothing was kept" } else if let bytes = report.storeBytes {
        "\(PrintableText.printable(report.storePath)), \(ReportWords.size(bytes))"
      } else { "nothing was written" }
    let verdict = ReportVerdict(report)
    guard !verdict.losses.isEmpty else { return "\(line) → \(store)\n" }
    let losses = verdict.losses.joined(separator: "; ")
    return "\(line) → \(store)\n\(styled(losses, report.isWithoutRows ? .red : .yellow)).\n"
  }

  /// True if the run has failed; then only the reason is reported.
  private var hasFailed: Bool { report.storeBytes == nil && !report.isDryRun }

  private var entities: String {
    guard !hasFailed else { return "" }
    var table = TextTable(
      ["entity", "\(SourceWords(report).objects) objects", "rows", "values", "links"],
      alignment: [.left, .right, .right, .right, .right], style: style)
    for entity in report.entities {
      table.add([
        entity.name, Words.grouped(entity.archivedObjects), Words.grouped(entity.rows),
        Words.grouped(entity.values), Words.grouped(entity.links),
      ])
    }
    if report.entities.count > 1 {
      func sum(_ value: (ConversionReport.Entity) -> Int) -> String {
        Words.grouped(report.entities.map(value).boundedSum)
      }
      table.addTotal(["all", sum(\.archivedObjects), sum(\.rows), sum(\.values), sum(\.links)])
    }
    if report.entities.isEmpty {
      guard report.knowsContent else { return "" }
      let isEmpty = report.archives.allSatisfy { $0.isEmpty || $0.outcome != .converted }
      return "No objects: the archives "
        + (isEmpty ? "have no top-level keys" : "hold only plain values") + ".\n"
    }
    return table.text()
  }

  private func details(of entity: ConversionReport.Entity) -> String {
    var table = TextTable(
      [entity.name, "type", "values", "nil"], alignment: [.left, .left, .right, .right],
      style: style)
    for attribute in entity.attributes {
      table.add([
        attribute.name, attribute.type, Words.grouped(attribute.values),
        Words.grouped(attribute.nulls),
      ])
    }
    for relationship in entity.relationships {
      let arrow = relationship.isToMany ? "→→" : "→"
      var type = "\(arrow) \(relationship.destination.isEmpty ? "any" : relationship.destination)"
      if let inverse = relationship.inverse { type += " (inverse: \(inverse))" }
      table.add([relationship.name, type, Words.grouped(relationship.links), ""])
    }
    return table.text()
  }

  /// The greatest number of files that are listed though they are no archives.
  private static let maxSkipped = 100

  private var archives: String {
    var table = TextTable(
      [SourceWords(report).input, "format", "objects", "bytes", ""],
      alignment: [.left, .left, .right, .right, .left], style: style)
    for archive in report.archives where archive.outcome != .rejected {
      table.add([
        archive.path, archive.format ?? "", archive.objects.map(Words.grouped) ?? "",
        archive.bytes.map(Words.grouped) ?? "", archive.outcome.rawValue,
      ])
    }
    for file in report.skipped.listed.prefix(Self.maxSkipped) {
      table.add([
        file.path, "", "", file.bytes.map(Words.grouped) ?? "", "not converted: \(file.reason)",
      ])
    }
    let more = report.skippedFiles - min(report.skipped.listed.count, Self.maxSkipped)
    guard more > 0 else { return table.text() }
    return table.text() + "… and \(Words.grouped(more)) more files that were not converted.\n"
  }

  private var leftUnread: String {
    guard !hasFailed else { return "" }
    var lines: [String] = []
    if report.unreachableObjects > 0 {
      lines.append(
        "Left behind: \(Words.count(report.unreachableObjects, "unreachable object"))."
      )
    } else if report.isWhole {
      lines.append("Nothing was left behind: every reachable value is in the store.")
    } else if report.areConvertedArchivesWhole {
      lines.append("Of the archives that were converted, nothing was left behind.")
    }
    if report.skippedFiles > 0 {
      lines.append(
        "Not converted: \(report.skipped.words)"
          + (report.skipped.kinds.contains { $0.kind != .other } ? "." : " without keyed archives.")
      )
    }
    if report.excludedFiles > 0 {
      lines.append(
        "Excluded: "
          + Words.count(
            report.excludedFiles, "file or directory", plural: "files and directories")
          + " by --include and --exclude.")
    }
    let nested = report.archives.filter { $0.place != nil }
    let opened = nested.count { $0.outcome == .converted }
    let unopened = nested.count { $0.outcome == .rejected }
    if opened + unopened > 0 {
      lines.append(
        "Opened: \(Words.count(opened, "nested archive"))"
          + (unopened > 0 ? "; " + styled("rejected \(Words.grouped(unopened))", .red) : "") + ".")
    }
    lines += ReportWords.unowned(report).map { "\($0.name): \($0.words)." }
    let empty = report.archives.count(where: \.isEmpty)
    if empty > 0 { lines.append("Empty: \(ReportWords.emptyArchives(empty)).") }
    if report.sharedCollections > 0 {
      lines.append(
        "Shared: \(Words.count(report.sharedCollections, "collection")) held by several objects; "
          + "each object has its own copy.")
    }
    let seenThrough = report.archives.map(\.seenThrough).boundedSum
    if seenThrough > 0 {
      lines.append(
        "Seen through: \(Words.count(seenThrough, "wrapper")), each replaced by what it holds.")
    }
    let kept = report.classesKeptAsObjects
    if !kept.isEmpty {
      let names = kept.prefix(5).map { PrintableText.printable($0) }
      let rest = kept.count - names.count
      let all =
        names + (rest > 0 ? [Words.count(rest, "more class", plural: "more classes")] : [])
      lines.append(
        "Kept as rows: objects of \(Words.list(all, "and")) with unexpected keys or values; all "
          + "others are stored as values.")
    }
    let characters = report.archives.map(\.forbiddenCharacters).boundedSum
    if characters > 0 {
      lines.append("Kept: \(Words.count(characters, "control character")) that XML forbids.")
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// The content that a model, a mapping or hooks did not convert.
  private var steering: String {
    var lines: [String] = []
    func list<T>(_ items: [T], _ heading: String, _ text: (T) -> String) {
      guard !items.isEmpty else { return }
      let most = isVerbose ? 100 : 10
      var shown = items.prefix(most).map(text)
      if items.count > most { shown.append("… and \(items.count - most) more") }
      lines.append("\(heading): " + shown.joined(separator: ", ") + ".")
    }
    list(report.unreadKeys, styled("Unread keys", .yellow)) { key in
      let likely = report.likelyProperty(of: key).map { " → \($0)?" } ?? ""
      return PrintableText.printable(
        "\(key.className).\(key.key) (\(Words.grouped(key.count)))\(likely)")
    }
    list(report.unmappedClasses, styled("Classes without an entity", .yellow)) { found in
      "\(PrintableText.printable(found.className)) (\(Words.grouped(found.count)))"
    }
    list(
      report.unvisitedObjects,
      styled("Not converted, reachable only through keys that were not read", .yellow)
    ) {
      "\(PrintableText.printable($0.className)) (\(Words.grouped($0.count)))"
    }
    list(report.modelNotes, "Model") { PrintableText.printable($0) }
    lines += storeNotes
    lines += report.views.filter { $0.rows > 0 }.map {
      PrintableText.printable("\($0.words): \(Words.grouped($0.rows)) (\($0.name)).")
    }
    list(report.omissions.filter(\.isOfContent), styled("Not in the store", .yellow)) {
      PrintableText.printable($0.words)
    }
    list(report.omissions.filter { $0.kind == .order }, "Stored without their order") {
      PrintableText.printable($0.words)
    }
    list(
      report.omissions.filter { $0.kind == .index },
      styled("Stored without a unique index", .yellow)
    ) {
      PrintableText.printable($0.words)
    }
    list(report.ignoredKeys, "Ignored on purpose") { key in
      "\(PrintableText.printable("\(key.className).\(key.key)")) (\(Words.grouped(key.count)))"
    }
    list(report.derivedKeys, "Read only for expressions, key paths or filters") { key in
      "\(PrintableText.printable("\(key.className).\(key.key)")) (\(Words.grouped(key.count)))"
    }
    list(report.filteredObjects, "No row created for") { found in
      "\(PrintableText.printable(found.className)) (\(Words.grouped(found.count)))"
    }
    list(report.relationshipsSetFromBothSides, "Set from both sides (one is enough)") {
      PrintableText.printable($0)
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// The notes on Core Data stores: a line for each, below the path of its store.
  private var storeNotes: [String] {
    let most = isVerbose ? 100 : 10
    let notes = report.storeNotes.prefix(most).map { PrintableText.printable($0) }
    guard notes.count > 1 else { return notes.map { "Stores: \($0)." } }
    var lines: [String] = []
    var path = ""
    for note in notes {
      let end = note.range(of: ": ")?.upperBound ?? note.startIndex
      if lines.isEmpty || note[..<end] != path {
        path = String(note[..<end])
        lines.append(path.isEmpty ? "Stores:" : "Store \(path.dropLast())")
      }
      lines.append("  \(note[end...])")
    }
    let rest = report.storeNotes.count - notes.count
    if rest > 0 { lines.append("  … and \(rest) more") }
    return lines
  }

  /// Names of the mapping, or of options, that match nothing.
  private var unusedNames: String {
    guard let names = report.unusedNames, !names.isEmpty else { return "" }
    let verb = names.count == 1 ? "matches" : "match"
    let areOptions = names.allSatisfy { $0.path?.hasPrefix("--") == true }
    var lines = [
      styled(
        "\(areOptions ? "Options" : "Mapping"): \(Words.count(names.count, "name")) \(verb) nothing in the archives.",
        .yellow)
    ]
    let most = isVerbose ? 100 : 10
    lines += names.prefix(most).map { "  " + PrintableText.printable($0.text) }
    if names.count > most { lines.append("  … and \(names.count - most) more.") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Says how many entries of a list are not printed, and where they are.
  func more(_ rest: Int, listed: Int, of count: Int) -> String {
    let place = listed < count ? "use --report-full to list all" : "see a JSON report"
    return "  … and \(Words.grouped(rest)) more: \(place)."
  }
}
