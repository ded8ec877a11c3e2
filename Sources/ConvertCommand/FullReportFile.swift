import ArgumentParser
import Converter
import Support

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
