import ArgumentParser
import Converter
import Foundation
import Support

/// The option `--report`: files that a report is written to.
struct ReportFiles: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a report; the file extension selects the format: \(endings). May be repeated.",
      valueName: "file"),
    completion: .file())
  var report: [String] = []

  private static let endings = ReportForm.allEndings.map { ".\($0)" }.joined(separator: ", ")

  func validate() throws {
    for file in report where ReportForm(path: file) == nil {
      throw ValidationError("The report '\(file)' must end in one of \(Self.endings).")
    }
  }

  /// Refuses to start if a report could not be written.
  func checkPlaces() throws {
    for file in report {
      guard let reason = OutputFile.obstacle(to: file) else { continue }
      Console.complain("\(file): the report cannot be written: \(reason)")
      throw Outcome.impossible
    }
  }

  /// Writes a report in all requested formats.
  ///
  /// - Throws: The end of the command, if one of them cannot be written; the others are.
  func write(_ report: ConversionReport) throws {
    var hasFailed = false
    for file in self.report {
      guard let form = ReportForm(path: file) else { continue }
      if let reason = OutputFile.write(try report.text(as: form), to: file) {
        Console.complain("\(file): the report cannot be written: \(reason)")
        hasFailed = true
      }
    }
    if hasFailed { throw Outcome.incomplete }
  }
}

/// The option `--datasette`: a file with what Datasette is told of a store.
struct DatasetteFile: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write metadata for Datasette: descriptions, labels, facets, and links to related rows; "
        + "\(endings) chooses the format.",
      valueName: "file"),
    completion: .file())
  var datasette: String?

  private static let endings = Words.list(DatasetteMetadata.endings.map { ".\($0)" }, "or")

  /// The file, if there is one, as a list of outputs.
  var paths: [String] { datasette.map { [$0] } ?? [] }

  func validate() throws {
    guard let datasette, !DatasetteMetadata.canWrite(to: datasette) else { return }
    throw ValidationError("The metadata '\(datasette)' must end in \(Self.endings).")
  }

  /// Refuses a file that another output is written to.
  func check(against others: [String]) throws {
    guard let datasette, others.contains(datasette) else { return }
    throw ValidationError("--datasette and another option name the same file, '\(datasette)'.")
  }

  /// Refuses to start if the file could not be written.
  func checkPlace() throws {
    guard let datasette else { return }
    guard let reason = OutputFile.obstacle(to: datasette) else { return }
    Self.complain(datasette, reason)
    throw Outcome.impossible
  }

  /// Describes a store.
  ///
  /// - Throws: The end of the command, if the file cannot be written.
  func write(ofStoreAt path: String) throws {
    guard let datasette else { return }
    let text: String
    do {
      text = try DatasetteMetadata(storeAt: path).text(for: datasette)
    } catch let error as StoreError {
      Console.complain("\(error)")
      throw Outcome.incomplete
    }
    guard let reason = OutputFile.write(text, to: datasette) else { return }
    Self.complain(datasette, reason)
    throw Outcome.incomplete
  }

  private static func complain(_ path: String, _ reason: String) {
    Console.complain("\(path): the metadata cannot be written: \(reason)")
  }
}

/// The option `--diagram`: a file with the diagram of entities and relationships.
struct DiagramFile: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a diagram of the entities and their relationships, as .svg.", valueName: "file"),
    completion: .file())
  var diagram: String?

  /// The file, if there is one, as a list of outputs.
  var paths: [String] { diagram.map { [$0] } ?? [] }

  func validate() throws {
    guard let diagram, !diagram.lowercased().hasSuffix(".svg") else { return }
    throw ValidationError("The diagram '\(diagram)' must end in .svg.")
  }

  /// Refuses to start if the file could not be written.
  func checkPlace() throws {
    guard let diagram, let reason = OutputFile.obstacle(to: diagram) else { return }
    Self.complain(diagram, reason)
    throw Outcome.impossible
  }

  /// Writes the diagram.
  ///
  /// - Throws: The end of the command, if the file cannot be written.
  func write(_ content: @autoclosure () -> EntityDiagram) throws {
    guard let diagram, let reason = OutputFile.write(content().text(), to: diagram) else { return }
    Self.complain(diagram, reason)
    throw Outcome.incomplete
  }

  private static func complain(_ path: String, _ reason: String) {
    Console.complain("\(path): the diagram cannot be written: \(reason)")
  }
}

/// The option `--report-full`: a file with all entries of the lists that reports cut.
struct FullReportFile: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Write all entries of the lists that a report truncates (files that were not converted, \
      damage, differences, validation errors, lossy conversions, conflicts), one JSON object per \
      line.
      """, valueName: "file"),
    completion: .file())
  var reportFull: String?

  /// The file, if there is one, as a list of outputs.
  var paths: [String] { reportFull.map { [$0] } ?? [] }

  /// Holds the entries that exceed memory, if they are requested.
  var spill: EntrySpill? { reportFull.map { _ in EntrySpill() } }

  func validate() throws { try StandardOutput.refuse(reportFull, "--report-full") }

  /// Refuses a file that a report is written to as well.
  func check(against reports: ReportFiles) throws {
    guard let reportFull, reports.report.contains(reportFull) else { return }
    throw ValidationError("--report and --report-full name the same file, '\(reportFull)'.")
  }

  /// Refuses to start if the file could not be written.
  func checkPlace() throws {
    guard let reportFull, let reason = OutputFile.obstacle(to: reportFull) else { return }
    Self.complain(reportFull, reason)
    throw Outcome.impossible
  }

  /// Writes the entries.
  ///
  /// - Throws: The end of the command, if the file cannot be written, or lacks entries.
  func write(
    _ report: ConversionReport, _ lists: [FullReportList] = FullReportList.allCases
  ) throws {
    guard let reportFull else { return }
    if let reason = report.writeAllEntries(of: lists, to: reportFull) {
      Self.complain(reportFull, reason)
      throw Outcome.incomplete
    }
    let missing = report.missingEntryCount(of: lists)
    guard missing == 0 else {
      let entries = Words.count(missing, "entry", plural: "entries")
      Console.complain(
        "\(reportFull): is missing \(entries) that an earlier run counted but did not list")
      throw Outcome.incomplete
    }
  }

  private static func complain(_ path: String, _ reason: String) {
    Console.complain("\(path): the full report cannot be written: \(reason)")
  }
}
