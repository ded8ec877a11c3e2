import ArchiveReader
import Foundation
import Support

/// Runs that are made again, with the archives and options that they had, in a store that is thrown
/// away: what hooks and policies make, only they know.
final class RepeatedRuns {
  /// One of the runs.
  struct Run {
    /// The files, in the order of the store.
    var inputs: [String]
    var options: ConversionOptions
  }

  private let runs: [Run]
  /// The store that the first of them added to.
  private let base: String?
  private let folder: PrivateFolder
  private let start = Date.now

  /// The interval between the times that two repetitions see: no part of a date is the same.
  private static let interval = 34_567_891.25

  init(_ runs: [Run], addingTo base: String?) throws(StoreError) {
    self.runs = runs
    self.base = base
    do throws(ArchiveError) {
      folder = try PrivateFolder()
    } catch {
      throw StoreError(.file, path: "", reason: "\(error)")
    }
  }

  /// Makes the runs once more.
  ///
  /// - Parameter number: The number of the repetition.
  /// - Returns: The path of the store that they made.
  /// - Throws: `ConversionError`, `StoreError`.
  func make(_ number: Int) throws -> String {
    let path = "\(folder.path)/\(number).sqlite"
    if let base {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      try Database(reading: base).copy(into: path)
    }
    // What one of them wrote tells where an object's row is.
    let addsProvenance = base == nil && !runs.contains { $0.options.recordsProvenance }
    for (place, run) in runs.enumerated() {
      var options = run.options
      options.existingStore = place == 0 && base == nil ? .fail : .append
      options.errorPolicy = .skip
      options.layout = .relational
      options.filter = FileFilter()
      options.furtherOutputs = []
      options.spill = nil
      (options.verifies, options.isDryRun, options.resumes) = (false, false, false)
      (options.onProgress, options.onPolicyProgress) = (nil, nil)
      options.recordsProvenance = options.recordsProvenance || addsProvenance
      options.now = start + Double(number) * Self.interval
      var conversion = Conversion(inputs: run.inputs, destination: path, options: options)
      let report = try conversion.run()
      if let rejected = report.archives.first(where: { $0.outcome == .rejected }) {
        throw ConversionError.unreadable(
          path: rejected.path,
          reason: "the run converted it, but repeating the run did not: \(rejected.error ?? "")")
      }
    }
    return path
  }
}
