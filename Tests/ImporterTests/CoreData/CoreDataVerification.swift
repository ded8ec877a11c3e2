import Converter
import Foundation
import TestSupport
import Testing

/// Core Data stores that are compared with what the relational layout makes of the same inputs.
enum CoreDataVerification {
  /// Expects nothing of such a store to differ.
  ///
  /// - Parameters:
  ///   - inputs: The archives.
  ///   - options: How they are converted, but for the layout.
  ///   - mayBeRefused: Whether there may be no store.
  ///   - sourceLocation: Where the test is.
  /// - Throws: What keeps a store from being made.
  static func expectPassed(
    _ inputs: [String], _ options: ConversionOptions, mayBeRefused: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryFolder()
    var options = options
    (options.layout, options.verifies) = (.coreData, true)
    (options.recordsProvenance, options.isSearchable) = (false, false)
    options.existingStore = .fail
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: inputs, destination: path, options: options)
    let report: ConversionReport
    do throws(ConversionError) {
      report = try conversion.run()
    } catch {
      if !mayBeRefused { throw error }
      return
    }
    guard FileManager.default.fileExists(atPath: path) || report.validationErrors.isEmpty else {
      #expect(mayBeRefused, sourceLocation: sourceLocation)
      return
    }
    #expect(report.verification?.differences == [], sourceLocation: sourceLocation)
  }

  /// The same for each conversion of a test by a model, where the tests try all.
  static func expectPassedIfWhole(_ inputs: [String], _ options: ConversionOptions) throws {
    guard Thoroughness.isWhole, options.model != nil || options.modelPath != nil else { return }
    try expectPassed(inputs, options, mayBeRefused: true)
  }
}
