import ArgumentParser
import Foundation
import Importer

/// `convert verify`: whether a store says what its archives do.
struct VerifyCommand: ParsableCommand, ExtensibleCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare a store with the archives that it was made of, value by value.",
    discussion: """
      The archives are read again, by another way than a run's, and every cell, element and link of \
      the store is compared with them, and what the store declares with the plan. What hooks in Swift \
      made is made again. Archives are known by their bytes, wherever their files are. \
      Nothing is written but reports.
      """)

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Argument(help: "The archives, and directories to search for them.", completion: .file())
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "The mapping file of the run, if it is not where it was: it must be the same.",
      valueName: "file"), completion: .file())
  var mapping: String?

  @Option(
    help: ArgumentHelp(
      "The model of the run, if it is not where it was: it must be the same.", valueName: "file"),
    completion: .file())
  var model: String?

  @OptionGroup var reportFiles: ReportFiles

  @OptionGroup var fullReport: FullReportFile

  @OptionGroup var filterOptions: FilterOptions

  @OptionGroup var limitOptions: LimitOptions

  @Flag(name: [.short, .long], help: "Print no result.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print more of the differences.")
  var verbose = false

  func validate() throws {
    try fullReport.check(against: reportFiles)
    guard !(quiet && verbose) else {
      throw ValidationError("--quiet and --verbose exclude each other.")
    }
  }

  func run() throws { try run(with: ImportExtensions()) }

  func run(with extensions: ImportExtensions) throws {
    if !quiet { try Console.requireOutput() }
    try reportFiles.checkPlaces()
    try fullReport.checkPlace()
    var options = ConversionOptions()
    options.modelPath = model
    options.mappingPath = mapping
    options.extensions = extensions
    options.filter = filterOptions.filter
    options.furtherOutputs = reportFiles.report + fullReport.paths
    options.spill = fullReport.spill
    options.limits = limitOptions.limits
    var verifier = StoreVerifier(store: store, inputs: inputs, options: options)
    let interruption = Interruption()
    defer { interruption.end() }
    let result: ConversionReport
    do throws(ConversionError) {
      result = try verifier.run()
    } catch {
      for message in error.messages { Console.complain(message) }
      throw Outcome.impossible
    }
    Console.complainOfArchives(in: result)
    let full = Result { try fullReport.write(result, [.skippedFiles, .differences]) }
    try reportFiles.write(result)
    try full.get()
    if !quiet {
      try Console.print(
        ReportText(result, isVerbose: verbose, style: Console.style).verification, terminator: "")
    }
    if result.verification?.isPassed != true || result.hasRejectedArchives {
      throw Outcome.incomplete
    }
  }
}
