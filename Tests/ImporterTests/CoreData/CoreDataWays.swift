import Converter
import Foundation
import TestSupport
import Testing

/// The two ways in which rows get into a Core Data store: straight, or by a copy of those in the
/// relational layout, which is the way of a store that is verified.
enum CoreDataWays {
  /// What came of one way.
  private struct Outcome: Equatable {
    /// What is in the store; empty if there is none.
    var content = ""
    var isStore: Bool { !content.isEmpty }
    var findings: [String]
  }

  /// Expects both to lead to the same store, with the same findings.
  ///
  /// - Parameters:
  ///   - inputs: The archives.
  ///   - options: How they are converted, but for the layout.
  ///   - mayBeRefused: Whether both may as well refuse it, for the same reason.
  ///   - sourceLocation: Where the test is.
  /// - Throws: What keeps a store from being looked at.
  static func expectSame(
    _ inputs: [String], _ options: ConversionOptions, mayBeRefused: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (straight, copied) = (
      try outcome(inputs, options, verifies: false), try outcome(inputs, options, verifies: true)
    )
    #expect(straight == copied, sourceLocation: sourceLocation)
    #expect(straight.isStore || mayBeRefused, sourceLocation: sourceLocation)
  }

  /// The same for each conversion of a test by a model, where the tests try all.
  static func expectSameIfWhole(_ inputs: [String], _ options: ConversionOptions) throws {
    guard Thoroughness.isWhole, options.model != nil || options.modelPath != nil else { return }
    try expectSame(inputs, options, mayBeRefused: true)
  }

  private static func outcome(
    _ inputs: [String], _ options: ConversionOptions, verifies: Bool
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    var options = options
    (options.layout, options.verifies) = (.coreData, verifies)
    (options.recordsProvenance, options.isSearchable) = (false, false)
    options.existingStore = .fail
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: inputs, destination: path, options: options)
    let report: ConversionReport
    do throws(ConversionError) {
      report = try conversion.run()
    } catch {
      return Outcome(
        findings: error.messages.map { $0.replacing(folder.path, with: "") })
    }
    guard FileManager.default.fileExists(atPath: path) else {
      return Outcome(findings: report.validationErrors.map { "\($0)" })
    }
    let store = try StoreQuery(path)
    return Outcome(
      content: try store.schema() + store.content(except: ["Z_METADATA", "Z_MODELCACHE"]),
      findings: report.losses.map { "\($0)" } + report.omissions.map { "\($0)" }
        + report.conflicts.map { "\($0)" } + report.entities.map { "\($0)" })
  }
}
