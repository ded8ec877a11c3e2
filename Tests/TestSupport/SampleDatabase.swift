import ArchiveWriter
import Foundation

/// A database of messages: archives of all kinds in its columns, foreign keys, a table without row
/// IDs, and a view.
package enum SampleDatabase {
  /// Makes it.
  ///
  /// - Parameters:
  ///   - path: The path of a file that is not there.
  ///   - sql: Statements that change it.
  /// - Throws: If it cannot be made.
  package static func make(at path: String, _ sql: String = "") throws {
    try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    let editor = try StoreEditor(path)
    defer { editor.close() }
    try editor.run(
      """
      CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT);
      CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, properties BLOB);
      CREATE TABLE message (
        ROWID INTEGER PRIMARY KEY, text TEXT, handle_id INTEGER REFERENCES handle,
        body BLOB, info BLOB, payload BLOB);
      CREATE TABLE message_chat (
        message INTEGER REFERENCES message (ROWID), chat_id INTEGER REFERENCES chat (ROWID));
      CREATE TABLE setting ("key" TEXT PRIMARY KEY, value, _rowid_) WITHOUT ROWID;
      CREATE TABLE alias (chat_guid TEXT REFERENCES chat (guid), guid TEXT);
      CREATE VIEW everything AS SELECT * FROM message;
      INSERT INTO handle VALUES (1, '+1'), (5, 'ann@example.org');
      INSERT INTO chat VALUES (2, 'c2', \(hex(list(["count": 3, "name": "club"]))));
      INSERT INTO message VALUES
        (1, 'one', 5, \(hex(body("one"))), NULL, NULL),
        (4, NULL, 9, \(hex(body("four"))), \(hex(edits(["fuor", "four"]))), NULL),
        (7, NULL, NULL, NULL, NULL, \(hex(link("https://example.org/7"))));
      INSERT INTO message_chat VALUES (1, 2), (4, 2), (7, 2);
      INSERT INTO alias VALUES ('c2', 'club'), ('c3', 'gone');
      INSERT INTO setting VALUES ('a', 1.5, x'00'), ('b', \(hex(pair())), NULL);
      \(sql)
      """)
  }

  /// Makes a list of files as in backups, with an archive of each file's facts.
  package static func makeManifest(at path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    let editor = try StoreEditor(path)
    defer { editor.close() }
    let facts = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "MBFile", ["Size": 4096, "RelativePath": archive.string("a")])
    }
    try editor.run(
      """
      CREATE TABLE Files (
        fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);
      INSERT INTO Files VALUES
        ('3d0d', 'HomeDomain', 'Library/SMS/sms.db', 1, \(hex(facts.binary())));
      """)
  }

  /// Data as it stands in a statement.
  package static func hex(_ data: some Sequence<UInt8>) -> String {
    "x'" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }

  /// The stream of a text with one attribute, as in bodies of messages.
  package static func body(_ text: String) -> [UInt8] {
    TypedstreamWriter.stream { writer in
      writer.group("@") { writer in
        writer.object("NSAttributedString#0") { writer in
          writer.group("@") { $0.string(text) }
          writer.group("iI") { $0.integers(1, text.utf16.count) }
          writer.group("@") { writer in
            writer.collection("NSDictionary", 1, of: [{ $0.string("part") }, { $0.nsNumber(0) }])
          }
        }
      }
    }
  }

  /// A keyed archive of an object.
  package static func link(_ url: String) -> Data {
    KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "RichLink", ["URL": archive.url(url), "title": archive.string("seven")])
    }.binary()
  }

  /// A keyed archive with two top-level keys.
  private static func pair() -> Data {
    var archive = KeyedArchiveBuilder()
    archive.setTop("first", archive.string("one"))
    archive.setTop("second", archive.string("two"))
    return archive.binary()
  }

  /// A property list that is no archive, with typedstreams in it.
  private static func edits(_ texts: [String]) -> Data {
    let versions = texts.map { text -> PropertyListValue in ["t": .data(Data(body(text)))] }
    return list(["edits": ["0": .array(versions)], "sent": true])
  }

  private static func list(_ value: PropertyListValue) -> Data {
    BinaryPropertyListWriter().data(for: value)
  }
}
