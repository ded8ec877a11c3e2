import ArgumentParser
import Converter
import Foundation
import Support

/// The option `--report`: files that a report is written to.
struct ReportFiles: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a report; the file extension selects the format: \(endings). May be repeated.",
      valueName: "file"),
    completion: .file())
  var report: [String] = []

  private static let endings = ReportForm.allEndings.map { ".\($0)" }.joined(separator: ", ")

  func validate() throws {
    for file in report where ReportForm(path: file) == nil {
      throw ValidationError("The report '\(file)' must end in one of \(Self.endings).")
    }
  }

  /// Refuses to start if a report could not be written.
  func checkPlaces() throws {
    for file in report {
      guard let reason = OutputFile.obstacle(to: file) else { continue }
      Console.complain("\(file): the report cannot be written: \(reason)")
      throw Outcome.impossible
    }
  }

  /// Writes a report in all requested formats.
  ///
  /// - Throws: The end of the command, if one of them cannot be written; the others are.
  func write(_ report: ConversionReport) throws {
    var hasFailed = false
    for file in self.report {
      guard let form = ReportForm(path: file) else { continue }
      if let reason = OutputFile.write(try report.text(as: form), to: file) {
        Console.complain("\(file): the report cannot be written: \(reason)")
        hasFailed = true
      }
    }
    if hasFailed { throw Outcome.incomplete }
  }
}
