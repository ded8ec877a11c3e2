import Support

/// Something that a reader of a report should know, in one sentence.
struct ReportFinding {
  var kind: ReportVerdict.Kind
  var sentence: String
  /// The section with the details; nil if there are none.
  var section: ReportSection.Name?
  /// The content that is missing; a finding without any costs nothing.
  var losses: [ReportLoss] = []

  /// All findings of a report, problems first.
  static func all(in report: ConversionReport) -> [ReportFinding] {
    var found: [ReportFinding] = []
    let archives = report.archives
    let rejected = archives.count { $0.outcome == .rejected }
    let nested = archives.count { $0.outcome == .rejected && $0.place != nil }
    let input = SourceWords(report).input
    found.add(
      rejected, .bad, .rejected, nested > 0 ? "archive" : input, "was rejected", "were rejected",
      losses: [ReportLoss(.inputs, rejected - nested), ReportLoss(.other, nested)])
    found.add(
      archives.map(\.damageCount).boundedSum, .bad, .damages, "part of archives",
      plural: "parts of archives", "could not be read", "could not be read", losing: .other)
    if let pass = report.failedPass {
      let names = pass.kept.joined(separator: ", ")
      let kept = pass.kept.isEmpty ? "nothing was kept" : "the rows of \(names) were kept"
      found.append(
        ReportFinding(
          kind: .bad, sentence: "Pass \(pass.name) failed (\(pass.reason)); \(kept).",
          section: nil, losses: [ReportLoss(.other, 1)]))
    }
    found.add(
      report.verification?.differenceCount ?? 0, .bad, .differences, "place",
      "in the store differs from the \(input)s", "in the store differ from the \(input)s",
      losing: .other)
    found.add(
      report.validationErrorCount, .bad, .brokenRules, "validation error",
      "was found", "were found", losing: .other)
    found.add(report.skipped, holdingObjects: true, .attention)
    found.add(
      report.verification?.notComparedCount ?? 0, .attention, .notCompared, "value or row",
      plural: "values and rows", "could not be compared by the verification",
      "could not be compared by the verification")
    found.add(
      report.lossCount, .attention, .losses, "value", "could not be kept exactly",
      "could not be kept exactly", losing: .inexactValues)
    found.add(
      report.conflictCount, .attention, .conflicts, "contradiction",
      "was found in the archives", "were found in the archives", losing: .other)
    let steps = report.migrations.flatMap(\.steps)
    found.add(
      steps.map(\.summary.lostValueCount).boundedSum, .attention, .migrations, "value",
      "was left behind or changed by the migration", "were left behind or changed by the migration",
      losses: [
        ReportLoss(.values, steps.map(\.summary.leftValueCount).boundedSum),
        ReportLoss(.inexactValues, steps.map(\.summary.changedValueCount).boundedSum),
      ])
    found.add(
      steps.map(\.summary.lostLinkCount).boundedSum, .attention, .migrations, "link",
      "was left behind or replaced by the migration",
      "were left behind or replaced by the migration", losing: .links)
    found.add(
      steps.map(\.summary.missingValueCount).boundedSum, .attention, .migrations, "value",
      "is missing that the new model demands: Core Data does not save the object",
      "are missing that the new model demands: Core Data does not save the objects")
    found.add(
      steps.map(\.summary.omissions.count).boundedSum, .attention, .migrations, "part",
      plural: "parts", "of the mapping models was left out, since the model was edited later",
      "of the mapping models were left out, since the model was edited later", losing: .other)
    found.add(
      steps.map(\.summary.leftObjectCount).boundedSum, .attention, .migrations, "object",
      "was left behind by the migration", "were left behind by the migration", losing: .objects)
    found.add(
      report.unreadKeys.count, .attention, .unreadKeys, "key", "was not read", "were not read",
      losses: [ReportLoss(.values, report.unreadKeys.map(\.count).boundedSum)])
    found.add(
      report.unusedNames?.count ?? 0, .attention, .unusedNames, "name",
      "of the mapping or an option matches nothing in the archives",
      "of the mapping or options match nothing in the archives")
    found.add(
      report.unmappedClasses.count, .attention, .unmappedClasses, "class", plural: "classes",
      "has no entity", "have no entity",
      losses: [ReportLoss(.unconvertedObjects, report.unmappedClasses.map(\.count).boundedSum)])
    found.add(
      report.unvisitedObjects.map(\.count).boundedSum, .attention, .unvisited, "object",
      "was not converted: it is reachable only through keys that were not read",
      "were not converted: they are reachable only through keys that were not read",
      losing: .unconvertedObjects)
    found.add(
      report.omissions.filter { $0.kind == .value }.map(\.count).boundedSum, .attention, .omissions,
      "value", "cannot be represented in the store", "cannot be represented in the store",
      losing: .values)
    found.add(
      report.omissions.filter { $0.kind == .link }.map(\.count).boundedSum, .attention, .omissions,
      "link", "cannot be represented in the store", "cannot be represented in the store",
      losing: .links)
    found.add(
      report.omissions.filter { $0.kind == .order }.map(\.count).boundedSum, .good, .omissions,
      "row", "is in the store without its position in a top-level collection",
      "are in the store without their positions in top-level collections")
    found.add(
      report.omissions.filter { $0.kind == .index }.map(\.count).boundedSum, .attention, .omissions,
      "row", "is not unique as the model says: there is no unique index for it",
      "are not unique as the model says: there is no unique index for them")
    found.add(
      report.unreachableObjects, .good, nil, "unreachable object", "was left behind",
      "were left behind")
    return found + notes(on: report)
  }

