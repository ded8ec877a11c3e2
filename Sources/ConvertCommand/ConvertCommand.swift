import ArgumentParser
import Foundation

/// The whole command line of `convert`.
public struct ConvertCommand: ParsableCommand {
  /// The name that the program was called by: `convert` as built, `archive-convert` as installed.
  private static var invokedName: String {
    let name = CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent } ?? ""
    return name == "archive-convert" ? name : "convert"
  }

  /// How the command is called and what it is made of.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: invokedName,
      abstract: "Turn keyed archives of old Mac and iPhone apps into an SQLite database.",
      discussion: """
        Reads property lists that NSKeyedArchiver wrote, binary or XML, and writes one store with \
        a table for each class, its relationships as foreign keys.

        Exit codes: 0 all converted; 1 finished, but an archive was rejected; 2 nothing was done, \
        since the request could not be carried out; 64 wrong usage.
        """,
      version: Version.current,
      subcommands: [RunCommand.self, InspectCommand.self, ModelCommand.self],
      defaultSubcommand: RunCommand.self)
  }

  /// Creates the command; `main()` does so itself.
  public init() {}
}
