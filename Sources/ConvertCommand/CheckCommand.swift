import ArgumentParser
import Importer

/// `convert check`: whether a mapping can be used, without converting anything.
struct CheckCommand: ParsableCommand, ExtensibleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a mapping file, by itself and against a Core Data model.",
    discussion: """
      Every mistake is told with its line and column and, where a name is unknown, with the \
      nearest one that exists. Nothing is converted.
      """)

  @Argument(help: "The mapping file.", completion: .file())
  var mapping: String

  @Option(
    help: ArgumentHelp(
      "The model, if it is another than the mapping names.", valueName: "file"),
    completion: .file())
  var model: String?

  @Flag(help: "Accept a mapping that was made for another version of the model.")
  var acceptModelDrift = false

  @OptionGroup var limitOptions: LimitOptions

  @Flag(name: [.short, .long], help: "Print nothing but mistakes.")
  var quiet = false

  func run() throws { try run(with: ImportExtensions()) }

  func run(with extensions: ImportExtensions) throws {
    var options = ConversionOptions()
    options.mappingPath = mapping
    options.modelPath = model
    options.acceptsModelDrift = acceptModelDrift
    options.extensions = extensions
    options.limits = limitOptions.limits
    do throws(ConversionError) {
      let checked = try MappingCheck.run(options)
      guard !quiet else { return }
      Console.print("\(mapping): no mistakes found")
      if let digest = checked.modelDigest { Console.print("modelDigest: \"\(digest)\"") }
    } catch {
      for message in error.messages { Console.complain(message) }
      throw Outcome.impossible
    }
  }
}
