import ArchiveReader
import ArgumentParser
import Converter
import Foundation
import Support

extension ConvertCommand {
  /// `convert run`: archives into one store.
  struct Run: PathListing, Extensible {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Convert archives into one store, or into one store per archive.",
      discussion: """
        Each class becomes a table, each key a column, each reference a foreign key, unless a model \
        or a mapping overrides it. Directories are searched for archives, which are recognized by \
        content. The store is built next to its destination and moved there once it is complete.
        """)

    @Argument(help: "Archives, or directories to search for archives.", completion: .file())
    var inputs: [String] = []

    @OptionGroup var inputList: InputList

    @Option(
      name: [.customShort("o"), .customLong("output")], help: "The store to write.",
      completion: .file())
    var destination: String?

    @Option(
      help: ArgumentHelp(
        "Write one store per archive into this folder, instead of one store for all.",
        valueName: "folder"), completion: .directory)
    var storePerArchive: String?

    @Option(
      help: ArgumentHelp(
        "What to do if the destination already exists.",
        valueName: "fail|replace|append"))
    var ifExists = ConversionOptions.ExistingStore.fail

    @Option(
      help: ArgumentHelp(
        "What to do with an archive that cannot be read: stop the run, or skip the archive. "
          + "(default: stop; skip if an input is a directory)", valueName: "stop|skip"))
    var onError: ConversionOptions.ErrorPolicy?

    @OptionGroup var request: RequestOptions

    @Option(
      help: ArgumentHelp(
        "Write the store of a shard, as a plan of all shards says, which has the other options.",
        valueName: "plan"), completion: .file())
    var plan: String?

    @Option(
      help: ArgumentHelp(
        "With --plan, the shard that the inputs are: 3/64.", valueName: "number/count"))
    var shard: Shard?

    @Option(
      help: ArgumentHelp(
        "Use a mapping that ships with the program: for the database of Messages. infer --preset "
          + "writes it to a file.", valueName: "messages"))
    var preset: Preset?

    @Option(
      help: ArgumentHelp(
        "The layout of the store: the converter's own tables, or those of Core Data, which require "
          + "a model.", valueName: "relational|coredata"))
    var layout = StoreLayout.relational

    @Option(
      help: ArgumentHelp(
        "With --layout coredata, copy version hashes and the compiled model from a Core Data store "
          + "of the same model.", valueName: "store"), completion: .file())
    var template: String?

    @Flag(help: "If a pass of a mapping fails, keep the rows of earlier passes.")
    var keepPasses = false

    @OptionGroup var process: ProcessOptions

    @Flag(
      help: """
        Resume an interrupted run, if there is one: the archives, the model, the mapping and the \
        options must be the same.
        """)
    var resume = false

    @Flag(
      help: """
        Compare the finished store with the archives, value by value, before moving it into place; \
        a store that differs is not kept.
        """)
    var verify = false

    @Flag(help: "Do everything, but do not keep the store, which need not be specified.")
    var dryRun = false

    @OptionGroup var filterOptions: FilterOptions

    @OptionGroup var datasetteFile: DatasetteFile

    @OptionGroup var output: OutputOptions

    func validate() throws {
      try inputList.check(inputs)
      guard destination == nil || storePerArchive == nil else {
        throw ValidationError("-o and --store-per-archive cannot be used together.")
      }
      guard destination != nil || storePerArchive != nil || dryRun else {
        throw ValidationError(
          "Specify the store to write with -o, or a folder with --store-per-archive.")
      }
      guard destination != nil || storePerArchive != nil || ifExists != .append else {
        throw ValidationError("--if-exists append requires -o, the store to add to.")
      }
      guard (plan == nil) == (shard == nil) else {
        throw ValidationError("--plan and --shard are used together.")
      }
      if plan != nil { try checkPlanned() }
      guard request.mapping == nil || preset == nil else {
        throw ValidationError("--mapping and --preset cannot be used together.")
      }
      try StandardOutput.refuse(destination, "-o")
      try StandardOutput.refuse(storePerArchive, "--store-per-archive")
      guard template == nil || layout == .coreData else {
        throw ValidationError("--template requires --layout coredata.")
      }
      guard datasetteFile.datasette == nil || (layout == .relational && storePerArchive == nil)
      else {
        throw ValidationError(
          "--datasette cannot be used with "
            + (storePerArchive == nil ? "--layout coredata." : "--store-per-archive."))
      }
      guard datasetteFile.datasette == nil || !dryRun else {
        throw ValidationError("--datasette cannot be used with --dry-run.")
      }
      try checkReversible()
      try datasetteFile.check(against: output.reportFiles.report + output.fullReport.paths)
      guard !(resume && dryRun) else {
        throw ValidationError("--resume and --dry-run cannot be used together.")
      }
    }

    /// Refuses what a plan has decided already, or a shard has no use for.
    private func checkPlanned() throws {
      let refused = [
        ("--store-per-archive", storePerArchive != nil),
        ("--if-exists append", ifExists == .append),
        ("--preset", preset != nil), ("--layout coredata", layout == .coreData),
        ("--keep-passes", keepPasses), ("--resume", resume), ("--dry-run", dryRun),
        ("--on-error", onError != nil), ("--include", !filterOptions.include.isEmpty),
        ("--exclude", !filterOptions.exclude.isEmpty),
      ]
      if let (option, _) = refused.first(where: \.1) {
        throw ValidationError("--plan cannot be used with \(option).")
      }
      guard request.isEmpty else {
        throw ValidationError("--plan has the options that say what becomes of archives.")
      }
    }

    /// Refuses what an export could not undo.
    private func checkReversible() throws {
      guard request.reversible else { return }
      let refused = [
        ("--layout coredata", layout == .coreData), ("--preset", preset != nil),
      ]
      if let (option, _) = refused.first(where: \.1) {
        throw ValidationError("--reversible cannot be used with \(option).")
      }
    }

    func run() throws { try run(with: ImportExtensions()) }

    func run(with extensions: ImportExtensions) throws {
      try output.prepare()
      try datasetteFile.checkPlace()
      try StandardInput.take(inputs)
      var options = ConversionOptions()
      process.apply(to: &options)
      let inputs = try inputList.all(inputs, needsSome: plan == nil)
      options.furtherOutputs = datasetteFile.paths
      options.preset = preset
      options.layout = layout
      options.templatePath = template
      options.keepsCompletePasses = keepPasses
      options.extensions = extensions
      options.existingStore = ifExists
      options.errorPolicy = onError
      options.offersSalvage = true
      request.apply(to: &options)
      if !extensions.hookNames.isEmpty {
        for (option, isGiven) in [("--reversible", request.reversible), ("--plan", plan != nil)]
        where isGiven {
          throw ValidationError("\(option) cannot be used with hooks in Swift.")
        }
      }
      options.verifies = verify
      options.isDryRun = dryRun
      options.filter = filterOptions.filter
      options.resumes = resume
      options.convertedAt = SourceDate.fixed
      ConvertCommand.adjustment.withLock(\.self)?(&options)

      if let plan, let shard { options.part = .init(shard: shard, planPath: plan) }
      guard storePerArchive == nil else { return try runSeparately(inputs, options) }
      try output.convert(inputs, to: destination, options, metadata: datasetteFile)
    }
  }
}

extension ConversionOptions.ExistingStore: ExpressibleByArgument {}
extension Preset: ExpressibleByArgument {}
extension ConversionOptions.ErrorPolicy: ExpressibleByArgument {}
