import Foundation
import TestSupport
import Testing

@Suite("SQLite databases, with the archives in their columns")
struct DatabaseTests {
  private static func folder(_ sql: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("", to: "in/.keep")
    try SampleDatabase.make(at: folder.file(named: "in/messages.db"), sql)
    return folder
  }

  @Test("become a table for each table, joined with what the archives hold")
  func tables() throws {
    let folder = try Self.folder()
    let before = try folder.contents(of: "in/messages.db")
    let result = try folder.convert(
      "in/messages.db", "-o", "out.db", "--verify", "--provenance", "--strict")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("Converted 1 database in "), "\(result)")
    #expect(try folder.contents(of: "in/messages.db") == before)
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expectSound()
    try store.expect(
      """
      SELECT m.ROWID, text, body, h.id_2, handle_id_dangling, r.URL, i.sent
        FROM message m LEFT JOIN handle h ON h.id = handle_id LEFT JOIN RichLink r ON r.id = payload_id
        LEFT JOIN message_info i ON i.id = info_id
      """,
      [
        "1|one|one|ann@example.org|NULL|NULL|NULL", "4|NULL|four|NULL|9|NULL|1",
        "7|NULL|NULL|NULL|NULL|https://example.org/7|NULL",
      ])
    try store.expect(
      "SELECT json_extract(body_runs, '$.runs[0].attributes.part') FROM message",
      ["0", "0", "NULL"])
    try store.expect(
      "SELECT c.name, m.ROWID FROM message_chat j JOIN message m ON m.id = message_id "
        + "JOIN chat ON chat.id = chat_id JOIN chat_properties c ON c.id = properties_id",
      ["club|1", "club|4", "club|7"])
    try store.expect(
      "SELECT json_extract(value, '$.text') FROM _collection_element WHERE key = 't'",
      ["fuor", "four"])
    try store.expect(
      "SELECT \"key\", value, _rowid_ FROM setting WHERE value IS NOT NULL", ["a|1.5|x'00'"])
    try store.expect(
      "SELECT uid FROM _objects WHERE entity = 'message' ORDER BY row", ["1", "4", "7"])
  }

  @Test("have links where a mapping names a key, and data beside texts in a column of its own")
  func hints() throws {
    let folder = try Self.folder(
      """
      CREATE TABLE note (owner INTEGER, body BLOB, title);
      INSERT INTO note VALUES
        (5, \(SampleDatabase.hex(SampleDatabase.body("text"))), 'one'),
        (6, x'00ff', x'01'), (NULL, NULL, \(SampleDatabase.hex(SampleDatabase.link("x"))));
      """)
    try folder.write(
      """
      foreignKeys: {note: {owner: handle}, gone: {x: handle}}
      entities: {note: {attributes: {title: {type: string}}}}
      """, to: "m.yaml")
    let result = try folder.convert(
      "in/messages.db", "-o", "out.db", "--mapping", "m.yaml", "--verify")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("m.yaml:1:38: no archive has a class 'gone'"), "\(result)")
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expect(
      "SELECT h.id_2, owner_dangling, body, body_data, title, length(title_data) FROM note "
        + "LEFT JOIN handle h ON h.id = owner_id",
      [
        "ann@example.org|NULL|text|NULL|one|NULL", "NULL|6|NULL|x'00ff'|NULL|1",
        "NULL|NULL|NULL|NULL|NULL|\(SampleDatabase.link("x").count)",
      ])
  }

  @Test("are converted as far as the globs of columns fit")
  func globs() throws {
    let folder = try Self.folder()
    let result = try folder.convert(
      "in/messages.db", "-o", "out.db", "--verify", "--strict", "--column", "MESSAGE.body",
      "--carry", "message.*", "--carry", "setting.v*")
    #expect(result.status == 0, "\(result)")
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expect(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' "
        + "ORDER BY name", ["message", "setting"])
    try store.expect(
      "SELECT ROWID, text, body, handle_id, typeof(info), typeof(payload) FROM message",
      ["1|one|one|5|null|null", "4|NULL|four|9|blob|null", "7|NULL|NULL|NULL|null|blob"])
    try store.expect(
      "SELECT group_concat(name) FROM pragma_table_info('setting')", ["id,key,value"])
    // A run that is appended has columns of its own, and both are compared by theirs.
    let other = try folder.convert(
      "in/messages.db", "-o", "out.db", "--if-exists", "append", "--carry", "handle")
    #expect(other.status == 0, "\(other)")
    try StoreQuery(folder.file(named: "out.db")).expect(
      "SELECT id_2 FROM handle", ["+1", "ann@example.org"])
    let verification = try folder.convert("verify", "out.db", "in/messages.db")
    #expect(verification.status == 0, "\(verification)")
    try StoreEditor(folder.file(named: "out.db")).run(
      "UPDATE message SET info = x'00' WHERE ROWID = 4")
    #expect(try folder.convert("verify", "out.db", "in/messages.db").status == 1)
  }

  @Test("have notes on globs that fit no column, and are refused where none fits")
  func unusedGlobs() throws {
    let folder = try Self.folder()
    let noted = try folder.convert("in/messages.db", "-o", "out.db", "--column", "mesage.body")
    #expect(noted.status == 0, "\(noted)")
    #expect(
      noted.output.contains("in/messages.db: it has no column mesage.body"), "\(noted)")
    let refused = try folder.convert("in/messages.db", "-o", "none.db", "--carry", "mesage.*")
    #expect(refused.status == 2, "\(refused)")
    #expect(
      refused.errors.contains("in/messages.db: the store has no column mesage.*"), "\(refused)")
  }

  /// Changes of a store that lose or alter something of the database.
  static let changes = [
    "UPDATE message SET body = 'fore' WHERE ROWID = 4",
    "UPDATE message SET body_runs = replace(body_runs, '\"length\":4', '\"length\":3')",
    "UPDATE message SET handle_id = 1 WHERE ROWID = 1",
    "UPDATE message SET handle_id_dangling = NULL",
    "UPDATE message_chat SET message_id = 2 WHERE id = 1",
    "UPDATE RichLink SET URL = 'https://example.org/8'",
    "UPDATE message SET payload_id = NULL",
    "UPDATE _collection_element SET value = replace(value, 'fuor', 'four') WHERE key = 't'",
    "UPDATE message_info SET sent = 0",
    "DELETE FROM message_chat WHERE id = 3",
    "UPDATE setting SET value = 1.25 WHERE \"key\" = 'a'",
  ]

  @Test("are compared with their store, value by value", arguments: changes)
  func verification(change: String) throws {
    let folder = try Self.folder()
    #expect(try folder.convert("in/messages.db", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(change)
    editor.close()
    let result = try folder.convert("verify", "out.db", "in/messages.db")
    #expect(result.status == 1 && result.output.contains("Verification failed"), "\(result)")
  }

  @Test("with a damaged archive are converted, and end with 1")
  func damage() throws {
    let cut = SampleDatabase.hex(SampleDatabase.body("one").dropLast(20))
    let folder = try Self.folder("UPDATE message SET body = \(cut) WHERE ROWID = 1;")
    let result = try folder.convert("in", "-o", "out.db", "--verify")
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains(
        """
        Damaged: 1 database; 1 part could not be read.
          in/messages.db: the archive in the value cannot be read: the typedstream is damaged: \
        it ends before a value does (byte
        """), "\(result)")
    #expect(result.output.contains("(message 1, body)"), "\(result)")
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expect("SELECT body FROM message", ["NULL", "four", "NULL"])
    try store.expect("SELECT typeof(body_damaged) FROM message", ["blob", "null", "null"])
  }

  @Test("in a directory are converted together, with what only a log holds")
  func directory() throws {
    let folder = try Self.folder()
    // A copy of a database that is open: its last row is in the log alone.
    let path = folder.file(named: "live.db")
    try SampleDatabase.make(at: path)
    let editor = try StoreEditor(path)
    try editor.run("PRAGMA journal_mode = WAL; INSERT INTO handle VALUES (8, 'log');")
    for suffix in ["", "-wal"] {
      try folder.write(try folder.contents(of: "live.db\(suffix)"), to: "in/sub/live.db\(suffix)")
    }
    editor.close()
    let result = try folder.convert("in", "-o", "in/out.db", "--verify")
    #expect(result.status == 0, "\(result)")
    let store = try StoreQuery(folder.file(named: "in/out.db"))
    try store.expect(
      "SELECT id_2, count(*) FROM handle GROUP BY 1", ["+1|2", "ann@example.org|2", "log|1"])
    // The store lies among its inputs now, and is none of them.
    let again = try folder.convert("in", "-o", "again.db", "--verify")
    #expect(again.status == 0, "\(again)")
    #expect(again.output.contains("Converted 2 databases"), "\(again)")
    let names = try folder.names()
    #expect(names == ["again.db", "in", "live.db"], "\(names)")
  }

  @Test("are inspected: which columns hold archives of which kinds")
  func inspection() throws {
    let folder = try Self.folder()
    let result = try folder.convert("inspect", "in/messages.db", "--tree")
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.hasSuffix(
        """
        archives in                    format         values  bytes
        chat.properties                property list       1     68
        message.body                   typedstream         2    307
        message.info                   property list       1    411
        data in those of message.info  typedstream         2    308
        message.payload                binary              1    318
        setting.value                  binary              1    161

        """), "\(result)")
    #expect(try folder.convert("inspect", "--object", "1", "in/messages.db").status == 2)
  }
}
