import ArgumentParser
import Foundation
import Importer
import Synchronization

/// The whole command line of `convert`.
public struct ConvertCommand: ParsableCommand {
  /// Changes the options of runs, when those of the command line are set: for tests.
  package static let adjustment = Mutex<(@Sendable (inout ConversionOptions) -> Void)?>(nil)

  /// The name of a converter of one's own.
  private static let ownName = Mutex<String?>(nil)

  /// The name that the program was called by: `convert` as built, `archive-convert` as installed.
  private static var invokedName: String {
    if let name = ownName.withLock(\.self) { return name }
    return calledName == "archive-convert" ? calledName : "convert"
  }

  private static var calledName: String {
    CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent } ?? ""
  }

  /// How the command is called and what it is made of.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: invokedName,
      abstract: "Turn keyed archives of old Mac and iPhone apps into an SQLite database.",
      discussion: """
        Reads property lists that NSKeyedArchiver wrote, binary or XML, and writes one store with \
        a table for each class, its relationships as foreign keys.

        Exit codes: 0 all converted; 1 finished, but an archive was rejected or a difference was \
        found; 2 nothing was done, since the request could not be carried out; 64 wrong usage.
        """,
      version: ConverterVersion.current,
      subcommands: [
        RunCommand.self, VerifyCommand.self, ReportCommand.self, InferCommand.self,
        CheckCommand.self, InspectCommand.self, ModelCommand.self,
      ],
      defaultSubcommand: RunCommand.self)
  }

  /// Creates the command; `main()` does so itself.
  public init() {}

  /// Runs the command line with hooks and policies of one's own: a whole converter.
  ///
  /// - Parameter extensions: The hooks and policies.
  public static func main(extensions: ImportExtensions) {
    ownName.withLock { $0 = calledName }
    do {
      var command = try parseAsRoot()
      if let command = command as? any ExtensibleCommand {
        try command.run(with: extensions)
      } else {
        try command.run()
      }
    } catch {
      exit(withError: error)
    }
  }
}

/// A command that hooks and policies make a difference to.
protocol ExtensibleCommand {
  func run(with extensions: ImportExtensions) throws
}
