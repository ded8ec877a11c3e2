import ArgumentParser
import Converter
import Foundation
import Support

extension StandardInput {
  /// Refuses to read it as more than one input.
  ///
  /// - Throws: The end of the command.
  static func check(_ inputs: [String]) throws {
    guard inputs.count(where: { $0 == path }) > 1 else { return }
    throw ValidationError("'-' is standard input, which can be given only once.")
  }

  /// Reads it, if it is among the inputs, before anything else is done.
  ///
  /// - Throws: The end of the command, if it cannot be read.
  static func take(_ inputs: [String]) throws {
    guard inputs.contains(path) else { return }
    guard isatty(STDIN_FILENO) == 0 else {
      Console.complain(
        "standard input: is a terminal; pipe an archive into the command, or name a file")
      throw Outcome.impossible
    }
    // A copy that is kept by then goes with the program.
    let interruption = Interruption()
    defer { interruption.end() }
    let opener = ConversionOptions().sourceOpener
    do throws(ArchiveError) {
      try keep(if: opener.recognizes)
    } catch {
      Console.complain("standard input: \(error)")
      throw Outcome.impossible
    }
  }
}
