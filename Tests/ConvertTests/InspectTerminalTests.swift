import Foundation
import TestSupport
import Testing

@Suite("convert inspect, on a terminal")
struct InspectTerminalTests {
  private func inspect(
    _ options: [String] = [], environment: [String: String] = [:]
  ) throws -> Terminal.Result {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    return try Terminal.run(
      ["inspect", "Locations.archive", "--elements", "1"] + options, in: folder.path,
      environment: environment)
  }

  static let tree = """
    Locations.archive: binary, NSKeyedArchiver 100000, 22 objects, 22 reachable, 18 references

    class    objects  keys
    Event          6  creationDate latitude longitude tags
    NSDate         6  NS.time
    NSArray        1  NS.objects

    root: array of 6
    ├─ 0: Event #2
    │  ├─ creationDate: 2010-06-01T08:30:00.000Z
    │  ├─ latitude: 37.3317
    │  ├─ longitude: -122.0307
    │  └─ tags: "a, b ,,a"
    └─ … 5 more

    """

  @Test(
    "draws a tree without colour where that is asked for",
    arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func drawsPlainTree(environment: [String: String]) throws {
    let result = try inspect(environment: environment)
    #expect(result.status == 0)
    #expect(result.output == Self.tree)
  }

  @Test("draws a tree, with the headings in bold and what is left out in grey")
  func drawsTree() throws {
    let result = try inspect(environment: ["NO_COLOR": "", "TERM": "xterm"])
    #expect(result.status == 0)
    #expect(result.output.replacing(/\u{1B}\[(0|1|2)m/, with: "") == Self.tree)
    #expect(result.output.hasPrefix("\u{1B}[1mLocations.archive\u{1B}[0m: binary"))
    #expect(result.output.hasSuffix("└─ \u{1B}[2m… 5 more\u{1B}[0m\n"))
  }

  @Test("prints JSON when it is told")
  func printsJSON() throws {
    let result = try inspect(["--json"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("{\n  \"archiver\" : \"NSKeyedArchiver\","))
  }
}
