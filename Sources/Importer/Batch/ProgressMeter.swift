import ArchiveReader
import Foundation
import Support
import Synchronization

/// Counts how far a conversion has come, on whatever thread, and tells it.
final class ProgressMeter: Sendable {
  private let state: Mutex<ConversionProgress>
  /// For each file, its size.
  private let sizes: [String: Int]
  private let report: @Sendable (ConversionProgress) -> Void

  /// How many objects of an archive go by between two calls: few enough for a bar to move, and so
  /// many that it costs nothing.
  static let interval = 1 << 14

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
      ConversionProgress(
        phase: .reading, archives: 0, archiveCount: paths.count, objects: 0, bytes: 0,
        byteCount: sizes.values.reduce(0, +)))
  }

  /// Begins a phase over some files, with what is done already.
  func begin(_ phase: ConversionProgress.Phase, _ paths: [String], done: [String] = []) {
    change { progress in
      progress = ConversionProgress(
        phase: phase, archives: done.count, archiveCount: paths.count, objects: 0,
        bytes: done.reduce(0) { $0 + (sizes[$1] ?? 0) },
        byteCount: paths.reduce(0) { $0 + (sizes[$1] ?? 0) })
    }
  }

  /// Begins a phase that goes over no archives.
  func begin(_ phase: ConversionProgress.Phase) {
    change { progress in
      progress.phase = phase
      progress.path = nil
    }
  }

  /// Notes that an archive is being worked on.
  func begin(_ path: String) {
    change { $0.path = path }
  }

  /// Notes that some objects of the archive are done.
  func add(objects: Int) {
    change { $0.objects += objects }
  }

  /// Notes that a file is done, with all that is in it.
  func end(_ path: String) {
    change { progress in
      progress.archives += 1
      progress.bytes += sizes[path] ?? 0
    }
  }

  private func change(_ body: (inout ConversionProgress) -> Void) {
    state.withLock { progress in
      body(&progress)
      report(progress)
    }
  }
}

/// Counts the objects of one archive, and tells a meter every so many.
struct ObjectTicker {
  private let meter: ProgressMeter?
  private var count = 0

  /// A ticker that tells a meter; none if nobody wants to know.
  init(_ meter: ProgressMeter?) { self.meter = meter }

  /// Counts an object.
  mutating func tick() {
    count += 1
    if count == ProgressMeter.interval { end() }
  }

  /// Tells what was counted since.
  mutating func end() {
    if count > 0 { meter?.add(objects: count) }
    count = 0
  }
}
