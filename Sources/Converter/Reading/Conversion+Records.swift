import ArchiveReader

/// Dictionaries that become rows: which do is found out as the archives are read.
extension Conversion {
  /// Begins with what is known before any archive is read.
  mutating func beginRecords(_ configuration: ImportConfiguration) {
    guard options.decidesRecords, recordPolicy == nil else { return }
    var policy = configuration.recordPolicy(options)
    // What was said of earlier runs holds for the paths that they came across.
    if earlierTables.hasRuns, earlierTables.records == nil, options.dictionaries == nil {
      policy.others = .pairs
    }
    recordPolicy = policy
    guard policy.allowsRecords else { return }
    options.recordRules = rules(for: RecordEvidence())
  }

  /// Decides by what was found; returns whether what was decided before stays.
  mutating func decideRecords(_ evidence: RecordEvidence) -> Bool {
    guard !confirmsRecords(evidence) else { return true }
    options.recordRules = rules(for: evidence)
    openArchives.reopen(options.sourceOpener)
    return false
  }

  /// True if the evidence leads to the rules that were decided before.
  func confirmsRecords(_ evidence: RecordEvidence) -> Bool {
    guard options.decidesRecords, options.recordRules != nil else { return true }
    return rules(for: evidence) == options.recordRules
  }

  private func rules(for evidence: RecordEvidence) -> RecordRules {
    RecordRules(
      evidence, recordPolicy ?? RecordRules.Policy(.pairs),
      earlier: earlierTables.records ?? RecordRules())
  }
}
