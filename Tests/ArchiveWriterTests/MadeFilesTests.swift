import Foundation
import TestSupport
import Testing

@Suite("The sample archives")
struct SampleArchivesTests {
  @Test("are what the maker makes now")
  func areUpToDate() throws {
    let made = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: made) }
    try run("make-sample-archives", output: made)

    let kept = URL(fileURLWithPath: Repository.samples)
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

  private func archives(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".archive") || $0.hasSuffix(".xml") }.sorted()
  }
}

@Suite("The conformance suite")
struct ConformanceCasesTests {
  @Test("has the cases that the maker makes now")
  func isUpToDate() throws {
    let folder = try TemporaryFolder()
    let made = URL(fileURLWithPath: folder.path).appendingPathComponent("cases")
    try run("make-conformance-cases", output: made)

    let kept = URL(fileURLWithPath: "\(Repository.root)/Conformance/cases")
    let names = try files(in: made)
    #expect(names == (try files(in: kept)))
    #expect(names.count > 500)
    for name in names {
      #expect(
        try contents(of: made.appendingPathComponent(name))
          == contents(of: kept.appendingPathComponent(name)),
        "\(name) differs: run `make samples`")
    }
  }

  private func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.contains(".") }.sorted()
  }

  /// The bytes of a file, without the version of SQLite that wrote it.
  private func contents(of file: URL) throws -> Data {
    var bytes = try Data(contentsOf: file)
    if file.pathExtension == "sqlite", bytes.count > 100 {
      bytes.replaceSubrange(96..<100, with: [0, 0, 0, 0])
    }
    return bytes
  }
}

/// Runs a program that the build has put beside the tests.
private func run(_ name: String, output: URL) throws {
  let tests = try #require(Bundle.main.executableURL)
  let process = Process()
  process.executableURL = tests.deletingLastPathComponent().appendingPathComponent(name)
  process.arguments = [output.path]
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
}
