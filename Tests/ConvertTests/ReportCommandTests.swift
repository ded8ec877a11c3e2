import Foundation
import TestSupport
import Testing

@Suite("convert report")
struct ReportCommandTests {
  /// The fields that are taken anew, or not kept.
  private static func lasting(_ report: Data) throws -> NSDictionary {
    let object = try JSONSerialization.jsonObject(with: report)
    let fields = try #require(object as? [String: Any])
    return fields.filter { !["startedAt", "seconds"].contains($0.key) } as NSDictionary
  }

  @Test("prints the report of a store again, with all that lasts")
  func printsAgain() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive", "Locations.xml")
    let first = try folder.convert(
      "QuickRecord.archive", "Locations.xml", "-o", "out.db", "--report", "first.json", "-v")
    let again = try folder.convert("report", "out.db", "--report", "again.json", "-v")
    #expect(again.status == 0)
    #expect(again.errors == "")
    #expect(again.output == first.output.replacing(#/ in \d+\.\d\d s →/#, with: " →"))
    let report = try folder.contents(of: "again.json")
    #expect(try Self.lasting(report) == Self.lasting(folder.contents(of: "first.json")))
    let converted = try folder.store().value("SELECT converted FROM _archive WHERE id = 1")
    #expect(String(decoding: report, as: UTF8.self).contains("\"startedAt\" : \"\(converted)\""))
  }

  @Test("keeps nothing in the store that differs from run to run")
  func isRepeatable() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    for store in ["a.db", "b.db"] {
      #expect(try folder.convert("QuickRecord.archive", "-o", store).status == 0)
    }
    let kept = "SELECT run_id, report FROM _report"
    let first = try folder.store("a.db").lines(kept)
    #expect(try folder.store("b.db").lines(kept) == first)
    #expect(first.count == 1)
    for field in ["startedAt", "seconds", "a.db"] { #expect(!first[0].contains(field)) }
  }

  @Test("takes the size and digest of the store as it is now")
  func takesDigestAnew() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    _ = try folder.convert("QuickRecord.archive", "-o", "out.db", "--report", "first.json")
    try StoreEditor(folder.file(named: "out.db")).run("UPDATE QuickRecord SET amount = '0'")
    _ = try folder.convert("report", "out.db", "--report", "again.json", "-q")
    let texts = try ["first.json", "again.json"].map(folder.text)
    let digests = texts.compactMap { $0.firstMatch(of: /"sha256" : "([0-9a-f]+)"\n  \}/)?.output.1 }
    #expect(digests.count == 2)
    #expect(digests.first != digests.last)
  }

  @Test("gives the last run of several, or the one that is asked for")
  func severalRuns() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    #expect(try folder.append("one", "two").status == 0)
    func archives(_ options: String...) throws -> [String] {
      _ = try Program.run(
        ["report", "out.db", "-q", "--report", "r.json"] + options, in: folder.path)
      return try folder.text(of: "r.json").matches(of: /"path" : "(one|two)"/).map {
        String($0.output.1)
      }
    }
    #expect(try archives() == ["one", "two"])
    #expect(try archives("--run", "2") == ["one", "two"])
    #expect(try archives("--run", "1") == ["one"])
    let absent = try folder.convert("report", "out.db", "--run", "3")
    #expect(absent.status == 2)
    #expect(absent.errors == "out.db: there is no report of run 3: the runs are 1, 2\n")
  }

  @Test("reads a report in JSON, too")
  func readsJSON() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    let first = try folder.convert(
      "QuickRecord.archive", "-o", "out.db", "--report", "first.json")
    let again = try folder.convert("report", "first.json", "--report", "again.json")
    #expect(again.status == 0)
    #expect(again.output == first.output)
    #expect(try folder.contents(of: "again.json") == folder.contents(of: "first.json"))
  }

  @Test(
    "refuses what requires a store, where a report is given",
    arguments: [("--datasette", "metadata.json"), ("--run", "2")])
  func requiresStore(option: String, value: String) throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    _ = try folder.convert("QuickRecord.archive", "-o", "out.db", "--report", "first.json")
    let result = try folder.convert(
      "report", "first.json", "--report", "again.json", option, value)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errorLines == ["first.json: is a report; \(option) requires the store"])
    #expect(try folder.names().sorted() == ["QuickRecord.archive", "first.json", "out.db"])
  }

  @Test(
    "says why there is no report, and ends with 2",
    arguments: [
      ("absent.db", "absent.db: cannot be read: No such file or directory"),
      ("note.txt", "note.txt: cannot be read: file is not a database"),
      ("other.db", "other.db: the database contains no report of a run"),
      ("view.db", "view.db: the database contains no report of a run"),
      ("odd.db", "odd.db: cannot be read: its report is damaged, or from a later version"),
      ("{.json", "{.json: cannot be read: not a report, or damaged, or from a later version"),
    ])
  func hasNone(store: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Data("a note that is no database, but long enough for one".utf8), to: "note.txt")
    try folder.write(Data("{\"archives\": 1}".utf8), to: "{.json")
    for (name, statement) in [
      ("other.db", "CREATE TABLE a (b)"),
      ("view.db", "CREATE VIEW _report AS SELECT 1 AS run_id, '{}' AS report"),
      (
        "odd.db",
        "CREATE TABLE _report (run_id, report); INSERT INTO _report VALUES (1, '{\"seconds\": []}')"
      ),
    ] {
      try folder.write(Data(), to: name)
      try StoreEditor(folder.file(named: name)).run(statement)
    }
    let result = try folder.convert("report", store)
    #expect(result.status == 2)
    #expect(result.errors == message + "\n")
    #expect(result.output == "")
  }

  @Test("never writes over what it reads")
  func spareInput() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    _ = try folder.convert("QuickRecord.archive", "-o", "store.txt")
    let content = try folder.contents(of: "store.txt")
    let result = try folder.convert("report", "store.txt", "--report", "./store.txt")
    #expect(result.status == 2)
    #expect(result.errors == "./store.txt: is an input and must not be overwritten\n")
    #expect(try folder.contents(of: "store.txt") == content)
  }
}
