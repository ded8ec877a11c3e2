import ArchiveReader
import Importer
import Stores
import Support

/// Compares what one run has written with its archives.
///
/// What an archive became is predicted first (`ExpectedRows`), and then compared
/// (`ArchiveVerifier`): at once where archives do not depend on each other, else when all of them
/// have been looked at.
///
/// Many archives that do not depend on each other are compared in groups, by several threads: see
/// `ArchiveGroup`.
final class RunVerifier {
  let plan: ImportPlan
  private let scans: TableScans
  private let findings: VerificationFindings
  let bookkeeping: BookkeepingVerifier
  let workers: VerificationWorkers
  private let run: ExpectedRun
  /// The number of passes that the run has completed.
  let passCount: Int
  /// Makes what opens archives on a thread.
  let makeOpener: @Sendable () -> any ComparedArchives
  private lazy var files = makeOpener()

  init(
    _ plan: ImportPlan, _ store: VerifiedStore, _ bookkeeping: BookkeepingVerifier,
    _ workers: VerificationWorkers, passes: Int, from position: ExpectedRun.Position,
    makeOpener: @escaping @Sendable () -> any ComparedArchives
  ) {
    self.plan = plan
    scans = TableScans(plan, store)
    self.bookkeeping = bookkeeping
    self.workers = workers
    findings = bookkeeping.findings
    passCount = max(1, min(passes, plan.passes.count))
    self.makeOpener = makeOpener
    run = ExpectedRun(plan, from: position)
  }

  /// Up to where the rows of the store are accounted for.
  var position: ExpectedRun.Position { run.position }

  /// Compares everything that some archives became.
  ///
  /// - Parameter archives: The archives, in the order of the store.
  /// - Throws: `ArchiveError` if an archive cannot be read, `StoreError` if the store cannot be.
  func compare(_ archives: [VerifiedArchive]) throws {
    if !run.hasIndependentArchives {
      try compareTogether(archives)
    } else if run.isSettled, let groups = try ArchiveGroup.groups(of: archives, in: self) {
      try compare(groups)
    } else {
      try compareOneByOne(archives)
    }
    try finish()
  }

  /// Ends the comparison: no further archive is opened.
  func finish() throws { try files.finish() }

  /// Compares archives that depend on no other.
  func compareOneByOne(_ archives: some Sequence<VerifiedArchive>) throws {
    for archive in archives { try compareAtOnce(archive) }
  }

  private func compare(_ groups: [ArchiveGroup]) throws {
    let work = OrderedWork(groups, jobs: workers.jobs) { $0.compare() }
    defer { work.cancelAndWait() }
    for group in groups {
      guard let outcome = work.next() else { return }
      let found = try outcome.get()
      if group.start == run.position {
        findings.merge(found.result)
        run.position = found.end
      } else {
        // The store does not say rightly which rows the archives before them have.
        if let last = group.range.after { try bookkeeping.resume(after: last) }
        try compareOneByOne(group.archives)
      }
    }
    if let last = groups.last?.range.through { try bookkeeping.resume(after: last) }
  }

  private func compareAtOnce(_ archive: VerifiedArchive) throws {
    guard archive.isPresent else { return try skip(archive) }
    let file = try files.open(archive)
    run.links?.begin(after: run.lastIDs)
    let expectedRows = ExpectedRows(
      file.source, id: archive.id, plan: plan, pass: plan.passes[0], run: run)
    try expectedRows.walk(
      handsOutTopLevel: true, files.ticker(for: archive, part: 0...Self.walkShare))
    run.links?.settle()
    try compare([expectedRows], archive, file)
  }

  /// The share of the work on an archive, about, that it takes to find out what is expected.
  private static let walkShare = 0.2

  /// Compares the rows of an archive.
  private func compare(
    _ found: [ExpectedRows], _ archive: VerifiedArchive, _ file: ArchiveFile
  ) throws {
    let verifiers = found.map {
      ArchiveVerifier($0, scans, findings, path: archive.path, workers)
    }
    let turns = verifiers.reduce(0) { $0 + $1.turnCount }
    for verifier in verifiers {
      verifier.ticker = files.ticker(
        for: archive, after: Self.walkShare, share: (1 - Self.walkShare) / Double(max(1, turns)))
      try verifier.compare()
    }
    try bookkeeping.compare(archive, file, found)
    if let edits = workers.edits, let last = found.last { edits.keep(last, ofArchive: archive.id) }
    files.end(archive)
  }

  private func compareTogether(_ archives: [VerifiedArchive]) throws {
    run.links?.begin(after: run.lastIDs)
    var allExpected: [[ExpectedRows]] = archives.map { _ in [] }
    for pass in 0..<passCount {
      for (index, archive) in archives.enumerated() {
        guard archive.isPresent else {
          if pass == 0 { try skip(archive) }
          continue
        }
        let expectedRows = ExpectedRows(
          try files.open(archive).source, id: archive.id, plan: plan, pass: plan.passes[pass],
          run: run
        )
        let share = Self.walkShare / Double(passCount)
        let part = share * Double(pass)...share * Double(pass + 1)
        try expectedRows.walk(
          handsOutTopLevel: pass == passCount - 1, files.ticker(for: archive, part: part))
        allExpected[index].append(expectedRows)
      }
    }
    run.links?.settle()
    for (archive, found) in zip(archives, allExpected) where archive.isPresent {
      let file = try files.open(archive)
      for expectedRows in found { expectedRows.attach(file.source) }
      try compare(found, archive, file)
    }
  }

  /// Passes over the rows of an archive that is not there, as far as the store tells which they
  /// are.
  private func skip(_ archive: VerifiedArchive) throws {
    run.position.add(try bookkeeping.lastRows(of: archive.id), in: plan.layout)
    try bookkeeping.skip(archive.id)
  }
}

/// The archives of a run, which are opened one after the other on one thread.
package protocol ComparedArchives: AnyObject {
  /// Opens the archive of a turn.
  func open(_ archive: VerifiedArchive) throws -> ArchiveFile

  /// Refuses the file that was opened last if it was changed meanwhile: no further one follows.
  func finish() throws

  /// Counts the objects of an archive in a walk that is a part of the work on it.
  func ticker(for archive: VerifiedArchive, part: ClosedRange<Double>) -> ObjectTicker

  /// Counts rows of an archive, on any thread, each of which is such a share of the work on it,
  /// after a part of it that is done.
  func ticker(for archive: VerifiedArchive, after part: Double, share: Double) -> ObjectTicker

  /// Takes note that an archive was compared.
  func end(_ archive: VerifiedArchive)
}
