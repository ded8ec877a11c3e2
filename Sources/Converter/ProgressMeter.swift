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

extension ObjectTicker {
  /// A ticker that tells a meter; none if nobody wants to know.
  init(_ meter: ProgressMeter?) {
    self.init(meter.map { meter in { @Sendable in meter.add(objects: $0) } })
  }
}
