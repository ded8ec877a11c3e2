import ArgumentParser
import Converter
import Mappings
import Migration
import Support

extension ConvertCommand {
  /// `convert migrate`: a Core Data store into one of another version of its model.
  struct Migrate: ParsableCommand, Extensible {
    static let configuration = CommandConfiguration(
      commandName: "migrate",
      abstract: "Migrate a Core Data store to another version of its model.",
      discussion: """
        Finds the version that the store is of by its hashes, and the steps that lead to the other: \
        by mapping models, or inferred as Core Data does. The steps are listed before they run. The \
        new store keeps the UUID and the metadata of the old one, which is not changed.
        """)

    @Argument(help: "The store: SQLite, XML or binary.", completion: .file())
    var store: String

    @Option(
      help: ArgumentHelp(
        "The version to migrate to: .xcdatamodel, .mom, or a folder of versions (.xcdatamodeld, "
          + ".momd), whose current version is meant. Other versions in the same folder are known. May be "
          + "repeated: models are merged, as those of an app's bundles.",
        valueName: "file"), completion: .file())
    var model: [String]

    @Option(
      name: [.customShort("o"), .customLong("output")], help: "The store to write.",
      completion: .file())
    var destination: String?

    @Option(
      help: ArgumentHelp(
        "Use a mapping model (.xcmappingmodel or .cdm), or all in a folder, such as an app's. May be "
          + "repeated. Steps without one are inferred.", valueName: "file"), completion: .file())
    var mappingModel: [String] = []

    @Option(
      help: ArgumentHelp(
        "Use further versions of the model: a file, or a folder of versions. May be repeated.",
        valueName: "file"), completion: .file())
    var versions: [String] = []

    @Option(
      help: ArgumentHelp(
        "Convert the migrated objects with a mapping file, as those of a store of the new version. Its "
          + "'policies' stand in for those of mapping models.",
        valueName: "file"), completion: .file())
    var mapping: String?

    @Option(
      help: ArgumentHelp(
        "The layout of the store: that of Core Data, or the converter's own tables.",
        valueName: "coredata|relational"))
    var layout = StoreLayout.coreData

    @Option(
      help: ArgumentHelp(
        "With --layout coredata, copy version hashes and the compiled model from a Core Data store "
          + "of the version to migrate to.", valueName: "store"), completion: .file())
    var template: String?

    @Option(
      help: ArgumentHelp(
        "What to do if the destination already exists.", valueName: "fail|replace"))
    var ifExists = ExistingFile.fail

    @Flag(
      help: """
        Use a mapping or a mapping model even if it was made for another version of the model: \
        entities and properties that do not exist are left out.
        """)
    var acceptModelDrift = false

    @Flag(help: "Convert the readable parts of a damaged store, and list the rest.")
    var salvage = false

    @Flag(
      help: """
        Compare the finished store with the old one, value by value, before moving it into place; a \
        store that differs is not kept.
        """)
    var verify = false

    @Flag(help: "List the steps, and stop.")
    var dryRun = false

    @OptionGroup var limitOptions: LimitOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
      try StandardOutput.refuse(destination, "-o")
      guard dryRun || destination != nil else {
        throw ValidationError("Specify the store to write with -o, or --dry-run.")
      }
      guard !dryRun || !output.summary.json else {
        throw ValidationError("--json and --dry-run cannot be used together.")
      }
      guard template == nil || layout == .coreData else {
        throw ValidationError("--template requires --layout coredata.")
      }
    }

    func run() throws { try run(with: ImportExtensions()) }

    func run(with extensions: ImportExtensions) throws {
      try output.prepare()
      try StandardInput.take([store])
      var options = ConversionOptions()
      options.modelPaths = model
      options.migration = MigrationOptions(mappingModelPaths: mappingModel, versionPaths: versions)
      options.mappingPath = mapping
      options.layout = layout
      options.templatePath = template
      options.existingStore = ifExists == .replace ? .replace : .fail
      options.acceptsModelDrift = acceptModelDrift
      (options.salvages, options.offersSalvage) = (salvage, true)
      options.extensions = extensions
      options.verifies = verify
      options.limits = limitOptions.limits
      try listSteps(options)
      guard let destination, !dryRun else { return }
      try output.convert([store], to: destination, options)
    }

    /// Prints the steps, and what keeps them from running.
    private func listSteps(_ options: ConversionOptions) throws {
      do {
        guard let planned = try options.plannedMigration(ofStoreAt: store) else { return }
        if !output.quiet, !output.summary.json {
          try Console.print(text: "\(planned)\n" + (dryRun ? "" : "\n"))
        }
        try planned.check()
      } catch let error as StoreMigrationError {
        let lines = "\(error)".split(separator: "\n").map(String.init)
        Console.refuse(store, expected: [], lines)
        if case .plan(.drift) = error {
          Console.complain(
            "--accept-model-drift uses it without the entities and properties that do not exist")
        }
        throw Outcome.impossible
      }
    }
  }
}
