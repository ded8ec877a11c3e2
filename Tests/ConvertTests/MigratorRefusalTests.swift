import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert code, where no migrator can be made")
struct MigratorRefusalTests {
  /// Expects that a store is refused, and nothing written.
  private func expectRefusal(_ reason: String, in folder: TemporaryFolder) throws {
    let result = try folder.writeCode("migrator")
    #expect(result.status == 2)
    #expect(result.errorLines == ["s.db: no migrator can be made: \(reason)"])
    #expect(!FileManager.default.fileExists(atPath: folder.file(named: "code")))
  }

  @Test(
    "refuses stores of which it would not make the rows again",
    arguments: [
      (["--mapping", "m.yaml"], "a mapping made its rows"),
      (["--model", "m.xcdatamodeld"], "a model made its rows"),
      (["--fts"], "it was made with --fts"),
      (["--see-through", "TransactionType"], "it was made with --see-through"),
      (["--open-nested"], "it was made with --open-nested"),
      (["--salvage"], "it was made with --salvage"),
      (["--limit", "depth=99"], "it was made with --limit"),
      (["--layout", "coredata", "--mapping", "m.yaml"], "it has the layout of Core Data"),
      (["words.typedstream"], "words.typedstream is no keyed archive"),
      (["words.gz", "--unwrap", "skip=1"], "it was made with --unwrap"),
      (["messages.db"], "messages.db is no keyed archive"),
    ])
  func options(arguments: [String], reason: String) throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.write(
      TypedstreamWriter.stream { $0.group("@") { $0.string("hi") } }, to: "words.typedstream")
    try folder.write(
      Data([0]) + (try folder.contents(of: "QuickRecord.archive")), to: "words.gz")
    try SampleDatabase.make(at: folder.file(named: "messages.db"))
    let drafted = try folder.convert(
      "infer", "QuickRecord.archive", "-o", "m.yaml", "--model-output", "m.xcdatamodeld")
    #expect(drafted.status == 0)
    let made = try Program.run(
      ["QuickRecord.archive", "-o", "s.db", "--quiet"] + arguments, in: folder.path)
    #expect(made.status == 0, "\(made)")
    try expectRefusal(reason, in: folder)
  }

  @Test("refuses archives that it would not read into the same rows")
  func archives() throws {
    let cases: [(reason: String, build: (inout KeyedArchiveBuilder) throws -> PropertyListValue)] =
      [
        (
          "Note has values without keys, such as $0",
          {
            let note = $0.reserve()
            let record = $0.classRecord("Note")
            $0.fill(
              note, with: .dictionary([KeyValue("$class", record), KeyValue("$0", .integer(1))]))
            return note.reference
          }
        ),
        (
          "objects of NSUUID, a class of Foundation, are rows",
          { $0.instance(of: "Note", ["uid": $0.instance(of: "NSUUID", ["NS.uuidbytes": .none])]) }
        ),
        (
          "it has counted sets in other collections",
          { $0.array([$0.countedSet([($0.string("a"), 2)])]) }
        ),
        (
          "it has collections that several others share",
          {
            let list = $0.array([$0.string("a")])
            return $0.array([list, list])
          }
        ),
        (
          #"GRDB has no way to write the name "a""#,
          { $0.instance(of: "Note", [KeyValue("\"a\"", .integer(1))]) }
        ),
      ]
    for (reason, build) in cases {
      let folder = try TemporaryFolder()
      try folder.add("a.archive") { try build(&$0) }
      let made = try folder.convert("a.archive", "-o", "s.db", "--quiet")
      #expect(made.status == 0, "\(made)")
      try expectRefusal(reason, in: folder)
    }
  }

  @Test("refuses a store of several runs")
  func runs() throws {
    let folder = try TemporaryFolder.withStore()
    try folder.addNotes("one", ["title": "a"])
    #expect(try folder.append("one", "-q", to: "s.db").status == 0)
    try expectRefusal("2 runs made it", in: folder)
  }

  @Test("refuses a store whose rows are not those of its archives any more")
  func edited() throws {
    let folder = try TemporaryFolder.withStore()
    let editor = try StoreEditor(folder.file(named: "s.db"))
    try editor.run("UPDATE MTNote SET title = 'x' WHERE id = 3")
    editor.close()
    try expectRefusal("MTNote.3.title is not what the archives say", in: folder)
  }

  @Test("refuses to replace a migrator if an archive has changed since the store was made")
  func changed() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("migrator").status == 0)
    let test = "code/Tests/SMigratorTests/_MigratorTests.swift"
    let before = try folder.text(of: test)
    try folder.addNotes("QuickRecord.archive", ["title": "a"])
    let result = try folder.writeCode("migrator")
    #expect(result.status == 2)
    #expect(
      result.errorLines == [
        "s.db: no migrator can be made: QuickRecord.archive has changed since it was converted"
      ])
    #expect(try folder.text(of: test) == before)
    let again = try folder.convert(
      "MentalCase.archive", "QuickRecord.archive", "-o", "s.db", "-q", "--if-exists", "replace")
    #expect(again.status == 0)
    let replaced = try folder.writeCode("migrator")
    #expect(replaced.status == 0, "\(replaced)")
    #expect(try folder.text(of: test).contains("\"Note\": 1,\n"))
  }

  @Test("leaves files of others as they are")
  func others() throws {
    for file in ["Sources/SMigrator/_Migrator.swift", "Tests/SMigratorTests/Fixtures/mine"] {
      let folder = try TemporaryFolder.withStore()
      let path = (folder.file(named: "code/\(file)") as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try folder.write("mine\n", to: "code/\(file)")
      let result = try folder.writeCode("migrator")
      #expect(result.status == 2)
      #expect(result.errors.contains("was not written by this program"), "\(result)")
      #expect(try folder.text(of: "code/\(file)") == "mine\n")
      #expect(!FileManager.default.fileExists(atPath: folder.file(named: "code/Package.swift")))
    }
  }

  @Test("refuses what is no store")
  func strangers() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try SampleDatabase.make(at: folder.file(named: "messages.db"))
    for (name, words) in [
      ("missing", "missing: cannot be read: No such file or directory"),
      ("messages.db", "messages.db: the database contains no report of a run"),
      ("QuickRecord.archive", "QuickRecord.archive: is a keyed archive: convert it with"),
    ] {
      let result = try folder.writeCode("migrator", name)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix(words), "\(result)")
      #expect(!FileManager.default.fileExists(atPath: folder.file(named: "code")))
    }
  }
}
