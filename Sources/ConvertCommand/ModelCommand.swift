import ArgumentParser
import Importer

/// `convert model`: what is in a Core Data model.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show what is in a Core Data model: its entities, properties and version hashes.",
    discussion: """
      Reads models as Xcode edits them (.xcdatamodeld, .xcdatamodel) and as it compiles them \
      (.momd, .mom). Of a model with several versions, the current one is shown.
      """)

  @Argument(help: "The model.", completion: .file())
  var model: String

  @Flag(help: "Print JSON, with the version hash of each entity.")
  var json = false

  @OptionGroup var limitOptions: LimitOptions

  func run() throws {
    let loaded: Model
    let differing: [String]
    do throws(ModelError) {
      loaded = try Model(contentsOf: model, limits: limitOptions.limits)
      differing = try Self.differingEntities(loaded, path: model)
    } catch {
      Console.complain("\(error)")
      throw Outcome.impossible
    }
    if json {
      Console.print(try ModelJSON(loaded).text(), terminator: "")
    } else {
      Console.print(ModelText(loaded).text(), terminator: "")
    }
    for name in loaded.entitiesWithUncertainHash {
      Console.complain(
        "\(model): the version hash of \(name) is uncertain: it has derived or composite attributes"
      )
    }
    for name in differing {
      Console.complain("\(model): the version hash of \(name) is not the one in VersionInfo.plist")
    }
    if !differing.isEmpty { throw Outcome.incomplete }
  }

  /// The entities whose hashes differ from those that stand in a compiled model.
  private static func differingEntities(
    _ model: Model, path: String
  ) throws(ModelError) -> [String] {
    var folder = Substring(path)
    while folder.hasSuffix("/") { folder = folder.dropLast() }
    guard folder.hasSuffix(".momd"),
      let hashes = try VersionInfo(contentsOf: String(folder)).currentVersionHashes
    else { return [] }
    let uncertain = Set(model.entitiesWithUncertainHash)
    return model.entitiesThatDiffer(from: hashes).filter { !uncertain.contains($0) }
  }
}
