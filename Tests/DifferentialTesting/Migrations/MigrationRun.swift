import Converter
import Foundation
import TestSupport

/// Migrates a store, and says what is wrong.
struct MigrationRun {
  let layout: StoreLayout
  /// What the migration must make.
  let migrated: StoreContent
  let isLossless: Bool
  let folder: TemporaryFolder
  private(set) var findings: [Finding] = []

  private mutating func note(_ kind: String, _ detail: String) {
    findings.append(Finding(way: CaseKind.migration.rawValue, kind: kind, detail: detail))
  }

  private mutating func note(_ kind: String, _ differences: [String]) {
    if let first = differences.first { note(kind, "\(first) (\(differences.count) in all)") }
  }

  private var options: ConversionOptions {
    var options = ConversionOptions()
    options.modelPath = folder.file(named: "Two.xcdatamodeld")
    options.migration = MigrationOptions(versionPaths: [folder.file(named: "One.xcdatamodeld")])
    options.layout = layout
    return options
  }

  mutating func run() throws {
    let (source, made) = (folder.file(named: "store"), folder.file(named: "made"))
    var verified = options
    verified.verifies = true
    var conversion = Conversion(inputs: [source], destination: made, options: verified)
    let report: ConversionReport
    do throws(ConversionError) {
      report = try conversion.run()
    } catch {
      return note("refused", "\(error)")
    }
    note("a comparison fails", report.verification?.differences.map { "\($0)" } ?? ["none"])
    guard report.verification?.isPassed == true else { return }
    try checkWords(report)
    note("flaws", try StoreQuery(made).flaws())
    do throws(ConversionError) {
      var verifier = StoreVerifier(store: made, inputs: [source], options: options)
      let result = try verifier.run().verification
      note("a later comparison fails", result?.differences.map { "\($0)" } ?? ["none"])
    } catch {
      note("a later comparison is refused", "\(error)")
    }
    guard layout == .coreData else { return try checkContent(of: made) }
    let again = folder.file(named: "again")
    do throws(ConversionError) {
      var conversion = Conversion(inputs: [made], destination: again, options: ConversionOptions())
      _ = try conversion.run()
    } catch {
      return note("the store in Core Data's layout is refused", "\(error)")
    }
    try checkContent(of: again)
  }

  private mutating func checkContent(of store: String) throws {
    let tables = try StoreTables(StoreQuery(store))
    note("the store", StoreContentOracle(migrated, tables).differences)
  }

  /// Nothing is left behind in words if nothing is.
  private mutating func checkWords(_ report: ConversionReport) throws {
    for form in [ReportForm.text, .html] {
      let saysSo = try report.text(as: form).lowercased().contains("nothing was left behind")
      if saysSo != isLossless {
        note(
          saysSo
            ? "nothing was left behind, a report says (\(form))"
            : "something was left behind, a report says (\(form))", "")
      }
    }
  }
}
