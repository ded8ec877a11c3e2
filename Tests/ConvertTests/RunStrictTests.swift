import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("--strict and --json")
struct RunStrictTests {
  /// A folder with two notes of which one has a key more, a mapping and a model.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.add("in/notes") { archive in
      archive.array([
        archive.instance(of: "Note", ["title": .string("a"), "rank": .integer(1)]),
        archive.instance(of: "Note", ["title": .string("b")]),
      ])
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note"><attribute name="title" optional="YES" attributeType="String"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    try folder.write("entities: {Note: {unread: [rank]}}\n", to: "m.yaml")
    return folder
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var arguments: String
    /// The last line of standard error; nil if nothing is lost.
    var reason: String?
  }

  @Test(
    "ends with 1 where content is missing, and says why in its last line",
    arguments: [
      Case(testDescription: "whole", arguments: "in/notes -o out.db"),
      Case(
        testDescription: "an unread key", arguments: "in/notes --model M.xcdatamodel -o out.db",
        reason: "out.db: --strict accepts no losses: 1 key was not read"),
      Case(
        testDescription: "a dry run",
        arguments: "in/notes --model M.xcdatamodel -o out.db --dry-run",
        reason: "out.db: --strict accepts no losses: 1 key was not read"),
      Case(
        testDescription: "a store per archive",
        arguments: "in/notes --model M.xcdatamodel --store-per-archive out",
        reason: "out: --strict accepts no losses: 1 key was not read"),
      Case(
        testDescription: "a key that is ignored on purpose",
        arguments: "in/notes --model M.xcdatamodel --mapping m.yaml -o out.db"),
      Case(
        testDescription: "a database with a damaged archive", arguments: "in old -o out.db",
        reason: "out.db: --strict accepts no losses: 1 part of archives could not be read"),
      Case(
        testDescription: "a rejected archive, and an unread key",
        arguments: "in broken --model M.xcdatamodel -o out.db",
        reason:
          "out.db: --strict accepts no losses: 1 archive was rejected; 1 key was not read"),
    ])
  func strict(of one: Case) throws {
    let folder = try Self.folder()
    try folder.write("", to: "old/.keep")
    let cut = SampleDatabase.hex(SampleDatabase.body("one").dropLast(20))
    try SampleDatabase.make(
      at: folder.file(named: "old/notes"), "UPDATE message SET body = \(cut) WHERE ROWID = 1;")
    try folder.write(
      KeyedArchiveBuilder.archive { _ in .string("x") }.binary().dropLast(9), to: "broken/cut")
    let arguments = one.arguments.split(separator: " ").map(String.init)
    for more in [["-q"], []] {
      let result = try Program.run(
        arguments + ["--strict", "--if-exists", "replace"] + more, in: folder.path)
      #expect(result.status == (one.reason == nil ? 0 : 1), "\(result)")
      #expect(result.errorLines.last == one.reason)
    }
    guard one.arguments.hasSuffix("-o out.db") else { return }
    // The store is kept, and what it says of itself is judged alike.
    let inputs = arguments.prefix { !$0.hasPrefix("-") }
    for command in [["report", "out.db"], ["verify", "out.db"] + inputs] {
      let result = try Program.run(command + ["--strict"], in: folder.path)
      #expect(result.status == (one.reason == nil ? 0 : 1), "\(result)")
      #expect(result.errorLines.last == one.reason)
    }
  }

  @Test("A migration that leaves values behind ends with 1")
  func migration() throws {
    let folder = try NotesFolder.make()
    let result = try folder.convert(
      "migrate", "old.sqlite", "--model", NotesFolder.version("Notes 2"), "-o", "new.sqlite", "-q",
      "--strict")
    #expect(result.status == 1)
    #expect(
      result.errors == "new.sqlite: --strict accepts no losses: "
        + "3 values were left behind or changed by the migration\n")
    #expect(try folder.names().contains("new.sqlite"))
  }

  @Test(
    "prints the JSON of a report in place of the summary",
    arguments: [
      "in -o out.db", "in -o out.db --dry-run", "in --store-per-archive out",
      "verify made.db in", "report made.db",
    ])
  func json(arguments: String) throws {
    let folder = try Self.folder()
    #expect(try folder.convert("in", "-o", "made.db", "-q").status == 0)
    let result = try Program.run(
      arguments.split(separator: " ").map(String.init) + ["--json", "--report", "r.json"],
      in: folder.path)
    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "")
    #expect(result.output == (try folder.text(of: "r.json")))
    #expect(result.output.hasPrefix("{\n") && result.output.hasSuffix("}\n"))
  }

  @Test("prints nothing but JSON of a migration")
  func migrationJSON() throws {
    let folder = try NotesFolder.make()
    let result = try folder.convert(
      "migrate", "old.sqlite", "--model", NotesFolder.version("Notes 2"), "-o", "new.sqlite",
      "--json", "--report", "r.json")
    #expect(result.status == 0, "\(result)")
    #expect(result.output == (try folder.text(of: "r.json")))
  }

  @Test("prints the JSON of a run that wrote nothing, since values break a rule")
  func failedJSON() throws {
    let folder = try Self.folder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note"><attribute name="rank" attributeType="Integer 16"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    let result = try folder.convert(
      "in/notes", "--model", "M.xcdatamodel", "-o", "out.db", "--json", "--report", "r.json")
    #expect(result.status == 2, "\(result)")
    #expect(result.output == (try folder.text(of: "r.json")))
    #expect(result.output.contains("\"validationErrors\" : [\n    {"))
  }

  @Test(
    "refuses two forms of the summary",
    arguments: [
      ("in -o out.db --json -q", "--json and --quiet"),
      ("verify a in --json -v", "--json and --verbose"),
      ("report a --json --quiet --verbose", "--json and --quiet"),
      ("migrate a --model M --dry-run --json", "--json and --dry-run"),
    ])
  func usage(arguments: String, options: String) throws {
    let result = try Program.run(arguments.split(separator: " ").map(String.init))
    #expect(result.status == 64)
    #expect(result.errorLines.first == "Error: \(options) cannot be used together.")
  }
}
