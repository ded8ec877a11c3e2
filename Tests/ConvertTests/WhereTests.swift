import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert where")
struct WhereTests {
  /// A store of a database, and one of an archive with others inside.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try SampleDatabase.make(at: folder.file(named: "messages.db"))
    try folder.add("notes.plist") { archive in
      let inner = NestedArchives.item("Inner", name: "inner").binary()
      return archive.array([
        .string("x"),
        archive.instance(of: "Note", ["title": archive.string("one"), "payload": .data(inner)]),
      ])
    }
    for (input, store) in [("messages.db", "m.db"), ("notes.plist", "n.db")] {
      let result = try folder.convert(input, "-o", store, "--provenance", "--open-nested", "-q")
      try #require(result.status == 0, "\(result)")
    }
    return folder
  }

  @Test(
    "tells file, object and keys of a row, and shows the object",
    arguments: [
      (
        "m.db message 2",
        """
        file    messages.db
        class   message
        row     4 of message

        object 4: message #4
        """
      ),
      (
        "m.db richlink 1",
        """
        file    messages.db
        class   RichLink
        row     7 of message, column payload
        object  5
        path    payload
        bytes   210 to 216 of the value

        object 57: RichLink #57
        ├─ URL: https://example.org/7
        """
      ),
      (
        "m.db setting_value 1",
        """
        file    messages.db
        class   setting_value
        row     2 of setting, column value
        path    value
        """
      ),
      (
        "n.db Note 1",
        """
        file    notes.plist
        class   Note
        object  2
        path    root[1]
        bytes
        """
      ),
      (
        "n.db Inner 1",
        """
        file    notes.plist#2.payload
        class   Inner
        object  2
        path    root
        bytes   100 to 104 of the archive

        object 2: Inner #2
        """
      ),
    ])
  func shows(arguments: String, expected: String) throws {
    let folder = try Self.folder()
    let result = try Program.run(
      ["where"] + arguments.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix(expected), "\(result)")
  }

  @Test("gives the same as JSON, with bytes that are those of the object")
  func json() throws {
    let folder = try Self.folder()
    let result = try folder.convert("where", "n.db", "Note", "1", "--json")
    #expect(result.status == 0, "\(result)")
    struct Found: Decodable {
      var path: String
      var `class`: String
      var number: Int
      var uid: Int
      var keyPath: String
      var offset: Int
      var length: Int
    }
    let found = try JSONDecoder().decode(Found.self, from: Data(result.output.utf8))
    #expect((found.path, found.class, found.keyPath) == ("notes.plist", "Note", "root[1]"))
    #expect((found.number, found.uid) == (2, 2))
    let bytes = try folder.contents(of: "notes.plist")
    // A dictionary of three keys, which refers to three keys and three values.
    #expect(bytes[found.offset] == 0xD3 && found.length == 7)
  }

  @Test("tells the places of all objects in the store, which are compared")
  func places() throws {
    let folder = try Self.folder()
    try folder.store("m.db").expect(
      """
      SELECT class, source_table, source_row, source_column, key_path, offset IS NULL FROM _objects
        WHERE entity IN ('RichLink', 'chat_properties', 'handle')
      """,
      [
        "handle|handle|1|NULL|NULL|1", "handle|handle|5|NULL|NULL|1",
        "chat_properties|chat|2|properties|properties|1",
        "RichLink|message|7|payload|payload|0",
      ])
    try folder.store("n.db").expect(
      "SELECT class, key_path FROM _objects WHERE class = 'Note'",
      ["Note|root[1]"])
    for (change, status) in [
      ("UPDATE _objects SET source_column = 'body' WHERE source_column = 'payload'", 1),
      // A store of an earlier version.
      (
        ["source_table", "source_row", "source_column", "key_path", "offset", "length"]
          .reduce("DROP INDEX _objects_by_row;") { $0 + "ALTER TABLE _objects DROP COLUMN \($1);" },
        0
      ),
    ] {
      let editor = try StoreEditor(folder.file(named: "m.db"))
      try editor.run(change)
      editor.close()
      let result = try folder.convert("verify", "m.db", "messages.db")
      #expect(result.status == Int32(status), "\(change): \(result)")
    }
  }

  @Test("finds a file that was moved, and refuses one that was changed")
  func moved() throws {
    let folder = try Self.folder()
    let bytes = try folder.contents(of: "notes.plist")
    try folder.write(bytes, to: "moved.plist")
    try FileManager.default.removeItem(atPath: folder.file(named: "notes.plist"))
    #expect(try folder.convert("where", "n.db", "Note", "1").status == 2)
    let found = try folder.convert("where", "n.db", "Note", "1", "--input", "moved.plist")
    #expect(found.status == 0 && found.output.contains("title: \"one\""), "\(found)")
    try folder.write(bytes + [0], to: "notes.plist")
    let changed = try folder.convert("where", "n.db", "Note", "1")
    #expect(changed.status == 2, "\(changed)")
  }

  @Test(
    "says what it lacks",
    arguments: [
      ("m.db message 9", "m.db: no object is recorded for row 9 of message"),
      ("plain.db Note 1", "plain.db: it does not record objects: convert with --provenance"),
      ("notes.plist Note 1", "notes.plist: is a keyed archive: "),
    ])
  func lacks(arguments: String, message: String) throws {
    let folder = try Self.folder()
    #expect(try folder.convert("notes.plist", "-o", "plain.db", "-q").status == 0)
    let result = try Program.run(
      ["where"] + arguments.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.status == 2 && result.errors.hasPrefix(message), "\(result)")
  }
}
