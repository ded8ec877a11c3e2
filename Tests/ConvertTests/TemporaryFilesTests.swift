import Foundation
import TestSupport
import Testing

@Suite("Temporary files of a program that is asked to end")
struct TemporaryFilesTests {
  /// A folder with a Core Data store whose last changes are in its write-ahead log, so that the
  /// program reads a copy, and an empty folder for that.
  private static func folder() throws -> (TemporaryFolder, StoreEditor) {
    let folder = try NotesFolder.make()
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      WITH RECURSIVE number (n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM number WHERE n < 60000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBODY, ZRANK) SELECT n, 2, 1, 'Note ' || n, n
      FROM number;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 60000 WHERE Z_NAME = 'Note';
      """)
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "tmp"), withIntermediateDirectories: false)
    return (folder, editor)
  }

  @Test(
    "The copy of a store goes with the program, whichever command made it",
    arguments: [
      ["run", "old.sqlite", "-o", "out.db"],
      ["run", "old.sqlite", "-o", "out.db", "--verify"],
      ["run", "old.sqlite", "--store-per-archive", "stores"],
      ["check", "old.sqlite"],
      ["inspect", "old.sqlite"],
      ["infer", "old.sqlite", "-o", "draft.yaml"],
    ])
  func copies(command: [String]) throws {
    let (folder, editor) = try Self.folder()
    defer { editor.close() }
    let temporary = folder.file(named: "tmp")
    let watch = try FolderWatch(temporary)
    let program = try Program.start(
      command, in: folder.path, environment: ["TMPDIR": temporary])
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: temporary)
    }
    if try watch.wait(until: { (try? names().isEmpty) == false }) { program.send(SIGTERM) }
    let result = try program.wait()
    // It may have been faster than the signal.
    #expect(result.status == 128 + SIGTERM || result.status == 0, "\(result)")
    #expect(try names() == [])
  }
}
