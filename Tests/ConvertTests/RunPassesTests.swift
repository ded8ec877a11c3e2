import Foundation
import TestSupport
import Testing

@Suite("convert run, in several passes")
struct RunPassesTests {
  /// Two passes, of which the second has no case for most ranks.
  static let passes = """
    passes:
      - name: Notes
        entities: {Note: {from: Note}}
      - name: Ranks
        entities:
          Rank:
            from: Note
            complete: true
            attributes: {rank: {type: string, optional: false, convert: {enum: {3: low}}}}
    """

  @Test("writes nothing if a pass fails")
  func failingPass() throws {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    try folder.write(Self.passes, to: "m.yaml")
    let result = try folder.convert("one", "two", "--mapping", "m.yaml", "-o", "out.db")
    #expect(result.status == 2)
    #expect(result.errorLines == Self.passErrors)
    #expect(try folder.names() == ["m.yaml", "one", "two"])
  }

  @Test("keeps with --keep-passes what the passes before it wrote, and ends with 1")
  func keepsPasses() throws {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    try folder.write(Self.passes, to: "m.yaml")
    let result = try folder.convert(
      "one", "two", "--mapping", "m.yaml", "-o", "out.db", "--keep-passes", "--report", "r.json")
    #expect(result.status == 1)
    #expect(
      result.errorLines == Self.passErrors + [
        "pass Ranks failed: 3 errors; the rows of earlier passes were kept: Notes"
      ])
    let store = try folder.store()
    try store.expect("SELECT title FROM Note", ["first", "second", "SECOND", "third"])
    try store.expect("SELECT count(*) FROM Rank", "0")
    try store.expectSound()
    let report = try folder.text(of: "r.json").replacing(/\s+/, with: " ")
    #expect(
      report.contains(
        #""failedPass" : { "kept" : [ "Notes" ], "name" : "Ranks", "reason" : "3 errors" }"#))
    #expect(report.contains(#""code" : "missingValue""#))
  }

  static let passErrors = [
    "one: Note: Rank.rank: is empty, but must not be: 2 times, first in object 3",
    "two: object 7 (Note): Rank.rank: is empty, but must not be",
  ]
}
