import ArgumentParser

extension ConvertCommand {
  /// The arguments of a command line, with one word for most of the paths of a long list.
  ///
  /// The parser's time grows with the square of the number of paths.
  struct ShortArguments {
    /// The arguments for the parser.
    private(set) var words: [String] = []

    /// The paths that each stand-in is for.
    private var hidden: [String: ArraySlice<String>] = [:]

    /// The number of words that stay of a list: among them are the subcommand, and the paths and
    /// values that have a place of their own.
    private static let maxWords = 100

    init(_ arguments: [String]) {
      var start = 0
      while start < arguments.count {
        let list = arguments[start...].prefix { !$0.hasPrefix("-") }
        let rest = list.dropFirst(Self.maxWords)
        words += list.prefix(Self.maxWords)
        start += list.count
        if !rest.isEmpty {
          // No argument has a NUL.
          let standIn = "\0\(hidden.count)"
          hidden[standIn] = rest
          words.append(standIn)
        }
        guard start < arguments.count else { break }
        words.append(arguments[start])
        start += 1
      }
    }

    /// Puts back the paths of a command.
    func complete(_ command: any ParsableCommand) -> any ParsableCommand {
      guard !hidden.isEmpty, var listing = command as? any PathListing else { return command }
      listing.inputs = listing.inputs.flatMap { hidden[$0] ?? [$0] }
      return listing
    }
  }
}

extension ConvertCommand {
  /// A command that takes any number of paths.
  protocol PathListing: ParsableCommand {
    var inputs: [String] { get set }
  }
}
