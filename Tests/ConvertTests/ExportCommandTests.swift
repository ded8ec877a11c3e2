import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert export")
struct ExportCommandTests {
  private static let samples = [
    "Events.archive", "Expenses-Unusual.xml", "Expenses.archive", "Locations.xml",
    "MentalCase.archive", "MentalCase.xml", "QuickRecord.archive",
  ]

  // MARK: Archives that have not changed

  @Test("gives the same objects and rows", arguments: samples, ["binary", "xml"])
  func unchanged(sample: String, form: String) throws {
    let folder = try TemporaryFolder(reversible: sample)
    let result = try folder.convert(
      "export", "out.db", "-o", "new.archive", "--format", form, "--check")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasSuffix("objects, its rows are unchanged, checked.\n"))
    func tree(_ file: String) throws -> String {
      let tree = try folder.convert("inspect", file, "--tree", "--depth", "20")
      #expect(tree.status == 0, "\(tree)")
      return tree.output.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    }
    #expect(try tree("new.archive") == tree(sample))
    let again = try folder.convert("new.archive", "-o", "again.db", "--reversible", "--quiet")
    #expect(again.status == 0, "\(again)")
    #expect(try folder.store("again.db").rowContent() == folder.store().rowContent())
  }

  @Test("keeps the form unless it is told otherwise")
  func form() throws {
    for (sample, start) in [("MentalCase.archive", "bplist00"), ("MentalCase.xml", "<?xml ve")] {
      let folder = try TemporaryFolder(reversible: sample)
      #expect(try folder.convert("export", "out.db", "-o", "new", "--quiet").status == 0)
      #expect(try folder.contents(of: "new").prefix(8) == Data(start.utf8))
    }
  }

  @Test("makes what Foundation's unarchiver reads as the original")
  func foundation() throws {
    for (sample, root) in [("MentalCase.archive", "root"), ("Events.archive", "root")] {
      let folder = try TemporaryFolder(reversible: sample)
      for form in ["binary", "xml"] {
        let result = try folder.convert("export", "out.db", "-o", form, "--format", form)
        #expect(result.status == 0, "\(result)")
        let read = try ReadObject.text(of: folder.contents(of: form), root)
        #expect(read == (try ReadObject.text(of: folder.contents(of: sample), root)))
        #expect(read.count > 1_000)
      }
    }
  }

  @Test("makes keyed archives of typedstreams and nibs, and says so")
  func otherArchivers() throws {
    let folder = try TemporaryFolder()
    let stream = TypedstreamWriter.stream { writer in
      writer.group("@") { $0.object("Note#0") { $0.group("@") { $0.string("a") } } }
    }
    try folder.write(stream, to: "old")
    #expect(try folder.convert("old", "-o", "out.db", "--reversible", "--quiet").status == 0)
    let result = try folder.convert("export", "out.db", "-o", "new", "--check")
    #expect(
      result.output
        == "Wrote new: 3 objects, as a keyed archive; it was a typedstream, its rows are "
        + "unchanged, checked.\n", "\(result)")
    #expect(try folder.convert("new", "-o", "again.db", "--quiet").status == 0)
    let again = try folder.store("again.db")
    try again.expect(
      "SELECT format, archiver, version FROM _archive", ["binary|NSKeyedArchiver|100000"])
    try again.expect("SELECT v1 FROM Note", "a")
  }

  @Test("needs no stack for objects that hold each other")
  func deep() throws {
    let folder = try TemporaryFolder()
    try folder.write(LinkedListArchive.bytes(count: 20_000), to: "list")
    #expect(try folder.convert("list", "-o", "out.db", "--reversible", "--quiet").status == 0)
    for form in ["binary", "xml"] {
      let result = try folder.convert(
        "export", "out.db", "-o", form, "--format", form, "--check", limits: ["-s 512"])
      #expect(result.status == 0, "\(result)")
    }
  }

  // MARK: Stores

  @Test("exports one archive of several, by its path")
  func several() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "QuickRecord.archive")
    try folder.addSample("Events.archive")
    #expect(
      try folder.convert(
        "MentalCase.archive", "QuickRecord.archive", "-o", "out.db", "--reversible", "--quiet"
      ).status == 0)
    #expect(
      try folder.convert(
        "Events.archive", "-o", "out.db", "--if-exists", "append", "--quiet"
      ).status == 0)
    try folder.change("UPDATE MTNote SET title = 'x' WHERE id = 1")
    func export(_ archive: String...) throws -> Program.Result {
      try Program.run(["export", "out.db", "-o", "new"] + archive, in: folder.path)
    }
    #expect(
      try export().errors == "out.db: has 3 archives; name one with --archive: MentalCase.archive, "
        + "QuickRecord.archive, Events.archive\n")
    #expect(try export("--archive", "other").errors.hasPrefix("out.db: has no archive other, but "))
    #expect(try export("--archive", "QuickRecord.archive").output.contains("rows are unchanged"))
    #expect(
      try export("--archive", "Events.archive", "--if-exists", "replace").output.contains(
        "made of its rows"))
    let result = try Program.run(
      [
        "export", "out.db", "-o", "new", "--archive", "MentalCase.archive", "--check",
        "--if-exists", "replace",
      ], in: folder.path)
    #expect(
      result.output == "Wrote new: 171 objects, with the changes of its rows, checked.\n",
      "\(result)")
  }

  @Test("never overwrites a file unless it is told to, and never its store")
  func destinations() throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    try folder.write("mine", to: "new")
    let refused = try folder.convert("export", "out.db", "-o", "new")
    #expect(
      refused.errors == "new: already exists (use --if-exists replace to overwrite it)\n"
        && refused.status == 2)
    #expect(try folder.text(of: "new") == "mine")
    let store = try folder.convert("export", "out.db", "-o", "out.db", "--if-exists", "replace")
    #expect(store.errors == "out.db: is the store itself and must not be overwritten\n")
    #expect(store.status == 2)
    let journal = try folder.convert("export", "out.db", "-o", "out.db-wal")
    #expect(
      journal.errors
        == "out.db-wal: belongs to out.db, which is an input, and must not be written\n")
    let nowhere = try folder.convert("export", "out.db", "-o", "no/new")
    #expect(nowhere.status == 2 && nowhere.errors.contains("there is no folder"), "\(nowhere)")
    #expect(
      try folder.convert("export", "out.db", "-o", "new", "--if-exists", "replace", "--quiet")
        .status
        == 0)
    #expect(try folder.convert("export", "MentalCase.archive", "-o", "b").status == 2)
  }

  @Test(
    "is not promised where it cannot be kept",
    arguments: [
      (["--layout", "coredata"], "--layout coredata"), (["--preset", "messages"], "--preset"),
      (["--mapping", "m.yaml"], "--mapping"), (["--salvage"], "--salvage"),
      (["--open-nested"], "--open-nested"), (["--model", "m"], "--model"),
    ])
  func unpromised(arguments: [String], option: String) throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try Program.run(
      ["MentalCase.archive", "-o", "out.db", "--reversible"] + arguments, in: folder.path)
    #expect(result.status == 64, "\(result)")
    #expect(result.errors.contains("--reversible cannot be used with \(option)."), "\(result)")
    #expect(try folder.names() == ["MentalCase.archive"])
  }

  @Test("refuses databases as inputs of a reversible store")
  func databases() throws {
    let folder = try TemporaryFolder()
    try folder.addDatabaseWithArchive(as: "d.db")
    let result = try folder.convert("d.db", "-o", "out.db", "--reversible")
    #expect(result.status == 2 && result.errors.contains("d.db: "), "\(result)")
    #expect(try folder.names() == ["d.db"])
  }

  @Test("can be relied on: verify compares the archives that a store keeps")
  func verified() throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    #expect(try folder.convert("verify", "out.db", ".", "--quiet").status == 0)
    try folder.change("UPDATE _archive SET bytes = bytes - 1")
    let small = try folder.convert("export", "out.db", "-o", "new")
    #expect(small.errors.contains("are not those that were converted"), "\(small)")
    try folder.change("UPDATE _archive SET bytes = bytes + 1; UPDATE _original SET bytes = x'00'")
    let result = try folder.convert("verify", "out.db", ".")
    #expect(result.status == 1 && result.output.contains("_original"), "\(result)")
  }
}
