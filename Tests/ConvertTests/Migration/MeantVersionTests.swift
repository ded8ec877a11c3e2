import Foundation
import TestSupport
import Testing

@Suite("The version of a model that a command means")
struct MeantVersionTests {
  /// The commands that need one version of the model `Notes.xcdatamodeld`.
  private static let commands = [
    ["model", "Notes.xcdatamodeld"],
    ["migrate", "old.sqlite", "--model", "Notes.xcdatamodeld", "--dry-run"],
    ["run", "old.sqlite", "--model", "Notes.xcdatamodeld", "-o", "new.sqlite", "--dry-run"],
    ["infer", "old.sqlite", "--model", "Notes.xcdatamodeld", "-o", "draft.yaml"],
    ["check", "notes.yaml", "--model", "Notes.xcdatamodeld"],
  ]

  /// A folder with versions, and a mapping file that changes nothing.
  private static func folder() throws -> TemporaryFolder {
    let folder = try NotesFolder.make()
    try folder.write("entities:\n  Folder:\n", to: "notes.yaml")
    return folder
  }

  private static func remove(_ name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.removeItem(atPath: folder.file(named: name))
  }

  @Test("is never another one where the current one cannot be read", arguments: commands)
  func unreadable(command: [String]) throws {
    let folder = try Self.folder()
    try Self.remove("Notes.xcdatamodeld/Notes 3.xcdatamodel", in: folder)
    try folder.write("<model><entity name=\"a & b\"/></model>", to: contents)
    try NotesFolder.makeCurrent("Notes 2", in: folder)
    let result = try Program.run(command, in: folder.path)
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors == """
        \(contents): the XML is not well-formed: a name is missing or invalid (line 1)

        """)
    #expect(result.output == "")
  }

  private let contents = "Notes.xcdatamodeld/Notes 2.xcdatamodel/contents"

  @Test("is never another one where the current one does not exist", arguments: commands)
  func dangling(command: [String]) throws {
    let folder = try Self.folder()
    try NotesFolder.makeCurrent("Notes 9", in: folder)
    let result = try Program.run(command, in: folder.path)
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors == """
        Notes.xcdatamodeld: contains no version named Notes 9.xcdatamodel, its current version

        """)
  }

  @Test(
    "is the last by name where none is the current one, and that is said",
    arguments: commands.filter { $0[0] != "infer" })
  func assumed(command: [String]) throws {
    let folder = try Self.folder()
    try Self.remove("Notes.xcdatamodeld/Notes 3.xcdatamodel", in: folder)
    try Self.remove("notes.yaml", in: folder)
    if command[0] == "check" { try folder.write("entities:\n  Folder:\n", to: "notes.yaml") }
    let result = try Program.run(command, in: folder.path)
    #expect(result.status == 0, "\(result)")
    #expect(
      (result.output + result.errors).contains(
        "Notes.xcdatamodeld: does not say which version is current: 'Notes 2' is taken, the last of "
          + "several by name"), "\(result)")
  }

  @Test("is named where a store is of none of those that can be read")
  func storeOfUnreadable() throws {
    let folder = try Self.folder()
    try folder.write("<model", to: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    try NotesFolder.makeCurrent("Notes 2", in: folder)
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    editor.close()
    let result = try folder.convert(
      "migrate", "old.sqlite", "--model", "Notes.xcdatamodeld", "--dry-run")
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "old.sqlite: is of no version in Notes.xcdatamodeld: "
          + "Notes.xcdatamodeld/Notes.xcdatamodel/contents: the XML is not well-formed: "),
      "\(result)")
    #expect(result.errors.contains("; 'Notes 2' fits 0 of 2 entities"), "\(result)")
  }
}
