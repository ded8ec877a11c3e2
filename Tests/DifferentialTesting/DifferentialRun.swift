import Converter
import Foundation
import Importer
import TestSupport

/// Converts the archives of a case, and says what is wrong.
package struct DifferentialRun {
  let archives: ArchiveCase
  let graph: CaseGraph
  let seed: UInt64
  let folder: TemporaryFolder
  let inputs: [String]
  let paths: [String]
  package private(set) var findings: [Finding] = []

  /// Converts a case.
  ///
  /// - Parameters:
  ///   - archives: The case.
  ///   - seed: Seeds the changes that verifications have to notice.
  ///   - ways: How it is converted.
  /// - Returns: What is wrong.
  /// - Throws: What keeps a test from being made, such as a file that cannot be written.
  package static func findings(
    _ archives: ArchiveCase, seed: UInt64, ways: Set<ConversionWay> = ConversionWay.all
  ) throws -> [Finding] {
    var run = try DifferentialRun(archives, seed: seed)
    for way in ConversionWay.allCases where ways.contains(way) {
      try run.convert(way)
    }
    return run.findings
  }

  private init(_ archives: ArchiveCase, seed: UInt64) throws {
    self.archives = archives
    self.seed = seed
    graph = CaseGraph(archives.files)
    folder = try TemporaryFolder()
    let folder = folder
    // The order of a directory is that of the names.
    let files = archives.files
    paths = try files.map { try folder.write(try $0.bytes(), to: "archives/\($0.name)") }
    inputs = archives.settings.isDirectory ? [folder.file(named: "archives")] : paths
  }

  func options(_ change: (inout ConversionOptions) -> Void = { _ in }) -> ConversionOptions {
    var options = ConversionOptions()
    options.dictionaries = .pairs
    let settings = archives.settings
    options.verifies = true
    options.jobs = settings.jobs
    options.recordsProvenance = settings.recordsProvenance
    options.salvages = settings.salvages
    options.opensNested = settings.opensNested
    options.avoidsPlainRows = settings.avoidsPlainRows
    options.errorPolicy = .stop
    if settings.startsEarly {
      options.speculation.bytes = 0
      options.speculation.sample.objects = 4
    }
    change(&options)
    return options
  }

  mutating func note(_ way: ConversionWay, _ kind: String, _ detail: String) {
    findings.append(Finding(way: way.rawValue, kind: kind, detail: detail))
  }

  mutating func note(_ way: ConversionWay, _ kind: String, _ differences: [String]) {
    guard let first = differences.first else { return }
    note(way, kind, first + (differences.count > 1 ? " (\(differences.count) in all)" : ""))
  }

  /// Converts into a store and compares it, at once and later.
  mutating func convert(
    _ way: ConversionWay, to store: String, _ options: ConversionOptions
  ) throws -> ConversionReport? {
    var conversion = Conversion(inputs: inputs, destination: store, options: options)
    let report: ConversionReport
    do throws(ConversionError) {
      report = try conversion.run()
    } catch {
      note(way, "refused", "\(error)")
      return nil
    }
    check(way, "the comparison of a run", report.verification)
    checkReport(way, report)
    guard FileManager.default.fileExists(atPath: store) else { return nil }
    let flaws = try StoreQuery(store).flaws()
    note(way, "flaws", flaws)
    if options.layout == .relational { try verify(way, store, inputs) }
    return report
  }

  mutating func verify(_ way: ConversionWay, _ store: String, _ inputs: [String]) throws {
    var verifier = StoreVerifier(store: store, inputs: inputs, options: verifierOptions)
    do throws(ConversionError) {
      check(way, "a later comparison", try verifier.run().verification)
    } catch {
      note(way, "a later comparison fails", "\(error)")
    }
  }

  var verifierOptions: ConversionOptions {
    var options = ConversionOptions()
    options.jobs = archives.settings.jobs
    return options
  }

  mutating func check(_ way: ConversionWay, _ kind: String, _ result: VerificationResult?) {
    guard let result else { return note(way, kind, "there was none") }
    if let first = result.differences.first {
      note(
        way, "\(kind) fails (\(first.form))",
        "\(first.entity) \(first.row ?? -1) \(first.property): expected \(first.expected), "
          + "found \(first.found) (\(result.differenceCount) in all)")
    }
    if let first = result.notCompared.first {
      note(way, "\(kind) leaves something out", "\(first)")
    }
  }
}

extension VerificationResult.Difference {
  /// What differs, without names and numbers.
  fileprivate var form: String {
    func form(_ words: String) -> String {
      if words == "nothing" || words == "NULL" || words == "a row" { return words }
      return Int64(words) == nil ? "a value" : "a number"
    }
    var place = entity.hasPrefix("_") ? "\(entity)." : ""
    if let bracket = property.lastIndex(of: "[") {
      place += property[bracket...].contains("NULL") ? "[NULL]" : "[]"
    } else if let line = property.lastIndex(of: "_"),
      ["_id", "_type", "_position", "_count", "_runs"].contains(property[line...])
    {
      place += property[line...]
    } else {
      place += property.isEmpty ? "the row" : "a column"
    }
    return "\(place): \(form(expected)), \(form(found))"
  }
}
