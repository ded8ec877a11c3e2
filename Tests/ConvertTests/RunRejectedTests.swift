import Foundation
import Support
import TestSupport
import Testing

@Suite("What a report says of files that were not converted")
struct RunRejectedTests {
  /// A broken property list whose rest is no archive.
  private static let brokenList =
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><string>b</string>"

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a")
    try folder.addDamagedSample(as: "in/b")
    try folder.write(Self.brokenList, to: "in/c")
    try folder.write(
      Self.brokenList.replacing("</string>", with: "</string></dict></plist>"), to: "in/d")
    try folder.addDatabaseWithArchive(as: "in/e")
    try folder.write("text", to: "in/f")
    try folder.write("", to: "in/g")
    return folder
  }

  private static func archives(_ report: String, in folder: TemporaryFolder) throws -> [String] {
    struct Report: Decodable {
      struct Archive: Decodable {
        var path: String
        var outcome: String
        var format: String?
        var kind: String?
        var bytes: Int?
        var sha256: String?
      }
      var archives: [Archive]
    }
    let decoded = try JSONDecoder().decode(Report.self, from: folder.contents(of: report))
    return try decoded.archives.filter { $0.outcome != "converted" }.map { archive in
      let own = MessageDigest.sha256(of: [UInt8](try folder.contents(of: archive.path)))
      let digest = archive.sha256.map { $0 == own.hexadecimal ? "digest" : "wrong" } ?? "none"
      return "\(archive.path) \(archive.outcome) \(archive.format ?? archive.kind ?? "") "
        + "\(archive.bytes ?? -1) \(digest)"
    }
  }

  private static let expected = [
    "in/b rejected binary 3000 digest", "in/c rejected xml 78 digest",
    "in/d skipped property list 93 digest",
    "in/g skipped empty 0 digest", "in/f skipped other 4 none",
  ]

  @Test(
    "identifies each by size, digest and format, whoever reports it",
    arguments: [
      ["run", "in", "-o", "2.db"], ["verify", "1.db", "in"],
      ["run", "in", "--store-per-archive", "out"],
    ])
  func identifies(command: [String]) throws {
    let folder = try Self.folder()
    #expect(try folder.convert("in", "-o", "1.db", "-q").status == 1)
    let result = try Program.run(command + ["--report", "r.json", "-q"], in: folder.path)
    #expect(result.status == 1)
    #expect(try Set(Self.archives("r.json", in: folder)) == Set(Self.expected))
  }

  @Test("leaves no folder behind that no store came into", arguments: [true, false])
  func folders(isThere: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.addDamagedSample(as: "in/a/b")
    if isThere { try folder.write("", to: "out/other") }
    let result = try folder.convert("in", "--store-per-archive", "out")
    #expect(result.status == 2)
    #expect(try folder.names().contains("out") == isThere)
    #expect(!FileManager.default.fileExists(atPath: folder.file(named: "out/a")))
  }

  @Test("takes a damaged file for no other when it salvages")
  func salvages() throws {
    let folder = try Self.folder()
    #expect(try folder.convert("in", "-o", "1.db", "-q", "--salvage").status == 1)
    _ = try folder.convert("report", "1.db", "-q", "--report", "run.json")
    _ = try folder.convert("verify", "1.db", "in", "-q", "--report", "verify.json")
    let found = try ["run.json", "verify.json"].map { name in
      try Self.archives(name, in: folder).filter { $0.hasPrefix("in/c") }
    }
    #expect(found == [["in/c rejected xml 78 digest"], ["in/c rejected xml 78 digest"]])
  }

  @Test("ends with what was rejected, after the success of the rest")
  func endsWithRejected() throws {
    let folder = try Self.folder()
    for number in 0..<12 { try folder.addDamagedSample(as: "in/more/\(number + 10)") }
    let run = try folder.convert("in", "-o", "1.db", "--verify")
    let ending = """
      Rejected 14 archives:
        in/b
        in/c
        in/more/10
        in/more/11
        in/more/12
        in/more/13
        in/more/14
        in/more/15
        in/more/16
        in/more/17
        … and 4 more.

      """
    #expect(run.output.hasSuffix(" compared.\n\n" + ending))
    #expect(try folder.convert("verify", "1.db", "in").output.hasSuffix(" compared.\n\n" + ending))
    let digest = MessageDigest.sha256(of: [UInt8](try folder.contents(of: "in/c"))).hexadecimal
    let verbose = try folder.convert("report", "1.db", "-v").output
    #expect(verbose.contains("\n    xml, 78 bytes, SHA-256 \(digest)\n"))
    #expect(verbose.hasSuffix("\nRejected 14 archives: see above.\n"))
  }

  @Test("has all that was rejected in the full report")
  func fullReport() throws {
    let folder = try Self.folder()
    _ = try folder.convert("in", "-o", "1.db", "-q", "--report-full", "run.jsonl")
    _ = try folder.convert("verify", "1.db", "in", "-q", "--report-full", "verify.jsonl")
    for name in ["run.jsonl", "verify.jsonl"] {
      let lines = try folder.text(of: name).split(separator: "\n")
      let rejected = lines.filter { $0.contains("\"list\":\"rejected\"") }
      #expect(rejected.count == 2)
      #expect(lines.prefix(2) == rejected[...])
      #expect(rejected.allSatisfy { $0.contains("\"sha256\":\"") && $0.contains("\"error\":\"") })
    }
  }
}
