import Converter
import Foundation
import TestSupport

extension DifferentialRun {
  /// Converts the archives in several runs, each of which adds to the store of those before.
  ///
  /// A run that is refused says so in words and leaves the store as it was; its archives are left
  /// out then.
  ///
  /// - Parameters:
  ///   - way: The way.
  ///   - first: The options of the first run.
  ///   - mayRefuse: Whether an error is a reason for refusing a run.
  /// - Throws: What keeps a test from being made.
  mutating func convertInRuns(
    _ way: ConversionWay, _ first: ConversionOptions, mayRefuse: (StoreError) -> Bool
  ) throws {
    let runs = Set(archives.files.map(\.run)).sorted()
    guard runs.count > 1 else { return }
    let store = folder.file(named: "\(way.rawValue).sqlite")
    var options = first
    var added: [Int] = []
    for run in runs {
      let own = archives.files.indices.filter { archives.files[$0].run == run }
      let before = FileManager.default.contents(atPath: store)
      var conversion = Conversion(
        inputs: own.map { paths[$0] }, destination: store, options: options)
      do throws(ConversionError) {
        check(way, "the comparison of a run", try conversion.run().verification)
        added += own
      } catch {
        guard before != nil, case .store(let reason) = error, reason.code == .incompatible,
          mayRefuse(reason)
        else { return note(way, "refused", "run \(run): \(error)") }
        if FileManager.default.contents(atPath: store) != before {
          note(way, "a run that is refused changes the store", "run \(run): \(error)")
        }
      }
      options.existingStore = .append
    }
    guard !added.isEmpty else { return }
    let query = try StoreQuery(store)
    note(way, "flaws", try query.flaws())
    let inputs = added.map { paths[$0] }
    try verify(way, store, inputs)
    let oracle = RelationalOracle(
      CaseGraph(added.map { archives.files[$0] }), try StoreTables(query), paths: inputs,
      isAppended: true)
    note(way, "the store", oracle.differences)
    try mutate(way, store, inputs)
  }
}
