/// Something that a reader of a report should know, in one sentence.
struct ReportFinding {
  var kind: ReportVerdict.Kind
  var sentence: String
  /// Where the details are; nil if there are none.
  var section: ReportSection.Name?

  /// All that there is to know of a report, what is wrong first.
  static func all(in report: ConversionReport) -> [ReportFinding] {
    var found: [ReportFinding] = []
    let archives = report.archives
    let rejected = archives.count { $0.outcome == .rejected }
    found.add(rejected, .bad, .archives, "archive", "was rejected", "were rejected")
    found.add(
      archives.map(\.damageCount).boundedSum, .bad, .damages, "part of archives",
      plural: "parts of archives", "could not be read", "could not be read")
    if let pass = report.failedPass {
      let kept = pass.kept.isEmpty ? "nothing" : "what \(pass.kept.joined(separator: ", ")) wrote"
      found.append(
        ReportFinding(
          kind: .bad, sentence: "Pass \(pass.name) failed (\(pass.reason)); kept is \(kept).",
          section: nil))
    }
    found.add(
      report.verification?.differenceCount ?? 0, .bad, .differences, "place",
      "in the store is not as the archives have it", "in the store are not as the archives have it")
    found.add(
      report.validationErrorCount, .bad, .brokenRules, "value or row", plural: "values and rows",
      "breaks a rule", "break a rule")
    found.add(report.skipped, holdingObjects: true, .attention)
    found.add(
      report.verification?.notComparedCount ?? 0, .attention, .notCompared, "value or row",
      plural: "values and rows", "could not be compared by the verification",
      "could not be compared by the verification")
    found.add(
      report.lossCount, .attention, .losses, "value", "could not be kept exactly",
      "could not be kept exactly")
    found.add(
      report.conflictCount, .attention, .conflicts, "statement", "contradicts another",
      "contradict others")
    found.add(
      report.unreadKeys.count, .attention, .unreadKeys, "key", "was not read", "were not read")
    found.add(
      report.unusedNames?.count ?? 0, .attention, .unusedNames, "name",
      "of the mapping matches nothing in the archives",
      "of the mapping match nothing in the archives")
    found.add(
      report.unmappedClasses.count, .attention, .unmappedClasses, "class", plural: "classes",
      "has no entity", "have no entity")
    found.add(
      report.unvisitedObjects.map(\.count).boundedSum, .attention, .unvisited, "object",
      "was not converted, since only what is not read leads there",
      "were not converted, since only what is not read leads there")
    found.add(
      report.omissions.filter { $0.kind == .value }.map(\.count).boundedSum, .attention, .omissions,
      "value", "has no place in the store", "have no place in the store")
    found.add(
      report.omissions.filter { $0.kind == .link }.map(\.count).boundedSum, .attention, .omissions,
      "link", "has no place in the store", "have no place in the store")
    found.add(
      report.omissions.filter { $0.kind == .order }.map(\.count).boundedSum, .good, .omissions,
      "row", "is in the store, but not its place in a collection of a top-level key",
      "are in the store, but not their places in collections of top-level keys")
    found.add(
      report.unreachableObjects, .good, nil, "object", "that nothing leads to was left unread",
      "that nothing leads to were left unread")
    return found + notes(on: report)
  }

  /// What is as it was asked for, and good to know.
  private static func notes(on report: ConversionReport) -> [ReportFinding] {
    var found: [ReportFinding] = []
    let archives = report.archives
    found.add(
      archives.count { $0.duplicateOf != nil }, .good, .archives, "archive",
      "has the same bytes as another", "have the same bytes as others")
    found.add(
      report.modelNotes.count, .good, .modelNotes, "declaration of the model",
      plural: "declarations of the model", "is one that Xcode warns of",
      "are such that Xcode warns of them")
    found.add(
      report.filteredObjects.map(\.count).boundedSum, .good, .filtered, "object",
      "was left out by a filter, a hook or a policy",
      "were left out by filters, hooks or policies")
    found.add(
      report.ignoredKeys.count, .good, .ignoredKeys, "key", "was left behind on purpose",
      "were left behind on purpose")
    found.add(
      report.derivedKeys.count, .good, .derivedKeys, "key",
      "was read for expressions, key paths or filters only",
      "were read for expressions, key paths or filters only")
    found.add(
      report.classesKeptAsObjects.count, .good, .keptAsObjects, "class of values",
      plural: "classes of values",
      "has objects that became rows", "have objects that became rows")
    found.add(
      report.relationshipsSetFromBothSides.count, .good, .bothSides, "relationship",
      "was set from both sides", "were set from both sides")
    found.add(
      report.sharedCollections, .good, nil, "collection",
      "that several objects hold was copied", "that several objects hold were copied")
    found.add(
      archives.map(\.forbiddenCharacters).boundedSum, .good, nil, "control character",
      "that XML forbids was kept", "that XML forbids were kept")
    found.add(report.skipped, holdingObjects: false, .good)
    found.add(
      report.excludedFiles, .good, nil, "file or directory", plural: "files and directories",
      "was left out by its name", "were left out by their names")
    return found
  }
}

extension [ReportFinding] {
  /// Adds a sentence on files that were not converted, unless there are none.
  fileprivate mutating func add(
    _ files: SkippedFiles, holdingObjects: Bool, _ kind: ReportVerdict.Kind
  ) {
    let words = files.words(holdingObjects: holdingObjects)
    guard !words.isEmpty else { return }
    append(ReportFinding(kind: kind, sentence: "Not converted: \(words).", section: .skipped))
  }

  /// Adds a sentence on a number of things, unless there are none.
  fileprivate mutating func add(
    _ count: Int, _ kind: ReportVerdict.Kind, _ section: ReportSection.Name?, _ noun: String,
    plural: String? = nil, _ one: String, _ many: String
  ) {
    guard count > 0 else { return }
    let sentence = "\(ReportWords.count(count, noun, plural: plural)) \(count == 1 ? one : many)."
    append(ReportFinding(kind: kind, sentence: sentence, section: section))
  }
}
