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

    @Flag(help: "Convert the readable parts of damaged archives, and list the rest.")
    var salvage = false

    @Flag(
      help: """
        Also convert archives and other property lists stored in data values, each as a separate \
        archive.
        """)
    var openNested = false

    @Option(
      help: ArgumentHelp(
        "Create rows for the entities of a Core Data model: .xcdatamodeld, .xcdatamodel, .momd, "
          + ".mom, or a store that contains it. Core Data stores are read by it, or by the version in "
          + "a folder that they are of. May be repeated: models are merged.",
        valueName: "file"), completion: .file())
    var model: [String] = []

    @Option(
      help: ArgumentHelp(
        "Use a mapping file: which classes and keys become which entities and properties, and how "
          + "values are converted.", valueName: "file"), completion: .file())
    var mapping: String?

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

    @Flag(help: "Use a mapping even if it was made for another version of the model.")
    var acceptModelDrift = false

    @Flag(help: "If a pass of a mapping fails, keep the rows of earlier passes.")
    var keepPasses = false

    @Flag(help: "Record in the table _objects which archived object each row came from.")
    var provenance = false

    @Flag(
      help: """
        Keep the archives themselves in the store, so that export can make archives of its rows \
        again.
        """)
    var reversible = false

    @Flag(help: "Add a table for full-text search in all texts (FTS5).")
    var fts = false

    @Option(
      help: ArgumentHelp(
        "How many archives to read in parallel, from 1 to \(Self.maxJobs). The output does not "
          + "depend on it. (default: the number of processors)", valueName: "number"))
    var jobs: Int?

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

    @OptionGroup var entityOptions: EntityOptions

    @OptionGroup var filterOptions: FilterOptions

    @OptionGroup var limitOptions: LimitOptions

    @OptionGroup var datasetteFile: DatasetteFile

    @OptionGroup var output: OutputOptions

    private static let maxJobs = 64

    func validate() throws {
      guard jobs.map((1...Self.maxJobs).contains) ?? true else {
        throw ValidationError("--jobs must be a whole number from 1 to \(Self.maxJobs).")
      }
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
      guard mapping == nil || preset == nil else {
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

    /// Refuses what an export could not undo.
    private func checkReversible() throws {
      guard reversible else { return }
      let refused = [
        ("--layout coredata", layout == .coreData), ("--mapping", mapping != nil),
        ("--preset", preset != nil), ("--model", !model.isEmpty), ("--salvage", salvage),
        ("--open-nested", openNested),
        ("--column", !entityOptions.column.isEmpty), ("--carry", !entityOptions.carry.isEmpty),
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
      let inputs = try inputList.all(inputs)
      var options = ConversionOptions()
      options.furtherOutputs = datasetteFile.paths
      options.modelPaths = model
      (options.mappingPath, options.preset) = (mapping, preset)
      options.layout = layout
      options.templatePath = template
      options.acceptsModelDrift = acceptModelDrift
      options.keepsCompletePasses = keepPasses
      options.extensions = extensions
      options.existingStore = ifExists
      options.errorPolicy = onError
      (options.salvages, options.offersSalvage) = (salvage, true)
      options.opensNested = openNested
      options.recordsProvenance = provenance
      options.isReversible = reversible
      if reversible {
        // An export makes keyed archives.
        options.sourceKinds = [KeyedArchiveKind()]
        guard extensions.hookNames.isEmpty else {
          throw ValidationError("--reversible cannot be used with hooks in Swift.")
        }
      }
      options.isSearchable = fts
      entityOptions.apply(to: &options)
      options.verifies = verify
      options.isDryRun = dryRun
      options.filter = filterOptions.filter
      options.limits = limitOptions.limits
      if let jobs { options.jobs = jobs }
      options.resumes = resume
      ConvertCommand.adjustment.withLock(\.self)?(&options)

      guard storePerArchive == nil else { return try runSeparately(inputs, options) }
      try output.convert(inputs, to: destination, options, metadata: datasetteFile)
    }
  }
}

extension ConversionOptions.ExistingStore: ExpressibleByArgument {}
extension Preset: ExpressibleByArgument {}
extension ConversionOptions.ErrorPolicy: ExpressibleByArgument {}
