import ArchiveReader
import ArgumentParser
import Importer

/// `convert infer`: a draft of a mapping, and of a Core Data model, from archives.
struct InferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Draft a mapping from archives, to edit and pass to run.",
    discussion: """
      The draft says what run does by itself: which class becomes which entity, which key which \
      property, and why two relationships are taken for each other's inverse. Used as it is, it \
      gives the same store.
      """)

  @Argument(help: "Archives, and directories to search for archives.", completion: .file())
  var inputs: [String]

  @Option(
    name: [.customShort("o"), .long], help: "The mapping file to write.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Write a Core Data model as well: a folder that ends in .xcdatamodeld.",
      valueName: "folder"), completion: .file())
  var modelOutput: String?

  @Option(
    help: ArgumentHelp(
      "Leave out this beginning of class names: with MT, MTNote becomes Note.",
      valueName: "prefix"))
  var stripPrefix: String?

  @Option(
    help: ArgumentHelp(
      "What to do with an archive that cannot be read: end the run, or leave it out. "
        + "(default: stop; skip where an input is a directory)", valueName: "stop|skip"))
  var onError: ConversionOptions.ErrorPolicy?

  @Flag(help: "Draw on archives that data values of archives hold as well, as run does.")
  var openNested = false

  @OptionGroup var filterOptions: FilterOptions

  @OptionGroup var limitOptions: LimitOptions

  @Flag(help: "Write over files that are there already.")
  var force = false

  func validate() throws {
    if let modelOutput, !modelOutput.hasSuffix(".xcdatamodeld") {
      throw ValidationError("The model '\(modelOutput)' must end in .xcdatamodeld.")
    }
  }

  func run() throws {
    var options = ConversionOptions()
    options.stripPrefix = stripPrefix.map { FileName.printable($0) }
    options.errorPolicy = onError
    options.filter = filterOptions.filter
    options.limits = limitOptions.limits
    options.opensNested = openNested
    let rejected: Int
    do throws(ConversionError) {
      try InferredDraft.check(mapping: output, model: modelOutput, replacing: force)
      let draft = try InferredDraft(inputs: inputs, options: options)
      for (path, error) in draft.rejected { Console.complain("\(path): \(error)") }
      try draft.write(mapping: output, model: modelOutput, replacing: force)
      rejected = draft.rejected.count
    } catch {
      for message in error.messages { Console.complain(message) }
      throw Outcome.impossible
    }
    if rejected > 0 { throw Outcome.incomplete }
  }
}
