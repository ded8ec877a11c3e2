import ArchiveReader
import Foundation
import Support
import Synchronization

/// Counts how far a conversion has come, on whatever thread, and tells it.
final class ProgressMeter: Sendable {
  fileprivate struct State {
    var progress: ConversionProgress
    /// The number of bytes of the files in work that count as done.
    var partial: [String: Double] = [:]
    /// For each file that is not small, how many objects a walk over it has, as far as is known.
    var walks: [String: Double] = [:]
  }

  private let state: Mutex<State>
  /// For each file, its size.
  private let sizes: [String: Int]
  private let report: @Sendable (ConversionProgress) -> Void

  /// - Parameters:
  ///   - paths: The files that are to be converted.
  ///   - report: Is called each time, one call after the other.
  init(_ paths: [String], _ report: @escaping @Sendable (ConversionProgress) -> Void) {
    self.report = report
    var sizes: [String: Int] = [:]
    for path in paths {
      sizes[path] = (try? FileSystem.status(of: path)).map { Int($0.st_size) } ?? 0
    }
    self.sizes = sizes
    state = Mutex(
      State(
        progress: ConversionProgress(
          phase: .reading, archives: 0, archiveCount: paths.count, objects: 0, bytes: 0,
          byteCount: Array(sizes.values).boundedSum)))
  }

  /// Begins a phase over some files, with what is done already.
  func begin(_ phase: ConversionProgress.Phase, _ paths: [String], done: [String] = []) {
    change { state in
      let (reason, attempt) = (state.progress.reason, state.progress.attempt)
      state.partial = [:]
      state.progress = ConversionProgress(
        phase: phase, archives: done.count, archiveCount: paths.count, objects: 0,
        bytes: done.map { sizes[$0] ?? 0 }.boundedSum,
        byteCount: paths.map { sizes[$0] ?? 0 }.boundedSum)
      state.progress.attempt = attempt
      state.progress.reason = reason.flatMap { $0.applies(to: phase) ? $0 : nil }
    }
  }

  /// Begins a phase of which nobody knows how far it is.
  func begin(_ phase: ConversionProgress.Phase) { begin(phase, []) }

  /// Notes why the next phase is gone through again, with which it is told.
  func note(_ reason: ConversionProgress.Reason) {
    state.withLock { state in
      state.progress.reason = reason
      if reason.isRestart { state.progress.attempt += 1 }
    }
  }

  /// Notes that an archive is being worked on.
  func begin(_ path: String) {
    change { $0.progress.path = path }
  }

  /// Notes that some objects are done.
  func add(objects: Int) {
    change { $0.progress.objects += objects }
  }

  /// Notes how far a walk over the objects of a file has come.
  ///
  /// The number of objects that a walk over the file has is remembered, to tell how far the next
  /// one is.
  ///
  /// - Parameters:
  ///   - count: The number of objects that it has passed.
  ///   - path: The file.
  ///   - part: The part of the work on the file that the walk is; nil for one beside the work.
  ///   - countsObjects: True if the phase is through with the objects then.
  func add(
    _ count: ObjectTicker.Count, in path: String, part: ClosedRange<Double>?,
    countsObjects: Bool = true
  ) {
    // What goes on beside the work is no news of it.
    guard let part else { return state.withLock { $0.expect(count, path) } }
    change { state in
      state.expect(count, path)
      if countsObjects { state.progress.objects += count.new }
      let expected = state.walks[path]
      guard let share = count.share ?? expected.map({ Double(count.total) / $0 }) else { return }
      let done = part.lowerBound + share * (part.upperBound - part.lowerBound)
      state.reach(done * Double(sizes[path] ?? 0), path, sizes)
    }
  }

  /// A function that notes more of the work on a file as done: so much of it for each object.
  func advancing(_ path: String, by share: Double) -> @Sendable (ObjectTicker.Count) -> Void {
    { [self] count in
      let bytes = Double(count.new) * share * Double(sizes[path] ?? 0)
      change { $0.reach(($0.partial[path] ?? 0) + bytes, path, sizes) }
    }
  }

  /// Notes how much of the work on a file is done.
  func reach(_ share: Double, of path: String) {
    change { $0.reach(share * Double(sizes[path] ?? 0), path, sizes) }
  }

  /// Notes that a file is done, with all that is in it.
  func end(_ path: String) {
    change { state in
      state.reach(.infinity, path, sizes)
      state.progress.archives = min(state.progress.archives + 1, state.progress.archiveCount)
    }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      report(state.progress)
    }
  }
}

