import ArgumentParser
import Foundation
import Importer

/// `convert report`: the report of a store, again.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Print the report of a store, or of a run, again.",
    discussion: """
      A store keeps the report of each run that made it. The size and digest of the store are those \
      that it has now. A report that a run wrote as JSON can be given in place of a store.
      """)

  @Argument(help: "A store, or a report in JSON.", completion: .file())
  var store: String

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "The number of the run, for a store that was added to. (default: the last)", valueName: "n"))
  var runNumber: Int64?

  @OptionGroup var files: ReportFiles

  @Flag(name: [.short, .long], help: "Print nothing; write the files only.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print each attribute, relationship and archive as well.")
  var verbose = false

  func validate() throws {
    guard !(quiet && verbose) else {
      throw ValidationError("--quiet and --verbose exclude each other.")
    }
  }

  func run() throws {
    try files.refuse([store])
    try files.checkPlaces()
    let report = try found()
    try files.write(report)
    if !quiet {
      let text = ReportText(report, isVerbose: verbose, style: Console.style).text()
      try Console.print(text, terminator: "")
    }
  }

  /// The report of the store, or the one that a file in JSON holds.
  private func found() throws -> ConversionReport {
    do throws(StoreError) {
      if let report = try ConversionReport(jsonFile: store) { return report }
      return try StoreReports(path: store).report(ofRun: runNumber)
    } catch {
      Console.complain("\(error)")
      throw Outcome.impossible
    }
  }
}
