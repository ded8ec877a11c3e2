import Stores
import Support
import TestSupport
import Testing

@Suite("A copy of a database")
struct DatabaseCopyTests {
  @Test(
    "goes into the file of any name",
    arguments: ["copy.db", "file:copy.db", "50% of it?.db", "#1 a&b=c.db", "Ä\u{308}.db"])
  func names(name: String) throws {
    let folder = try TemporaryFolder()
    let (from, to) = (folder.file(named: "from.db"), folder.file(named: name))
    try folder.write([], to: "from.db")
    try folder.write([], to: name)
    let database = try Database(path: from)
    try database.execute(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); DELETE FROM t WHERE a = 1")
    try database.copy(into: to)
    #expect(try Database(reading: to).rows("SELECT a FROM t") == [[.integer(2)]])
    #expect(try folder.names() == ["from.db", name].sorted())
  }

  @Test("does not come back where its file was removed")
  func removed() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "from.db")
    let database = try Database(path: folder.file(named: "from.db"))
    try database.execute("CREATE TABLE t (a)")
    #expect(throws: StoreError.self) { try database.copy(into: folder.file(named: "gone.db")) }
    #expect(try folder.names() == ["from.db"])
  }
}
