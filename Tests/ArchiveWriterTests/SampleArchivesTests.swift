import Foundation
import Testing

@Suite("The sample archives")
struct SampleArchivesTests {
  @Test("are what the maker makes now")
  func areUpToDate() throws {
    let made = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: made) }
    try runMaker(output: made)

    let kept = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("SampleArchives")
    let madeNames = try archives(in: made)
    #expect(madeNames == (try archives(in: kept)))
    #expect(madeNames.count == 11)
    for name in madeNames {
      let isSame =
        try Data(contentsOf: made.appendingPathComponent(name))
        == Data(contentsOf: kept.appendingPathComponent(name))
      #expect(isSame, "\(name) differs: run `swift run make-sample-archives`")
    }
  }

  /// Runs the program that the build has put beside the tests.
  private func runMaker(output: URL) throws {
    let tests = try #require(Bundle.main.executableURL)
    let process = Process()
    process.executableURL = tests.deletingLastPathComponent()
      .appendingPathComponent("make-sample-archives")
    process.arguments = [output.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func archives(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".archive") || $0.hasSuffix(".xml") }.sorted()
  }
}
