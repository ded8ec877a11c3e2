import ArchiveReader
import ArgumentParser
import Converter
import Foundation

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

    @Option(
      help: ArgumentHelp(
        "What the package depends on: the folder or the URL of a checkout of this project. (default: "
          + "the folder that the program was built in)", valueName: "folder|url"),
      completion: .directory)
    var project: String?

    @OptionGroup var limitOptions: LimitOptions

    func validate() throws {
      guard dependency == nil else { return }
      throw ValidationError(
        project.map { "There is no checkout of this project at '\($0)'." }
          ?? "Give a checkout of this project, or its URL, with --project.")
    }

    func run() throws {
      let interruption = Interruption()
      defer { interruption.end() }
      guard let dependency else { return }
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

    /// The project that the package depends on; nil if there is no such thing.
    private var dependency: ConverterDraft.Project? {
      guard let project else {
        var folder = Bundle.main.executableURL?.resolvingSymlinksInPath()
        while let next = folder?.deletingLastPathComponent(), next.path != folder?.path {
          if Self.isCheckout(next.path) { return .path(next.path) }
          folder = next
        }
        return nil
      }
      if project.contains("://") || project.hasPrefix("git@") { return .url(project) }
      let path = URL(fileURLWithPath: project).standardizedFileURL.path
      return Self.isCheckout(path) ? .path(path) : nil
    }

    private static func isCheckout(_ path: String) -> Bool {
      (try? String(contentsOfFile: "\(path)/Package.swift", encoding: .utf8))?
        .contains("name: \"ArchiveConverter\"") == true
    }
  }
}
