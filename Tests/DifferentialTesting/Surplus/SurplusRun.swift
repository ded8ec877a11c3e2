import Converter
import DataModel
import Foundation
import TestSupport

/// Converts a store with surplus, and says what is wrong.
struct SurplusRun {
  let form: StoreForm
  let layout: StoreLayout
  let jobs: Int
  let parts: [Surplus]
  let content: StoreContent
  let folder: TemporaryFolder
  private(set) var findings: [Finding] = []

  private func names(_ part: Surplus) -> [String] { part.names(in: form, content) }

  private mutating func note(_ kind: String, _ detail: String) {
    findings.append(
      Finding(way: CaseKind.store.rawValue, kind: "\(form.rawValue), \(kind)", detail: detail))
  }

  private mutating func note(_ kind: String, _ differences: [String]) {
    if let first = differences.first { note(kind, "\(first) (\(differences.count) in all)") }
  }

  /// Converts without salvage, and with it if something is damaged.
  mutating func run() throws {
    let damage = parts.filter { $0.isDamage(in: form, content) }
    switch convert("store", to: "out", layout) {
    case .success(let report): try check(report, in: "out")
    case .failure(let error):
      let words = "\(error)"
      if damage.isEmpty {
        note("refused", words)
      } else if !damage.flatMap(names).contains(where: { words.names($0) }) {
        note("refused without a name", words)
      }
    }
    guard !damage.isEmpty else { return }
    switch convert("store", to: "salvaged", layout, salvages: true) {
    case .success(let report): try check(report, in: "salvaged")
    case .failure(let error):
      note("\(damage[0].kind.rawValue) is refused under salvage", "\(error)")
    }
  }

  private func options(_ layout: StoreLayout) -> ConversionOptions {
    var options = ConversionOptions()
    options.modelPath = folder.file(named: "Model.xcdatamodeld")
    (options.layout, options.jobs, options.verifies) = (layout, jobs, true)
    return options
  }

  private func convert(
    _ store: String, to name: String, _ layout: StoreLayout, salvages: Bool = false
  ) -> Result<ConversionReport, ConversionError> {
    var options = options(layout)
    options.salvages = salvages
    var conversion = Conversion(
      inputs: [folder.file(named: store)], destination: folder.file(named: name), options: options)
    do throws(ConversionError) {
      return .success(try conversion.run())
    } catch {
      return .failure(error)
    }
  }

  // MARK: Results

  private mutating func check(_ report: ConversionReport, in name: String) throws {
    note("a comparison fails", report.verification?.differences.map { "\($0)" } ?? ["none"])
    guard report.verification?.isPassed == true else { return }
    let store = try StoreQuery(folder.file(named: name))
    note("flaws", try store.flaws())
    verifyLater(name)
    let tables = try StoreTables(store)
    try checkSurplus(report, tables)
    if layout == .relational {
      note("the store", StoreContentOracle(content, tables).differences)
    } else {
      // The second conversion shows what the first has written.
      switch convert(name, to: "\(name) again", .relational) {
      case .success:
        let again = try StoreTables(StoreQuery(folder.file(named: "\(name) again")))
        note("the store", StoreContentOracle(content, again).differences)
      case .failure(let error): note("the store in Core Data's layout is refused", "\(error)")
      }
    }
  }

  private mutating func verifyLater(_ name: String) {
    var options = options(layout)
    options.verifies = false
    var verifier = StoreVerifier(
      store: folder.file(named: name), inputs: [folder.file(named: "store")], options: options)
    do throws(ConversionError) {
      let result = try verifier.run().verification
      note("a later comparison fails", result?.differences.map { "\($0)" } ?? ["none"])
    } catch {
      note("a later comparison is refused", "\(error)")
    }
  }

  /// Looks for each surplus in the store and in the report, and for all that the report lists among
  /// the surplus.
  private mutating func checkSurplus(_ report: ConversionReport, _ tables: StoreTables) throws {
    let entries = try ListedEntries(report).entries
    let cells = tables.tables.filter { $0.key != "_report" }.values
      .flatMap { $0.rows.flatMap(\.self) }
    var lost: Surplus?
    for part in parts {
      // Of a link that an object has twice, nothing is lost if it has it once.
      let isKept =
        part.kind == .doubledLink && form != .sqlite
        || part.isValue && cells.contains(where: part.isKept)
      let isListed = entries.contains { entry in names(part).contains { entry.names($0) } }
      if !isKept && !isListed {
        let isQuoted = entries.contains { $0.names(part.value) }
        note(
          "\(part.kind.rawValue) is "
            + (isQuoted ? "listed without its property" : "neither kept nor listed"), "\(part)")
      }
      if !isKept, part.isValue || part.isDamage(in: form, content) { lost = part }
    }
    for entry in entries
    where !parts.flatMap({ names($0) + [$0.value] }).contains(where: { entry.names($0) }) {
      note("something else is listed", entry)
    }
    let words = "nothing was left behind"
    guard let lost else { return }
    for page in [ReportForm.text, .html]
    where try report.text(as: page).lowercased().contains(words) {
      note("\(lost.kind.rawValue): \(words), a report says", "\(lost), \(page)")
    }
  }
}

extension String {
  fileprivate func names(_ name: String) -> Bool { lowercased().contains(name.lowercased()) }
}