extension ProgressMeter.State {
  /// Notes how many objects a walk over a file has, as far as one tells.
  fileprivate mutating func expect(_ count: ObjectTicker.Count, _ path: String) {
    let total = Double(count.total)
    if let share = count.share, share > 0, count.total >= ObjectTicker.interval {
      walks[path] = total / share
    } else if let expected = walks[path], expected < total {
      walks[path] = total
    }
  }

  /// Counts bytes of a file as done, up to its size: never fewer than before.
  fileprivate mutating func reach(_ bytes: Double, _ path: String, _ sizes: [String: Int]) {
    let before = partial[path] ?? 0
    let after = max(before, min(bytes, Double(sizes[path] ?? 0)))
    partial[path] = after
    progress.bytes = min(progress.bytes + Int(after) - Int(before), progress.byteCount)
  }
}

extension ObjectTicker {
  /// A ticker that tells a meter; none if nobody wants to know.
  init(_ meter: ProgressMeter?) {
    self.init(meter.map { meter in { @Sendable in meter.add(objects: $0.new) } })
  }

  /// A ticker that tells a meter how far a walk over a file has come, too.
  ///
  /// - Parameters:
  ///   - meter: The meter; nil if nobody wants to know.
  ///   - path: The file.
  ///   - part: The part of the work on the file that the walk is; nil for one beside the work.
  ///   - countsObjects: True if the phase is through with the objects then.
  init(
    _ meter: ProgressMeter?, _ path: String, part: ClosedRange<Double>? = 0...1,
    countsObjects: Bool = true
  ) {
    self.init(
      meter.map { meter in
        { @Sendable in meter.add($0, in: path, part: part, countsObjects: countsObjects) }
      })
  }
}

/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable {
  /// A phase of a conversion.
  public enum Phase: String, Sendable, CaseIterable {
    /// It reads the archives for the first time.
    case reading
    /// It writes their rows.
    case writing
    /// It checks rules, builds indexes and syncs the store.
    case finishing
    /// It compares the store with the archives.
    case verifying
    /// It checks what no archive by itself tells: the store as a whole, and copies of it.
    case checking
    /// It completes a store in the layout of Core Data.
    case copying
    /// It finds out which files are the archives of a store.
    case identifying
  }

  /// Why a phase is gone through more than once.
  public enum Reason: Sendable, Hashable {
    /// A prediction from a part of the archives that does not hold for all of them.
    case prediction
    /// Dictionaries are records, as is known once all archives were read.
    case records
    /// Archives are left out that are damaged, or break a rule.
    case rejection
    /// A pass of a mapping, of several.
    case pass(Int, of: Int)
    /// A run that wrote to the store, of several.
    case run(Int, of: Int)

    /// True if it is the reason, too, for a phase that begins after it.
    func applies(to phase: Phase) -> Bool {
      switch self {
      case .prediction, .rejection: phase == .reading || phase == .writing
      case .records: phase == .reading
      case .pass: phase == .writing
      case .run: true
      }
    }

    /// True if everything is begun again for it.
    var isRestart: Bool { self == .prediction || self == .rejection }
  }

  /// The current phase.
  public var phase: Phase
  /// The number of archives this phase is through with, those that were rejected included.
  public var archives: Int
  /// The number of archives, as far as is known.
  public var archiveCount: Int
  /// The number of objects this phase is through with.
  public var objects: Int
  /// The number of bytes of archives this phase is through with, as far as is known within an
  /// archive.
  public var bytes: Int
  /// The size of all archives, in bytes.
  public var byteCount: Int
  /// The path of the archive that is being worked on; nil if there is none.
  public var path: String?
  /// Why the phase is gone through again; nil if it is not.
  public var reason: Reason?
  /// The number of the attempt at the conversion, from 1 on.
  public var attempt = 1

  /// The progress before anything is known.
  package static let none = ConversionProgress(
    phase: .reading, archives: 0, archiveCount: 0, objects: 0, bytes: 0, byteCount: 0)
}

/// The stage of a run, and so what it leaves on disk if it is stopped.
public enum ConversionStage: Sendable, Hashable {
  /// It reads; nothing is on disk, but for what an earlier run may have left.
  case reading
  /// It writes the unfinished store, one of `Conversion.unfinished`.
  ///
  /// `done` is nil unless the run was to go on with another; then it tells how many archives of
  /// that one are kept: 0 if there was nothing to go on with.
  case writing(done: Int?)
  /// So many archives are done, and are kept for a run that goes on, however this one ends.
  case checkpoint(archives: Int, of: Int)
  /// The store is complete and about to take its name.
  case publishing
}