  /// Findings that are as requested, and good to know.
  private static func notes(on report: ConversionReport) -> [ReportFinding] {
    var found: [ReportFinding] = []
    let archives = report.archives
    found.add(
      archives.count { $0.duplicateOf != nil }, .good, .archives, SourceWords(report).input,
      "is a duplicate", "are duplicates")
    found.add(
      report.modelNotes.count, .good, .modelNotes, "declaration of the model",
      plural: "declarations of the model", "causes a warning in Xcode",
      "cause warnings in Xcode")
    found.add(
      report.views.count { $0.rows > 0 }, .good, .views, "view of the mapping",
      plural: "views of the mapping", "has rows", "have rows")
    found.add(
      report.storeNotes.count, .good, .storeNotes, "note", "concerns the stores",
      "concern the stores",
      losses: report.leavesPartsOfStores ? [ReportLoss(.other, 1)] : [])
    found.add(
      report.migrations.flatMap(\.steps).count, .good, .migrations, "step of a migration",
      plural: "steps of a migration", "was run", "were run",
      // What becomes of a value in a policy, only the policy knows.
      losses: report.migrations.allSatisfy(\.isLossless) ? [] : [ReportLoss(.unknown, 1)])
    found.add(
      report.filteredObjects.map(\.count).boundedSum, .good, .filtered, "object",
      "was excluded by a filter, a hook or a policy",
      "were excluded by filters, hooks or policies", losing: .onPurpose)
    found.add(
      report.ignoredKeys.count, .good, .ignoredKeys, "key", "was ignored on purpose",
      "were ignored on purpose", losing: .onPurpose)
    found.add(
      report.derivedKeys.count, .good, .derivedKeys, "key",
      "was read only for expressions, key paths or filters",
      "were read only for expressions, key paths or filters", losing: .onPurpose)
    found.add(
      report.classesKeptAsObjects.count, .good, .keptAsObjects, "value class",
      plural: "value classes",
      "has objects stored as rows", "have objects stored as rows")
    found.add(
      report.relationshipsSetFromBothSides.count, .good, .bothSides, "relationship",
      "was set from both sides", "were set from both sides")
    found.add(
      report.sharedCollections, .good, nil, "collection",
      "held by several objects was copied", "held by several objects were copied")
    found.add(
      archives.count(where: \.isEmpty), .good, nil, "archive", "has no top-level keys",
      "have no top-level keys")
    found.add(
      archives.map(\.seenThrough).boundedSum, .good, nil, "wrapper",
      "was replaced by what it holds", "were replaced by what they hold")
    found.add(
      archives.map(\.forbiddenCharacters).boundedSum, .good, nil, "control character",
      "that XML forbids was kept", "that XML forbids were kept")
    found.add(report.skipped, holdingObjects: false, .good)
    found.add(
      report.excludedFiles, .good, nil, "file or directory", plural: "files and directories",
      "was excluded by name", "were excluded by name")
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
    append(
      ReportFinding(
        kind: kind, sentence: "Not converted: \(words).", section: .skipped,
        losses: holdingObjects ? [ReportLoss(.inputs, files.count)] : []))
  }

  /// Adds a sentence on a number of things, unless there are none.
  ///
  /// `content` is what is missing where these are the things themselves; else `losses` counts it.
  fileprivate mutating func add(
    _ count: Int, _ kind: ReportVerdict.Kind, _ section: ReportSection.Name?, _ noun: String,
    plural: String? = nil, _ one: String, _ many: String, losing content: ReportLoss.Content? = nil,
    losses: [ReportLoss] = []
  ) {
    guard count > 0 else { return }
    let sentence = "\(Words.count(count, noun, plural: plural)) \(count == 1 ? one : many)."
    let own = content.map { [ReportLoss($0, count)] } ?? losses
    append(
      ReportFinding(
        kind: kind, sentence: sentence, section: section, losses: own.filter { $0.count > 0 }))
  }
}
