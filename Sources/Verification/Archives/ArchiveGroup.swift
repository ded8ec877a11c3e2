import Importer
import Stores

extension RunVerifier {
  /// Archives of a run that stand one after the other, compared by a thread of their own.
  ///
  /// Where their rows begin is taken from what the store says of the archives before them. That is
  /// compared, too: if those end elsewhere, what was found does not count.
  ///
  /// Unchecked: what a group is compared with is made on the thread that compares it. Of the run it
  /// reads only what is settled before, and the connections, which are handed out one by one.
  final class ArchiveGroup: @unchecked Sendable {
    let archives: ArraySlice<VerifiedArchive>
    /// The ids after the archive before them, up to that of the last.
    let range: ArchiveRows.ArchiveRange
    /// The position at which their rows begin.
    let start: ExpectedRun.Position
    private let run: RunVerifier
    /// Taken here, since others add to the findings of the run meanwhile.
    private let spill: EntrySpill?

    /// The outcome of the comparison.
    struct Outcome: Sendable {
      var result: VerificationResult
      /// Up to where the rows of the store are accounted for now.
      var end: ExpectedRun.Position
    }

    /// The number of groups for each thread: one that has less to do takes more of them.
    private static let groupsForEach = 4
    /// Groups of fewer archives are not worth a thread.
    private static let minArchives = 8

    private init(
      _ archives: ArraySlice<VerifiedArchive>, _ range: ArchiveRows.ArchiveRange,
      _ start: ExpectedRun.Position,
      _ run: RunVerifier
    ) {
      (self.archives, self.range, self.start, self.run) = (archives, range, start, run)
      spill = run.bookkeeping.findings.spill
    }

    /// Divides the archives of a run.
    ///
    /// - Parameters:
    ///   - archives: The archives.
    ///   - run: The verifier that compares them.
    /// - Returns: Nil where they are too few, or the store does not say where the rows of each
    ///   begin.
    /// - Throws: `StoreError` if the store cannot be read.
    static func groups(of archives: [VerifiedArchive], in run: RunVerifier) throws
      -> [ArchiveGroup]?
    {
      let jobs = run.workers.jobs
      let count = min(jobs * groupsForEach, archives.count / minArchives)
      guard jobs > 1, count > 1 else { return nil }
      var groups: [ArchiveGroup] = []
      for index in 0..<count {
        let part = archives[
          (archives.count * index / count)..<(archives.count * (index + 1) / count)]
        var start = run.position
        if let before = groups.last?.range.through {
          guard let said = try run.bookkeeping.lastRows(through: before) else { return nil }
          start.add(said, in: run.plan.layout)
        }
        let range = ArchiveRows.ArchiveRange(
          after: groups.last?.range.through ?? run.bookkeeping.last, through: part.last?.id)
        groups.append(ArchiveGroup(part, range, start, run))
      }
      return groups
    }

    /// Compares the archives.
    func compare() -> Result<Outcome, any Error> {
      Result {
        let store = try run.workers.takeStore()
        defer { run.workers.giveBack(store) }
        let findings = VerificationFindings(spill)
        let verifier = RunVerifier(
          run.plan, store, try run.bookkeeping.part(range, store, findings), run.workers,
          passes: run.passCount, from: start, makeOpener: run.makeOpener)
        try verifier.compareOneByOne(archives)
        try verifier.finish()
        return Outcome(result: findings.result, end: verifier.position)
      }
    }
  }
}
