import ArgumentParser
import Foundation

/// Measures the converter beside other programs that do the same, and prints tables.
@main
struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "benchmark")

  @Option(help: "The converter.")
  var convert: String

  @Option(help: "The folder of this package.")
  var package: String

  @Option(help: "Where archives and stores are put.")
  var folder: String

  @Option(help: "How many notes, with commas between the numbers; 0 for none.")
  var notes = "10000,100000,1000000"

  @Option(help: "Of how many notes there is an XML archive at most.")
  var mostXml = 100_000

  @Option(help: "How many archives the directory has; 0 for none.")
  var archives = 5_000

  @Option(help: "How often each program is run.")
  var rounds = 5

  @Option(help: "How often programs are run that take more than 10 seconds.")
  var slowRounds = 1

  @Option(help: "Only those comparisons whose titles hold this.")
  var only: String?

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard let programs = Bundle.main.executableURL?.deletingLastPathComponent().path else {
      throw Program.Failure(description: "the folder of the programs is not known")
    }
    let tools = Tools(convert: convert, package: package, programs: programs)
    let suite = Suite(tools: tools, inputs: Inputs(tools: tools, folder: folder))
    var table = ResultTable(machine: Machine(), rounds: rounds, slowRounds: slowRounds)
    for count in notes.split(separator: ",").compactMap({ Int($0) }) where count > 0 {
      let comparisons = try suite.comparisons(notes: count, withXML: count <= mostXml)
      try measure(
        "\(count) notes", comparisons + [try suite.verification(notes: count)], &table)
    }
    if archives > 0 {
      try measure(
        "A directory", [1, 2].map { try suite.directory(archives, jobs: $0) }, &table)
    }
    let results = "\(folder)/results.md"
    try table.text.write(toFile: results, atomically: true, encoding: .utf8)
    print("\nWritten to \(results)")
  }

  private func measure(
    _ title: String, _ comparisons: [Comparison], _ table: inout ResultTable
  ) throws {
    let chosen = comparisons.filter { only == nil || $0.title.contains(only ?? "") }
    guard !chosen.isEmpty else { return }
    table.begin(title)
    print("\n\(title)")
    for comparison in chosen {
      let results = try comparison.run(rounds: rounds, slowRounds: slowRounds)
      print(table.add(comparison.title, results))
      // Each row is to be seen when it is there, in a file as well.
      fflush(nil)
    }
  }
}
