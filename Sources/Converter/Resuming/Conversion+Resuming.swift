import Foundation
import Importer
import Support

/// Going on where a run that was ended has left off.
extension Conversion {
  /// Claims the place where the store is built.
  func claimPlace() throws(StoreError) -> StoreFile {
    try StoreFile(
      destination: destination, keepsLeftover: options.resumes, isAlone: isOneOfMany,
      unfinished: unfinished)
  }

  /// The checkpoint of a run that has ended, if this run is to go on with its store.
  ///
  /// - Returns: Nil if there is nothing to go on with.
  /// - Throws: `ConversionError` if something has changed since.
  func checkpoint(
    in file: StoreFile, _ request: Checkpoint.Request, _ basis: Speculation.Basis
  ) throws(ConversionError) -> Checkpoint? {
    guard file.isLeftOver, let point = try keptPoint(in: file) else { return nil }
    var changes = request.changes(since: point.request)
    if let change = changeOfInputs(since: point) { changes.append(change) }
    guard changes.isEmpty else { throw .changed(path: destination, changes) }
    let fits =
      request.tables == point.request.tables
      && point.fits(basis.plan.layout, archives: basis.archives.count)
    if let prediction = point.request.prediction {
      // Where it was wrong, what was written by it does not count.
      return fits && prediction == SchemaFingerprint(basis.profile).digest ? point : nil
    }
    // The same archives and options have led to other tables, or to fewer archives.
    guard fits else { throw .changed(path: destination, ["the converter"]) }
    return point
  }

  private func keptPoint(in file: StoreFile) throws(ConversionError) -> Checkpoint? {
    do throws(StoreError) {
      let database = try Database(path: file.path)
      var point = try Checkpoint(database)
      if let spill = options.spill, point != nil {
        point?.unlistedLosses = try Checkpoint.entries(in: database, spill)
      }
      return point
    } catch {
      // What no run has kept may be anything; what cannot be read just now is not given up.
      if error.isDamage { return nil }
      throw .store(StoreError(.unreadable, path: file.path, reason: error.reason))
    }
  }

  /// The marks of the files that were read.
  var inputMarks: Checkpoint.InputMarks {
    var marks = Checkpoint.InputMarks()
    for (path, state) in zip(candidates, inputStates) { marks.add(path, state) }
    return marks
  }

  private func changeOfInputs(since point: Checkpoint) -> String? {
    let (inputMarks, older) = (inputMarks, point.inputs)
    guard let (index, isSamePath) = inputMarks.firstDifference(from: older) else { return nil }
    let isPredicted = point.request.prediction != nil
    // Then the files after those that were read may be any.
    if isPredicted, index == older.count { return nil }
    let path = index < candidates.count ? candidates[index] : nil
    if isSamePath, let path { return "the archive \(path)" }
    let counts = isPredicted ? [] : ["\(older.count) files then, \(inputMarks.count) now"]
    let place = path.map { ["from \($0) on"] } ?? []
    let details = (counts + place).joined(separator: ", ")
    return "the list of inputs" + (details.isEmpty ? "" : " (\(details))")
  }

  /// Takes over what a run before has done.
  mutating func resume(after point: Checkpoint, _ importJobs: [ImportJob], _ run: inout ImportRun) {
    let progress = point.progress
    run.context.lastIDs = progress.lastIDs
    run.context.lastCollection = progress.lastCollection
    run.context.report.visitedObjects = progress.visitedObjects
    run.context.report.unreadKeys = progress.unreadKeys
    report.archives += importJobs.prefix(progress.archives).map(\.archive.entry)
    report.counts = progress.counts
    run.context.report.takeOver(
      progress.losses, count: progress.lossCount, kinds: progress.lossKinds,
      unlisted: point.unlistedLosses)
  }

  /// The progress so far, for a run that is to go on.
  func progress(of run: ImportRun, archives: Int) -> Checkpoint.Progress {
    Checkpoint.Progress(
      archives: archives, lastIDs: run.context.lastIDs, lastCollection: run.context.lastCollection,
      counts: report.counts, losses: run.context.report.losses,
      lossCount: run.context.report.lossCount, lossKinds: run.context.report.lossKinds.list,
      visitedObjects: run.context.report.visitedObjects,
      unreadKeys: run.context.report.unreadKeys)
  }
}

extension Checkpoint {
  /// The marks of a run's inputs: 24 bytes for each file.
  ///
  /// It tells a later run whether a file has changed, and which: the path of each has 8 bytes, its
  /// digest, or the error that it was rejected for, has 16.
  struct InputMarks: Sendable, Hashable {
    private(set) var bytes = Data()

    private static let pathSize = 8
    private static let stateSize = 16
    private static let size = pathSize + stateSize

    init() {}

    /// Marks that were kept; nil if they are none.
    init?(_ bytes: Data) {
      guard bytes.count.isMultiple(of: Self.size) else { return nil }
      self.bytes = Data(bytes)
    }

    /// The number of files.
    var count: Int { bytes.count / Self.size }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - state: Its digest, or what is wrong with it.
    mutating func add(_ path: String, _ state: String) {
      bytes += Self.digest(path, Self.pathSize) + Self.digest(state, Self.stateSize)
    }

    /// The index of the first file that is another one, or has changed, since older marks were
    /// taken; nil if there is none.
    func firstDifference(from older: InputMarks) -> (index: Int, isSamePath: Bool)? {
      for index in 0..<min(count, older.count) {
        let start = index * Self.size
        let whole = start..<start + Self.size
        guard bytes[whole] != older.bytes[whole] else { continue }
        let path = start..<start + Self.pathSize
        return (index, bytes[path] == older.bytes[path])
      }
      return count == older.count ? nil : (min(count, older.count), false)
    }

    private static func digest(_ text: String, _ count: Int) -> Data {
      Data(MessageDigest.sha256(of: Array(text.utf8)).prefix(count))
    }
  }
}
