import ArgumentParser
import Converter
import Foundation

extension ConvertCommand {
  /// `convert report`: the report of a store, again.
  struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "report",
      abstract: "Print the report of an earlier run again.",
      discussion: """
        A store keeps the report of each run that wrote to it. The size and digest of the store are \
        the current ones. A JSON report written by a run can be given instead of a store.
        """)

    @Argument(help: "A store, or a JSON report.", completion: .file())
    var store: String

    @Option(
      name: .customLong("run"),
      help: ArgumentHelp(
        "The number of the run, for a store written by several. (default: the last)", valueName: "n"
      ))
    var runNumber: Int64?

    @OptionGroup var files: ReportFiles

    @OptionGroup var datasetteFile: DatasetteFile

    @OptionGroup var diagramFile: DiagramFile

    @OptionGroup var summary: SummaryOptions

    @Flag(name: [.short, .long], help: "Print nothing; only write the files.")
    var quiet = false

    @Flag(name: [.short, .long], help: "Also print each attribute, relationship and archive.")
    var verbose = false

    func validate() throws {
      try summary.check(quiet: quiet, verbose: verbose)
      try datasetteFile.check(against: files.report)
    }

    func run() throws {
      try checkOutputs()
      try files.checkPlaces()
      try datasetteFile.checkPlace()
      try diagramFile.checkPlace()
      let report = try found()
      try files.write(report)
      try datasetteFile.write(ofStoreAt: store)
      try diagramFile.write(EntityDiagram(report))
      if !quiet {
        try summary.print(report) {
          ReportText(report, isVerbose: verbose, style: Console.style).text()
        }
      }
      try summary.checkLosses(in: report)
    }

    /// Refuses files in the place of the store, or of what somebody else wrote.
    private func checkOutputs() throws {
      let outputs = files.report + datasetteFile.paths + diagramFile.paths
      var read = ReadFiles([store])
      do throws(StoreError) {
        for path in outputs { try read.check(.file(path)) }
      } catch {
        Console.complain("\(error)")
        throw Outcome.impossible
      }
      for path in outputs where !OwnOutput.mayReplace(path) {
        Console.complain("\(path): \(OwnOutput.refusal)")
        throw Outcome.impossible
      }
    }

    /// The report of the store, or the one that a file in JSON holds.
    private func found() throws -> ConversionReport {
      do {
        if let report = try ConversionReport(jsonFile: store) {
          try refuseOptionsOfStores()
          return report
        }
        return try StoreReports(path: store).report(ofRun: runNumber)
      } catch let error as StoreError {
        Console.refuse(store, expected: [.store], ["\(error)"])
        throw Outcome.impossible
      }
    }

    /// Refuses options that require a store, where a report is given.
    private func refuseOptionsOfStores() throws {
      let options = [
        ("--run", runNumber != nil), ("--datasette", datasetteFile.datasette != nil),
      ]
      guard let (option, _) = options.first(where: \.1) else { return }
      Console.complain("\(store): is a report; \(option) requires the store")
      throw Outcome.impossible
    }
  }
}
