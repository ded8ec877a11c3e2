import ArgumentParser
import Converter

/// The options on the outcome of a command: its form, and what it does to the exit code.
struct SummaryOptions: ParsableArguments {
  @Flag(help: "Print the summary as JSON, with the fields of a report in JSON.")
  var json = false

  @Flag(
    help: """
      End with exit code 1 if any content of the inputs is missing from the store, or changed in it, \
      other than on purpose.
      """)
  var strict = false

  /// Refuses options that exclude each other.
  func check(quiet: Bool, verbose: Bool) throws {
    let options = [("--json", json), ("--quiet", quiet), ("--verbose", verbose)].filter(\.1)
    guard options.count > 1 else { return }
    throw ValidationError("\(options[0].0) and \(options[1].0) cannot be used together.")
  }

  /// Prints a report as JSON, if that is asked for, else as text.
  func print(_ report: ConversionReport, _ text: () -> String) throws {
    try Console.print(text: json ? report.text(as: .json) : text())
  }

  /// Fails if content is missing, unless that is accepted.
  ///
  /// - Throws: The end of the command; the last line says why.
  func checkLosses(in report: ConversionReport) throws {
    guard strict, let losses = report.knownLosses else { return }
    Console.complain("\(report.pathPrefix)--strict accepts no losses: \(losses)")
    throw Outcome.incomplete
  }
}
