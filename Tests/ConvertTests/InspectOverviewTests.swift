import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert inspect, on directories and several files")
struct InspectOverviewTests {
  /// A folder "in" with files of all kinds.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a.archive")
    try folder.addSample("Locations.archive", as: "in/copy.archive")
    try folder.addSample("Locations.xml", as: "in/b.xml")
    try folder.addSample("QuickRecord.archive", as: "in/c.archive")
    try folder.addDamagedSample(as: "in/damaged")
    try folder.write(TypedstreamWriter.stream { $0.group("@") { $0.string("hi") } }, to: "in/old")
    let locations = try KeyedArchive(contentsOf: "\(Repository.samples)/Locations.archive")
    try folder.write(NibWriter.nib(of: locations), to: "in/window.nib")
    try folder.write("plain text", to: "in/notes.txt")
    try folder.write("", to: "in/nothing")
    try folder.write(
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>", to: "in/settings.plist")
    let store = try NotesFolder.make()
    try folder.write(try store.contents(of: "old.sqlite"), to: "in/app.sqlite")
    let made = try folder.convert("in/c.archive", "-o", "in/made.sqlite", "-q")
    try #require(made.status == 0)
    return folder
  }

  private static let damaged =
    "in/damaged: the binary property list is truncated after 3000 bytes\n"

  @Test("counts files by kind, and objects by class")
  func text() throws {
    let folder = try Self.folder()
    let result = try folder.convert("inspect", "in", "--tree", "--exclude", "*.sqlite")
    #expect(result.status == 1)
    #expect(result.errors == Self.damaged)
    #expect(
      result.output == """
        kind                    files  bytes  objects
        keyed archive (binary)      3  3,034       89
        compiled nib                1    567       25
        typedstream                 1     52        2
        keyed archive (XML)         1  5,032       22
        property list               1     57
        empty                       1      0
        other                       1     10
        rejected                    1

        class            objects  files
        NSDate                22      4
        Event                 18      3
        NSUUID                10      1
        NSSet                  5      1
        NSString               5      1
        QuickRecord            5      1
        NSArray                4      4
        TransactionType        2      1
        NSObject               1      1

        1 file is a duplicate, whose objects are counted once.
        Excluded: 2 files and directories by --include and --exclude.

        """)
    let stores = try folder.convert("inspect", "in", "--tree", "--include", "*.sqlite")
    #expect(stores.output.contains("Core Data store (SQLite)"), "\(stores)")
    #expect(stores.output.contains("SQLite database  "), "\(stores)")
    let classes = stores.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(classes.contains(["Note", "3", "1"]) && classes.contains(["Folder", "2", "1"]))
  }

  @Test("finds what a run finds")
  func agreesWithRun() throws {
    let folder = try Self.folder()
    let run = try folder.convert("in", "-o", "out.db", "--json")
    let seen = try folder.convert("inspect", "in", "--json")
    func object(_ result: Program.Result) throws -> [String: Any] {
      let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      return try #require(json as? [String: Any])
    }
    let (report, overview) = (try object(run), try object(seen))
    func counts(_ list: Any?, _ key: String) -> [String: Int] {
      let entries = (list as? [[String: Any]]) ?? []
      return entries.reduce(into: [:]) { $0[$1["kind"] as? String ?? ""] = $1[key] as? Int }
    }
    let kinds = counts(overview["kinds"], "files")
    #expect(
      kinds == [
        "binary": 3, "xml": 1, "coredata-sqlite": 1, "typedstream": 1, "nib": 1,
        "property list": 1, "SQLite database": 1, "empty": 1, "other": 1,
      ])
    let skipped = counts(report["skippedKinds"], "count")
    #expect(kinds.filter { skipped[$0.key] != nil } == skipped)
    let archives = (report["archives"] as? [[String: Any]] ?? []).filter { $0["kind"] == nil }
    let files = overview["files"] as? [[String: Any]] ?? []
    for key in ["path", "duplicateOf"] {
      #expect(
        files.map { $0[key] as? String } == archives.map { $0[key] as? String }, "\(key)")
    }
    // Of a rejected file, only a run gives the digest, and offers to salvage it.
    func sound(_ list: [[String: Any]]) -> [String?] {
      list.filter { $0["error"] == nil }.map { $0["sha256"] as? String }
    }
    #expect(sound(files) == sound(archives))
    for (file, archive) in zip(files, archives) {
      let (error, whole) = (file["error"] as? String, archive["error"] as? String)
      #expect(error.map { whole?.hasPrefix($0) == true } ?? (whole == nil))
    }
  }

  @Test("shows what is in several files, filters, and takes the rest for what it is")
  func severalFiles() throws {
    let folder = try Self.folder()
    let two = try folder.convert("inspect", "--tree", "in/c.archive", "in/notes.txt")
    #expect(two.status == 0)
    #expect(two.errors == "")
    #expect(
      two.output == """
        kind                    files  bytes  objects
        keyed archive (binary)      1  1,364       45
        other                       1     10

        class            objects  files
        NSUUID                10      1
        NSSet                  5      1
        QuickRecord            5      1
        NSDate                 4      1
        TransactionType        2      1
        NSArray                1      1

        """)
    let filtered = try folder.convert("inspect", "--tree", "in", "--include", "*.txt")
    #expect(
      filtered.output == """
        kind   files  bytes  objects
        other      1     10

        Excluded: 11 files and directories by --include and --exclude.

        """)
    let absent = try folder.convert("inspect", "a", "b")
    #expect(absent.status == 2)
    #expect(
      absent.errors == """
        a: cannot be read: No such file or directory
        b: cannot be read: No such file or directory

        """)
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "none"), withIntermediateDirectories: false)
    let none = try folder.convert("inspect", "--tree", "none")
    #expect(none.status == 0)
    #expect(none.output == "No files.\n")
    let object = try folder.convert("inspect", "in", "--object", "3")
    #expect(object.status == 2)
    #expect(object.errors == "--object is for one archive\n")
  }
}
