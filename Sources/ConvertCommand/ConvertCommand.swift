import ArchiveReader
import ArgumentParser
import Converter
import Foundation
import Support
import Synchronization

/// The whole command line of `convert`.
public struct ConvertCommand: ParsableCommand {
  /// Changes the options of runs, when those of the command line are set: for tests.
  package static let adjustment = Mutex<(@Sendable (inout ConversionOptions) -> Void)?>(nil)

  /// The name of a custom converter.
  private static let ownName = Mutex<String?>(nil)

  /// The name that the program was called by: `convert` as built, `archive-convert` as installed.
  private static var invokedName: String {
    if let name = ownName.withLock(\.self) { return name }
    return calledName == "archive-convert" ? calledName : "convert"
  }

  private static var calledName: String {
    CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent } ?? ""
  }

  /// The name, help and subcommands of the command.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: invokedName,
      abstract: "Convert keyed archives and databases of old Mac and iPhone apps to SQLite.",
      discussion: """
        Reads property lists written by NSKeyedArchiver, binary or XML, typedstreams, Core Data \
        stores and other SQLite databases, and writes one SQLite database with a table for each class and relationships as foreign keys.

        Examples:
          Convert an archive, and compare the store with it
            \(invokedName) App.archive -o app.sqlite --verify
          Convert everything in a folder, with a report to read
            \(invokedName) Documents -o all.sqlite --report all.html
          See what is in an archive or a Core Data store
            \(invokedName) inspect App.archive

        Environment: NO_COLOR no colors, if it is set and not empty; TERM no colors and no progress \
        bar, if it is dumb; TMPDIR the folder for temporary files; SOURCE_DATE_EPOCH the time that \
        stores are said to be made at.

        Exit codes: 0 all converted; 1 finished, but an archive was rejected or a difference was \
        found; 2 the request could not be carried out, and nothing was done; 64 usage error.
        """,
      version: ConverterVersion.current,
      subcommands: subcommands, defaultSubcommand: Run.self)
  }

  private static let subcommands: [any ParsableCommand.Type] = [
    Run.self, Migrate.self, Verify.self, Report.self, Infer.self,
    Check.self, Inspect.self, Where.self, Export.self, Code.self, ShowModel.self, NewConverter.self,
    Profile.self, MergeProfiles.self, Plan.self, Combine.self,
  ]

  /// Creates the command; `main()` does so itself.
  public init() {}

  /// The arguments as the system hands them over: file names in them may not be Unicode.
  fileprivate static var systemArguments: [String] {
    (0..<Int(CommandLine.argc)).compactMap { number in
      unsafe CommandLine.unsafeArgv[number].map { unsafe FileName.text(cString: $0) }
    }
  }

  /// Runs the command line.
  public static func main() { run(with: ImportExtensions()) }

  /// Runs the command line with custom hooks and policies: a complete converter.
  ///
  /// - Parameter extensions: The hooks and policies.
  public static func main(extensions: ImportExtensions) {
    ownName.withLock { $0 = calledName }
    run(with: extensions)
  }

  private static func run(with extensions: ImportExtensions) {
    StandardStream.prepare()
    // The word of a variable that is not set, say; the shell's completion passes such ones.
    let arguments = systemArguments.dropFirst()
    if arguments.contains(""), arguments.first?.hasPrefix("---") != true {
      Console.complain("Error: an argument is empty: \"\"")
      exit(withError: ExitCode.validationFailure)
    }
    // The parser shows its own help instead of that for a word that it does not know.
    if arguments.first == "help",
      let word = UnknownWord(in: Array(arguments), subcommands, standard: Run.self)
    {
      Console.complain("Error: \(word.sentence)")
      exit(withError: ExitCode.validationFailure)
    }
    let parsed: any ParsableCommand
    do {
      let arguments = ShortArguments(Array(systemArguments.dropFirst()))
      parsed = arguments.complete(try parseAsRoot(arguments.words))
    } catch {
      // An argument that the error repeats must not command the terminal.
      let shown = systemArguments.dropFirst().map(Console.printable)
      let error = Result { try parseAsRoot(shown) }.failure ?? error
      explain(error)
      end(with: error)
    }
    defer { StandardInput.discard() }
    do {
      var command = parsed
      if let command = command as? any Extensible {
        try command.run(with: extensions)
      } else {
        try command.run()
      }
    } catch {
      StandardInput.discard()
      end(with: error)
    }
  }

  /// Ends the program with what an error says: help and completions are errors to the parser, too.
  private static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    var text = fullMessage(for: error)
    guard !text.isEmpty else { exit(withError: code) }
    guard code.isSuccess else {
      // A command says what is wrong in one line, in which it may name files.
      let line = (error as? ArgumentParser.ValidationError)?.message ?? text
      Console.complain(
        text: line == text ? text : text.replacing(line, with: Console.printable(line)))
      exit(withError: code)
    }
    if systemArguments.contains(where: { $0.hasPrefix("--generate-completion-script") }) {
      text =
        CompletionScript(
          text, commands: subcommands.map { $0._commandName }, standard: Run._commandName
        ).text
    }
    do {
      try Console.print(text: text + "\n")
    } catch {
      exit(withError: error)
    }
    exit(withError: code)
  }
}

extension ConvertCommand {
  /// Ends the program and names the word if the command line has an unknown word, and the parser
  /// reported something else because of it.
  fileprivate static func explain(_ error: any Error) {
    let message = fullMessage(for: error)
    guard exitCode(for: error) == .validationFailure, !message.contains("Unknown option"),
      let word = UnknownWord(
        in: Array(systemArguments.dropFirst()), subcommands, standard: Run.self)
    else { return }
    Console.complain("Error: \(word.sentence)")
    // The usage stays as it is.
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.drop(while: { !$0.hasPrefix("Usage:") }) { Console.complain(String(line)) }
    exit(withError: ExitCode.validationFailure)
  }
}

extension ConvertCommand {
  /// A command that uses hooks and policies.
  protocol Extensible {
    func run(with extensions: ImportExtensions) throws
  }
}

extension Result {
  /// The error; nil if there is none.
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
