import ArgumentParser
import Converter
import Foundation
import Support

extension ConvertCommand {
  /// `convert verify`: whether a store says what its archives do.
  struct Verify: PathListing, Extensible {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Compare a store with the archives it was made from, value by value.",
      discussion: """
        Reads the archives again, by a different method than a run, and compares every cell, element \
        and link of the store with them, and its schema with the plan. Hooks in Swift run again. \
        Archives are identified by their bytes, wherever their files are. Writes nothing but reports.
        """)

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Argument(help: "The archives, or directories to search for them.", completion: .file())
    var inputs: [String] = []

    @OptionGroup var inputList: InputList

    @Option(
      help: ArgumentHelp(
        "The mapping file of the run, if it was moved; it must be unchanged.",
        valueName: "file"), completion: .file())
    var mapping: String?

    @Option(
      help: ArgumentHelp(
        "The model of the run, if it was moved; it must be unchanged. Repeat it for each, if several "
          + "were merged.", valueName: "file"),
      completion: .file())
    var model: [String] = []

    @Option(
      help: ArgumentHelp(
        "A mapping model of the migration, if it was moved; it must be unchanged. May be repeated.",
        valueName: "file"), completion: .file())
    var mappingModel: [String] = []

    @Option(
      help: ArgumentHelp(
        "Further versions of the migration, if they were moved; they must be unchanged. May be "
          + "repeated.", valueName: "file"), completion: .file())
    var versions: [String] = []

    @OptionGroup var reportFiles: ReportFiles

    @OptionGroup var fullReport: FullReportFile

    @OptionGroup var summary: SummaryOptions

    @OptionGroup var progress: ProgressOptions

    @OptionGroup var filterOptions: FilterOptions

    @OptionGroup var limitOptions: LimitOptions

    @Flag(name: [.short, .long], help: "Do not print the result.")
    var quiet = false

    @Flag(name: [.short, .long], help: "Print more differences.")
    var verbose = false

    func validate() throws {
      try fullReport.check(against: reportFiles)
      try inputList.check(inputs)
      try summary.check(quiet: quiet, verbose: verbose)
    }

    func run() throws { try run(with: ImportExtensions()) }

    func run(with extensions: ImportExtensions) throws {
      if !quiet { try Console.requireOutput() }
      try reportFiles.checkPlaces()
      try fullReport.checkPlace()
      try StandardInput.take(inputs)
      let inputs = try inputList.all(inputs)
      var options = ConversionOptions()
      options.modelPaths = model
      options.mappingPath = mapping
      if !(mappingModel + versions).isEmpty {
        options.migration = MigrationOptions(
          mappingModelPaths: mappingModel, versionPaths: versions)
      }
      options.extensions = extensions
      options.filter = filterOptions.filter
      options.furtherOutputs = reportFiles.report + fullReport.paths
      options.spill = fullReport.spill
      options.limits = limitOptions.limits
      let display = progress.begin(&options, isQuiet: quiet)
      var verifier = StoreVerifier(store: store, inputs: inputs, options: options)
      let interruption = Interruption()
      defer { interruption.end() }
      let result: ConversionReport
      do throws(ConversionError) {
        defer { display?.end() }
        result = try verifier.run()
      } catch {
        Console.refuse(store, expected: [.store], error.messages)
        if GivenFile(store) == .archive, let first = inputs.first, GivenFile(first) == .store {
          Console.complain("the store comes first: archive-convert verify \(first) \(store)")
        }
        throw Outcome.impossible
      }
      Console.complainOfArchives(in: result)
      let full = Result { try fullReport.write(result, [.rejected, .skippedFiles, .differences]) }
      try reportFiles.write(result)
      try full.get()
      if !quiet {
        try summary.print(result) {
          ReportText(result, isVerbose: verbose, style: Console.style).verification
        }
      }
      try summary.checkLosses(in: result)
      if result.verification?.isPassed != true || result.hasRejectedArchives {
        throw Outcome.incomplete
      }
    }
  }
}
