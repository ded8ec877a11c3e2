import Foundation
import MappingModelTesting
import TestSupport
import Testing

@Suite("convert migrate")
struct MigrateCommandTests {
  private static let steps = """
    'Notes' to 'Notes 2'
    1. 'Notes' to 'Notes 2': inferred (2 transform)

    """

  /// Migrates the store of the folder to the second version.
  private static func migrate(
    _ folder: TemporaryFolder, to version: String = "Notes 2", _ more: String...
  ) throws -> Program.Result {
    try Program.run(
      ["migrate", "old.sqlite", "--model", NotesFolder.version(version)] + more,
      in: folder.path)
  }

  @Test("lists the steps, and writes a store that Core Data opens as its own")
  func inferred() throws {
    let folder = try NotesFolder.make()
    let before = try folder.contents(of: "old.sqlite")
    let result = try Self.migrate(folder, "-o", "new.sqlite", "--verify")
    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "")
    #expect(result.output.hasPrefix(Self.steps + "\nMigrated 1 store in "))
    #expect(result.output.contains("\nentity  stored objects  rows  values  links\n"))
    #expect(
      result.output.contains(
        "Verification passed: 9 values and 3 links from one side compared.")
    )
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    #expect(
      try store.lines("SELECT Z_PK, ZTEXT, ZLENGTH, ZCOLOR, ZFOLDER FROM ZMEMO ORDER BY Z_PK")
        == ["1|Milk|4|white|1", "2|NULL|NULL|white|1", "3|Tea|3|white|2"])
    #expect(try store.lines("SELECT ZTITLE FROM ZFOLDER ORDER BY Z_PK") == ["Home", "Work"])
    #expect(try store.value("SELECT Z_UUID FROM Z_METADATA") == NotesFolder.uuid)
    let metadata = try NotesFolder.metadata(of: folder.file(named: "new.sqlite"))
    #expect(metadata["LastSync"] as? String == "Tuesday")
    let model = NotesFolder.version("Notes 2")
    #expect(try folder.convert("check", "new.sqlite", "--model", model).status == 0)
    #expect(try folder.contents(of: "old.sqlite") == before)
    #expect(try folder.names() == ["Notes.xcdatamodeld", "new.sqlite", "old.sqlite"])
  }

  @Test("writes the relational layout, too")
  func relational() throws {
    let folder = try NotesFolder.make()
    let result = try Self.migrate(folder, "-o", "new.sqlite", "--layout", "relational", "-q")
    #expect(result.status == 0, "\(result)")
    #expect(result.output == "")
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    #expect(
      try store.lines(
        "SELECT text, color, title FROM Memo JOIN Folder ON Folder.id = folder_id ORDER BY Memo.id")
        == ["Milk|white|Home", "NULL|white|Home", "Tea|white|Work"])
  }

  @Test("A report says that values were left behind, and not that nothing was")
  func report() throws {
    let folder = try NotesFolder.make()
    let result = try Self.migrate(folder, "-o", "new.sqlite", "--report", "report.html", "-q")
    #expect(result.status == 0, "\(result)")
    let page = String(decoding: try folder.contents(of: "report.html"), as: UTF8.self)
    #expect(page.contains("3 values were left behind or changed by the migration"))
    #expect(!page.contains("Nothing was left behind"))
  }

  @Test("counts values in columns that the model does not know as left behind")
  func unknownColumn() throws {
    let folder = try NotesFolder.make()
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run(
      "ALTER TABLE ZNOTE ADD COLUMN ZEXTRA; UPDATE ZNOTE SET ZEXTRA = 'x' WHERE Z_PK < 3")
    editor.close()
    let result = try Self.migrate(folder, "-o", "new.sqlite", "--verify")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("\nUnread keys: ZNOTE.ZEXTRA (2).\n"))
    #expect(!result.output.contains("Nothing was left behind"))
  }

  @Test("gives a new composite attribute a column, and no value")
  func composite() throws {
    let folder = try NotesFolder.make()
    let path = NotesFolder.version("Notes 2") + "/contents"
    let text = String(decoding: try folder.contents(of: path), as: UTF8.self)
    try folder.write(
      text.replacing(
        "<attribute name=\"color\"",
        with: "<attribute name=\"place\" optional=\"YES\" attributeType=\"Composite\"/>"
          + "<attribute name=\"color\""), to: path)
    let result = try Self.migrate(
      folder, "-o", "new.sqlite", "--layout", "relational", "--verify")
    #expect(result.status == 0, "\(result)")
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    #expect(
      try store.lines("SELECT text, place FROM Memo ORDER BY id") == [
        "Milk|NULL", "NULL|NULL", "Tea|NULL",
      ])
  }

  @Test("with --dry-run, lists the steps and stops")
  func dryRun() throws {
    let folder = try NotesFolder.make()
    let result = try Self.migrate(folder, "--dry-run")
    #expect(result.status == 0)
    #expect(result.output == Self.steps)
    #expect(try folder.names() == ["Notes.xcdatamodeld", "old.sqlite"])
  }

  @Test("A store of the version already is converted as it is")
  func sameVersion() throws {
    let folder = try NotesFolder.make()
    let result = try Self.migrate(folder, to: "Notes", "-o", "new.sqlite", "--verify")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix(
        "'Notes' to 'Notes'\nno steps: the store is of this version already\n\n"))
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    #expect(try store.value("SELECT count(*) FROM ZNOTE") == "3")
    #expect(try store.value("SELECT Z_UUID FROM Z_METADATA") == NotesFolder.uuid)
  }

  @Test("What cannot be migrated is said with the reasons, and nothing is written")
  func refused() throws {
    let folder = try NotesFolder.make()
    try folder.write("no store", to: "text")
    try folder.write(
      MappingDocument.text(
        from: "Notes", nil, to: "Notes 2", nil, mapping: "Folder", policy: "FolderPolicy"),
      to: "Mappings/1to2.xcmappingmodel/xcmapping.xml")
    let cases: [(arguments: [String], errors: [String])] = [
      (
        ["old.sqlite", "--model", NotesFolder.version("Notes 3")],
        [
          "no mapping model leads from 'Notes' to 'Notes 3', and none can be inferred:",
          "  Memo.length: source and destination attribute types are incompatible: integer16 and "
            + "date",
        ]
      ),
      (
        [
          "old.sqlite", "--model", NotesFolder.version("Notes 2"), "--mapping-model", "Mappings",
        ],
        [
          "versions of the model were edited after the mapping model was made:",
          "  1to2.xcmappingmodel does not tell for which version it was made; 'Notes' has its name",
          "--accept-model-drift uses it without the entities and properties that do not exist",
        ]
      ),
      (
        [
          "old.sqlite", "--model", NotesFolder.version("Notes 2"), "--mapping-model", "Mappings",
          "--accept-model-drift",
        ],
        [
          "'Notes' to 'Notes 2': 1to2.xcmappingmodel (1 custom):",
          "  entity mapping FolderToFolder: a policy is missing: FolderPolicy\n"
            + "  blocks in a mapping file (--mapping) can stand in for policies:\n"
            + "  policies:\n    FolderPolicy:\n      attributes:",
        ]
      ),
      (
        ["old.sqlite", "--model", NotesFolder.version("Notes 2"), "--mapping-model", "old.sqlite"],
        ["old.sqlite: is not a mapping model"]
      ),
      (["text", "--model", NotesFolder.version("Notes 2")], ["text: is not a Core Data store"]),
      (
        ["none", "--model", NotesFolder.version("Notes 2")],
        ["none: cannot be read: No such file or directory"]
      ),
      (["old.sqlite", "--model", "none"], ["none: cannot be read: No such file or directory"]),
    ]
    for (arguments, errors) in cases {
      let result = try Program.run(["migrate", "-o", "new.sqlite"] + arguments, in: folder.path)
      #expect(result.status == 2, "\(result)")
      // Where there are steps, they are listed first.
      let hasSteps = arguments.contains("--accept-model-drift")
      #expect(result.output.isEmpty != hasSteps, "\(result)")
      for error in errors { #expect(result.errors.contains(error), "\(result)") }
    }
    #expect(
      try folder.names() == ["Mappings", "Notes.xcdatamodeld", "old.sqlite", "text"])
  }

  @Test("What it needs is asked for", arguments: [[], ["--if-exists", "append", "-o", "n"]])
  func usage(arguments: [String]) throws {
    let folder = try NotesFolder.make()
    let result = try Program.run(
      ["migrate", "old.sqlite", "--model", NotesFolder.version("Notes 2")] + arguments,
      in: folder.path)
    #expect(result.status == 64)
  }
}
