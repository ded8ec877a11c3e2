import ArgumentParser
import Importer

/// `convert model`: what is in a Core Data model, and a store of it without rows.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show what is in a Core Data model, or make an empty store of it.",
    discussion: """
      Reads models as Xcode edits them (.xcdatamodeld, .xcdatamodel), as it compiles them \
      (.momd, .mom), and as stores carry them. Of a model with several versions, the current one \
      is taken. Shown are entities, properties and version hashes.
      """)

  @Argument(help: "The model, or a Core Data store that carries it.", completion: .file())
  var model: String

  @Flag(help: "Print JSON, with the version hash of each entity.")
  var json = false

  @Option(
    help: ArgumentHelp("Make a store with the tables of the model and no rows.", valueName: "file"),
    completion: .file())
  var createStore: String?

  @Option(
    help: ArgumentHelp(
      "The form of the store: the converter's own tables, or those of Core Data.",
      valueName: "relational|coredata"))
  var layout = StoreLayout.relational

  @Option(
    help: ArgumentHelp(
      "What to do if something is at the destination already.", valueName: "fail|replace"))
  var ifExists = ConversionOptions.ExistingStore.fail

  @Option(
    help: ArgumentHelp(
      "Take version hashes and the compiled model from a Core Data store of the same model.",
      valueName: "store"), completion: .file())
  var template: String?

  @OptionGroup var limitOptions: LimitOptions

  func validate() throws {
    try limitOptions.check(LimitOptions.ofModels, command: "model")
    guard ifExists != .append else {
      throw ValidationError("An empty store has nothing to append: use fail or replace.")
    }
  }

  func run() throws {
    let source: ModelSource
    do throws(ModelError) {
      var found = try ModelSource(contentsOf: model, limits: limitOptions.limits)
      if let template { try found.adopt(template: template) }
      source = found
    } catch {
      Console.complain("\(error)")
      throw Outcome.impossible
    }
    if json {
      try Console.print(ModelJSON(source).text(), terminator: "")
    } else if createStore == nil {
      try Console.print(ModelText(source.model).text(), terminator: "")
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
        "\(model): give the compiled model (.momd), or a store of it with --template, to have the "
          + "hashes that Core Data made")
    }
    for name in source.differingHashes {
      Console.complain(
        "\(model): the version hash of \(name) is not the one that stands beside the model")
    }
    if !source.differingHashes.isEmpty || hasWarnings { throw Outcome.incomplete }
  }

  /// Makes the store; returns whether Core Data may refuse it.
  private func write(_ source: ModelSource, to path: String) throws -> Bool {
    do {
      let notes = try EmptyStore(source, layout: layout)
        .write(to: path, isReplacing: ifExists == .replace)
      for index in notes.omittedIndexes {
        Console.complain("\(path): the index \(index) is left out: its form is not known")
      }
      return !notes.uncertainHashes.isEmpty
    } catch let error as StoreError {
      Console.complain("\(error)")
    } catch let error as ModelError {
      Console.complain("\(error.path.isEmpty ? "\(model): " : "")\(error)")
    }
    throw Outcome.impossible
  }
}

extension StoreLayout: ExpressibleByArgument {}
