import ArgumentParser
import Converter
import Foundation

extension ConvertCommand {
  /// An unknown word of the command line: an option or a subcommand that does not exist.
  ///
  /// The parser reports missing arguments first, but usually an argument is missing because a word
  /// is misspelt.
  struct UnknownWord {
    /// The error in a sentence.
    let sentence: String

    /// Finds the first unknown word; nil if there is none.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the name of the program.
    ///   - commands: The subcommands.
    ///   - standard: The default subcommand.
    init?(
      in arguments: [String], _ commands: [any ParsableCommand.Type],
      standard: any ParsableCommand.Type
    ) {
      let names = commands.map { $0._commandName } + ["help"]
      let words = arguments.prefix { $0 != "--" }
      let first = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
      let command = commands.first { $0._commandName == first }
      if first == "help" {
        let topic = words.dropFirst().first { !$0.hasPrefix("-") }
        guard let topic, !names.contains(topic) else { return nil }
        let nearest = NearestName.find(topic, in: names)
        sentence =
          "No such subcommand: '\(topic)'." + (nearest.map { " Did you mean '\($0)'?" } ?? "")
        return
      }
      if command == nil, let first, first != "help", !FileManager.default.fileExists(atPath: first),
        !first.contains("/"), let nearest = NearestName.find(first, in: names)
      {
        sentence = "No such subcommand or file: '\(first)'. Did you mean '\(nearest)'?"
        return
      }
      let options = Self.options(of: command ?? standard)
      for word in words where word.hasPrefix("--") {
        let name = String(word.prefix { $0 != "=" })
        guard !options.contains(name) else { continue }
        let nearest = NearestName.find(name, in: options)
        sentence =
          "Unknown option '\(name)'." + (nearest.map { " Did you mean '\($0)'?" } ?? "")
        return
      }
      return nil
    }

    /// The long options of a command, as its help lists them.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
      let help = ConvertCommand.helpMessage(for: command, includeHidden: true, columns: 10_000)
      return help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
    }
  }
}
