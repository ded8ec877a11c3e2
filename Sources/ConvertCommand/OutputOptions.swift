import ArgumentParser
import Converter
import Support

/// The options for the reports and the progress of a conversion.
struct OutputOptions: ParsableArguments {
  @OptionGroup var reportFiles: ReportFiles

  @OptionGroup var fullReport: FullReportFile

  @OptionGroup var diagramFile: DiagramFile

  @OptionGroup var summary: SummaryOptions

  @OptionGroup var progress: ProgressOptions

  @Flag(name: [.short, .long], help: "Print no summary.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Also print each attribute, relationship and archive.")
  var verbose = false

  func validate() throws {
    try fullReport.check(against: reportFiles)
    try summary.check(quiet: quiet, verbose: verbose)
  }

  /// Refuses to start if what is asked for could not be written.
  func prepare() throws {
    if !quiet { try Console.requireOutput() }
    try reportFiles.checkPlaces()
    try fullReport.checkPlace()
    try diagramFile.checkPlace()
  }

  /// Adds to the options of a conversion what reports and the display of progress need.
  ///
  /// - Returns: The display, which is to be ended after the conversion; nil if there is none.
  func apply(to options: inout ConversionOptions) -> ProgressDisplay? {
    options.furtherOutputs += reportFiles.report + fullReport.paths + diagramFile.paths
    options.spill = fullReport.spill
    return progress.begin(&options, isQuiet: quiet)
  }

  /// Converts into one store, and reports the outcome.
  ///
  /// - Parameters:
  ///   - inputs: The inputs.
  ///   - destination: The path of the store; nil for a dry run that is not tried where it would be.
  ///   - options: The options of the conversion.
  ///   - metadata: The file that describes the store, if it is kept.
  /// - Throws: The end of the command, if anything was not converted.
  func convert(
    _ inputs: [String], to destination: String?, _ options: ConversionOptions,
    metadata: DatasetteFile? = nil
  ) throws {
    var options = options
    let display = apply(to: &options)
    let trial = destination == nil ? try trialFolder() : nil
    defer { withExtendedLifetime(trial) {} }
    let place = destination ?? "\(trial?.path ?? ".")/store.sqlite"
    var conversion = Conversion(inputs: inputs, destination: place, options: options)
    let interruption = Interruption(removing: conversion.unfinished, resumes: options.resumes)
    conversion.onStage = { [note = interruption.onStage] stage in
      note(stage)
      if case .writing(let done?) = stage { Self.noteBeginning(done) }
    }
    var result: ConversionReport
    do throws(ConversionError) {
      defer { display?.end() }
      result = try conversion.run()
      interruption.end()
    } catch {
      interruption.end()
      Console.complain(of: error)
      if case .changed = error {
        Console.complain("nothing was changed; run without --resume to start over")
      } else if let words = interruption.keptWords {
        Console.complain(words)
      }
      // Errors in the content of archives are reported even without a store.
      if conversion.report.validationErrorCount > 0 {
        var report = conversion.report
        if destination == nil { report.storePath = "" }
        try write(report)
        if summary.json { try summary.print(report) { "" } }
      }
      throw Outcome.impossible
    }

    // The folder that it was tried in is of no interest.
    if destination == nil { result.storePath = "" }
    // Where it cannot be written, the outcome is told all the same.
    let written = Result {
      if result.storeBytes != nil { try metadata?.write(ofStoreAt: place) }
    }
    try finish(result)
    try written.get()
  }

  /// Reports what became of one store, with its digest: see `tell(_:isSeparate:)`.
  func finish(_ result: ConversionReport) throws {
    var result = result
    if !reportFiles.report.isEmpty || summary.json { try digestStore(of: &result) }
    try tell(result)
  }

  /// A folder to try a conversion in.
  private func trialFolder() throws -> PrivateFolder {
    do {
      return try PrivateFolder()
    } catch {
      Console.complain("\(error)")
      throw Outcome.impossible
    }
  }

  /// Reports the outcome, and fails if anything was not converted.
  ///
  /// - Parameters:
  ///   - result: The report of the conversion.
  ///   - isSeparate: True if each archive has a store of its own.
  /// - Throws: The end of the command, if anything was not converted.
  func tell(_ result: ConversionReport, isSeparate: Bool = false) throws {
    Console.complainOfArchives(in: result)
    try write(result)
    if quiet {
      for archive in result.archives where archive.damageCount > 0 {
        Console.complain(
          "\(archive.path): \(Words.count(archive.damageCount, "part")) could not be read")
      }
    } else {
      do {
        try summary.print(result) {
          ReportText(result, isVerbose: verbose, style: Console.style).text()
        }
      } catch let error where error as? ExitCode == Outcome.impossible && result.storeBytes != nil {
        Console.complain("\(result.storePath): is complete, but the summary cannot be printed")
        throw Outcome.impossible
      }
    }
    if let verification = result.verification, !verification.isPassed {
      Console.complain(
        isSeparate
          ? "\(result.storePath): stores that differ from their archives were not kept"
          : "\(result.pathPrefix)the store differs from the archives and was not kept")
      throw Outcome.incomplete
    }
    if let failure = result.failedPass {
      for message in result.errorMessages { Console.complain(message) }
      Console.complain(
        "pass \(failure.name) failed: \(failure.reason); the rows of earlier passes were kept: "
          + failure.kept.joined(separator: ", "))
      throw Outcome.incomplete
    }
    if let words = result.missingRows { Console.complain("\(result.pathPrefix)\(words)") }
    try summary.checkLosses(in: result)
    if result.hasRejectedArchives || result.hasDamagedArchives || result.isWithoutRows {
      throw Outcome.incomplete
    }
  }

  /// Writes the requested reports.
  private func write(_ report: ConversionReport) throws {
    // Where one cannot be written, the others are.
    let outcomes = [
      Result { try fullReport.write(report) },
      Result { try diagramFile.write(EntityDiagram(report)) },
    ]
    try reportFiles.write(report)
    for outcome in outcomes { try outcome.get() }
  }

  private func digestStore(of result: inout ConversionReport) throws {
    do {
      try result.digestStore()
    } catch {
      Console.complain("\(result.storePath): \(error)")
      throw Outcome.incomplete
    }
  }

  /// Says where a resumed run starts.
  private static func noteBeginning(_ done: Int) {
    Console.complain(
      done == 0
        ? "nothing to resume; starting over"
        : "resuming after \(Words.count(done, "completed archive"))")
  }
}

extension ConversionReport {
  /// The path of the store as it stands before what is wrong with it; empty for a dry run without
  /// one.
  var pathPrefix: String { storePath.isEmpty ? "" : "\(storePath): " }
}
