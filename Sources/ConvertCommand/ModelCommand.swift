import ArgumentParser
import Converter
import Support

extension ConvertCommand {
  /// `convert model`: what is in a Core Data model, and a store of it without rows.
  struct ShowModel: PathListing {
    static let configuration = CommandConfiguration(
      commandName: "model",
      abstract: "Show a Core Data model, or create an empty store for it.",
      discussion: """
        Reads models in Xcode's source format (.xcdatamodeld, .xcdatamodel), compiled (.momd, \
        .mom), or from a store. If a model has several versions, the current one is used. Shows entities \
        and properties, and with --json also version hashes.
        """)

    @Argument(
      help: "The model, or a Core Data store that contains it. Several models are merged.",
      completion: .file())
    var models: [String]

    @Flag(help: "Print JSON, with the version hash of each entity.")
    var json = false

    @Option(
      help: ArgumentHelp(
        "Create a store with the tables of the model and no rows.", valueName: "file"),
      completion: .file())
    var createStore: String?

    @Option(
      help: ArgumentHelp(
        "The layout of the store: the converter's own tables, or those of Core Data.",
        valueName: "relational|coredata"))
    var layout = StoreLayout.relational

    @Option(
      help: ArgumentHelp(
        "What to do if the destination already exists.", valueName: "fail|replace"))
    var ifExists = ExistingFile.fail

    @Option(
      help: ArgumentHelp(
        "Copy version hashes and the compiled model from a Core Data store of the same model.",
        valueName: "store"), completion: .file())
    var template: String?

    @OptionGroup var diagramFile: DiagramFile

    @OptionGroup var limitOptions: LimitOptions

    var inputs: [String] {
      get { models }
      set { models = newValue }
    }

    /// The models as errors name them.
    private var model: String { models.joined(separator: ", ") }

    func validate() throws {
      try StandardOutput.refuse(createStore, "--create-store")
      guard diagramFile.diagram == nil || diagramFile.diagram != createStore else {
        throw ValidationError("--create-store and --diagram name the same file.")
      }
      // Only a store has tables.
      let limits: Set = createStore == nil ? [] : [ReadingLimits.Name.tables]
      try limitOptions.check(LimitOptions.ofModels.union(limits), command: "model")
    }

    func run() throws {
      try checkDiagram()
      let interruption = Interruption()
      defer { interruption.end() }
      let source: ModelSource
      do throws(ModelError) {
        var found = try ModelSource(contentsOf: models, limits: limitOptions.limits)
        if let template { try found.adopt(template: template) }
        source = found
      } catch {
        Console.refuse(error.path, expected: [.model], ["\(error)"])
        throw Outcome.impossible
      }
      try diagramFile.write(EntityDiagram(source.model))
      if json {
        try Console.print(text: JSON(source).text())
      } else if createStore == nil {
        try Console.print(text: Listing(source.model).text())
      }
      for note in source.model.notes {
        Console.complain("\(note.path.isEmpty ? "\(model): " : "")note: \(note)")
      }
      let hasWarnings = try createStore.map { try write(source, to: $0) } ?? false
      for name in source.uncertainHashes {
        Console.complain(
          "\(model): the version hash of \(name) is uncertain: it has derived or composite attributes"
        )
      }
      if !source.uncertainHashes.isEmpty {
        Console.complain(
          "\(model): specify the compiled model (.momd), or a store of it with --template, to use the "
            + "hashes computed by Core Data")
      }
      for name in source.differingHashes {
        Console.complain(
          "\(model): the version hash of \(name) differs from the one stored with the model")
      }
      if !source.differingHashes.isEmpty || hasWarnings { throw Outcome.incomplete }
    }

    /// Refuses a diagram in the place of what is read, of the store, or of somebody else's file.
    private func checkDiagram() throws {
      guard let path = diagramFile.diagram else { return }
      try diagramFile.checkPlace()
      var read = ReadFiles(models + [template].compactMap(\.self))
      do throws(StoreError) {
        try read.check(.file(path))
      } catch {
        Console.complain("\(error)")
        throw Outcome.impossible
      }
      guard OwnOutput.mayReplace(path) else {
        Console.complain("\(path): \(OwnOutput.refusal)")
        throw Outcome.impossible
      }
    }

    /// Makes the store; returns whether Core Data may refuse it.
    private func write(_ source: ModelSource, to path: String) throws -> Bool {
      do {
        var read = ReadFiles(models + [template].compactMap(\.self))
        try read.check(.store(path))
        let notes = try EmptyStore(source, layout: layout, limits: limitOptions.limits)
          .write(to: path, isReplacing: ifExists == .replace)
        for index in notes.omittedIndexes {
          Console.complain("\(path): the index \(index) is omitted: its form is unknown")
        }
        if !notes.hasModel {
          Console.complain(
            "\(path): does not carry the model: the compiled form of something in it is unknown")
        }
        return !notes.uncertainHashes.isEmpty
      } catch let error as ConversionError {
        for message in error.messages { Console.complain(message) }
      } catch let error as StoreError {
        Console.complain("\(error)")
      } catch let error as ModelError {
        Console.complain("\(error.path.isEmpty ? "\(model): " : "")\(error)")
      }
      throw Outcome.impossible
    }
  }
}

extension StoreLayout: ExpressibleByArgument {}
