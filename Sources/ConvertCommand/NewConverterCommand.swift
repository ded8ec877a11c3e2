import ArchiveReader
import ArgumentParser
import Converter

extension ConvertCommand {
  /// `convert new-converter`: a Swift package with hooks drafted from an archive.
  struct NewConverter: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new-converter",
      abstract: "Write a Swift package of a custom converter, drafted from an archive.",
      discussion: """
        The package has a hook for each archived class, which reads every key that was found, and a \
        test that converts the archive. Unchanged, its rows are those of run without hooks.
        """)

    @Argument(
      help: ArgumentHelp("The folder of the package: a new or empty one.", valueName: "folder"),
      completion: .directory)
    var folder: String

    @Option(
      help: ArgumentHelp(
        "The archive to draft the hooks from, of which the test has a copy.", valueName: "archive"),
      completion: .file())
    var from: String

    @Option(
      help: ArgumentHelp(
        "A Core Data model: the objects become rows of its entities. The package has a copy.",
        valueName: "file"), completion: .file())
    var model: String?

    @OptionGroup var projectOption: ProjectOption

    @OptionGroup var limitOptions: LimitOptions

    func validate() throws { _ = try projectOption.dependency() }

    func run() throws {
      let interruption = Interruption()
      defer { interruption.end() }
      let dependency = try projectOption.dependency()
      do throws(ConversionError) {
        let draft = try ConverterDraft(
          folder: folder, archive: from, model: model, project: dependency,
          limits: limitOptions.limits)
        for name in draft.otherClasses where model != nil {
          Console.complain("\(name): no hook, since the model has no entity for it")
        }
        try draft.write()
      } catch {
        for message in error.messages { Console.complain(message) }
        throw Outcome.impossible
      }
    }
  }
}
