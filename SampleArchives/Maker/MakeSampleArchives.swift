import Foundation

/// Writes the sample archives to the folder in the first argument, or to `SampleArchives`.
@main
struct MakeSampleArchives {
  static func main() throws {
    let hashing = "SWIFT_DETERMINISTIC_HASHING"
    guard ProcessInfo.processInfo.environment[hashing] != nil else {
      // Foundation's archiver writes sets in the order of their hashes, which differs from run to
      // run unless the process is started with this variable.
      exit(try runAgain(with: [hashing: "1"]))
    }
    let folder = URL(
      fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "SampleArchives",
      isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for sample in try samples() {
      for (suffix, bytes) in [("archive", sample.binary), ("xml", sample.xml)] {
        guard let bytes else { continue }
        let name = "\(sample.name).\(suffix)"
        try bytes.write(to: folder.appendingPathComponent(name))
        print("\(name): \(bytes.count) bytes")
      }
    }
  }

  private static func samples() throws -> [Sample] {
    [
      try MentalCase.sample(), try Expenses.sample(), try Expenses.unusualSample(),
      try QuickRecords.sample(), try Events.sample(), try Locations.sample(),
    ]
  }

  private static func runAgain(with variables: [String: String]) throws -> Int32 {
    let process = Process()
    process.executableURL =
      Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = Array(CommandLine.arguments.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
