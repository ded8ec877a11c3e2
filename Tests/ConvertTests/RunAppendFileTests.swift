import Foundation
import TestSupport
import Testing

@Suite("convert run --if-exists append, on the file")
struct RunAppendFileTests {
  @Test("adds to the file that a symbolic link leads to, and leaves the link")
  func symbolicLink() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    try folder.write(try folder.contents(of: "out.db"), to: "deep/real.db")
    let link = folder.file(named: "link.db")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "deep/real.db")
    let result = try folder.append("two", to: "link.db")
    #expect(result.status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "deep/real.db")
    try folder.store("deep/real.db").expect("SELECT count(*) FROM Note", "4")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "deep"))
    #expect(names == ["real.db"])
  }

  @Test("carries over what a store in WAL mode has not yet moved into its file")
  func writeAheadLog() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    let path = folder.file(named: "out.db")
    // Another program has the store open, with its changes in the log.
    let editor = try StoreEditor(path)
    try editor.run(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = 0;
      UPDATE Note SET title = 'edited' WHERE id = 1;
      """)
    #expect(try folder.names().contains("out.db-wal"))
    let result = try folder.append("two")
    #expect(result.status == 0)
    editor.close()
    try folder.store().expect("SELECT title FROM Note", ["edited", "second", "SECOND", "third"])
    try folder.store().expectSound()
    #expect(try folder.names() == ["m.yaml", "one", "out.db", "two"])
  }

  @Test(
    "leaves the store as it was when it is killed", arguments: [SIGTERM, SIGKILL], [0, 60_000])
  func killed(signal: Int32, size: Int) throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    try folder.write(RunInterruptionTests.archive, to: "list")
    let before = try folder.contents(of: "out.db")
    let watch = try FolderWatch(folder.path)
    let program = try Program.start(
      ["list", "-o", "out.db", "--if-exists", "append"], in: folder.path)
    if try watch.wait(until: { folder.hasUnfinished(ofSize: size) }) { program.send(signal) }
    let result = try program.wait()
    // The program may have been faster than the signal.
    guard result.status != 0 else { return }
    #expect(try folder.contents(of: "out.db") == before)
    // What a killed run was writing stays until the next one, with its journal.
    let left = signal == SIGKILL ? try folder.finished() : try folder.names()
    #expect(left == ["list", "m.yaml", "one", "out.db", "two"])
    #expect(try folder.append("two").status == 0)
    try folder.store().expect("SELECT count(*) FROM Note", "4")
  }
}
