import Foundation
import TestSupport
import Testing

@Suite("The preset for Messages")
struct MessagesTests {
  private typealias Messages = MessagesDatabase

  private static func folder(_ more: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Messages.make(at: folder.file(named: "chat.db"), .sequoia, Messages.sample + more)
    return folder
  }

  /// The tidy tables of the database, whole.
  private static let tables: [(query: String, rows: [String])] = [
    ("SELECT * FROM person", ["1|+15550001,ann@example.org|3", "4|bob@example.org|1"]),
    (
      "SELECT id, address, service, person_id FROM handle ORDER BY id",
      [
        "1|+15550001|iMessage|1", "2|ann@example.org|iMessage|1", "3|+15550001|SMS|1",
        "4|bob@example.org|iMessage|4",
      ]
    ),
    (
      "SELECT id, kind, identifier, title, service, merged_into FROM chat",
      [
        "1|single|+15550001|NULL|iMessage|NULL", "2|single|+15550001|NULL|SMS|1",
        "3|group|chat1|Club|iMessage|NULL",
      ]
    ),
    ("SELECT * FROM chat_participant ORDER BY 1, 2", ["1|1", "2|3", "3|1", "3|4"]),
    (
      "SELECT id, guid, kind, chat_id, handle_id, from_me, text, text_source FROM message",
      [
        "1|G1|message|1|1|0|Hi|attributedBody",
        "2|G2|message|1|NULL|1|Look 😀 \u{fffc}@Ann this|attributedBody",
        "3|G3|message|2|3|0|only text|text", "4|G4|message|3|4|0|Hello|edits",
        "5|R1|reaction|3|4|0|NULL|NULL", "6|R2|reaction|3|1|0|NULL|NULL",
        "7|R3|reaction|3|1|0|NULL|NULL", "8|E1|event|3|1|0|NULL|NULL",
        "9|G5|message|3|NULL|0|https://example.org|attributedBody",
        "10|G6|message|NULL|NULL|0|alone|text",
      ]
    ),
    (
      """
      SELECT guid, sent_at, read_at, edited_at, deleted_at, reply_to_id, reply_part, effect
        FROM message WHERE guid LIKE 'G%'
      """,
      [
        "G1|2023-03-08T20:26:40.000Z|2023-03-08T20:26:41.500Z|NULL|NULL|NULL|NULL|NULL",
        "G2|2023-03-08T20:27:40.000Z|NULL|NULL|NULL|NULL|NULL|NULL",
        "G3|2023-03-08T20:28:40.000Z|NULL|NULL|NULL|NULL|NULL|NULL",
        "G4|2023-03-08T20:29:40.000Z|NULL|2023-03-08T20:26:40.000Z|2023-03-08T20:35:00.000Z|"
          + "NULL|NULL|NULL",
        "G5|2023-03-08T20:33:20.000Z|NULL|NULL|NULL|2|1|com.apple.slam",
        "G6|2023-03-08T20:36:40.000Z|NULL|NULL|NULL|NULL|NULL|NULL",
      ]
    ),
    (
      "SELECT * FROM message_part",
      [
        "1|0|text|Hi|NULL|NULL", "2|0|text|Look 😀 |NULL|NULL", "2|1|attachment|\u{fffc}|1|NULL",
        "2|2|text|@Ann this|NULL|NULL", "3|0|text|only text|NULL|NULL",
        "9|0|text|https://example.org|NULL|NULL", "10|0|text|alone|NULL|NULL",
        "4|1|unsent|NULL|NULL|NULL",
      ]
    ),
    (
      "SELECT * FROM edit",
      ["4|0|1|2023-03-08T20:26:40.500Z|Helo", "4|0|2|2023-03-08T20:26:41.000Z|Hello"]
    ),
    (
      "SELECT id, message_id, part, by_handle_id, kind, is_removed, emoji, type FROM reaction",
      [
        "5|2|1|4|loved|0|NULL|2000", "6|1|NULL|1|laughed|1|NULL|3003",
        "7|NULL|NULL|1|emoji|0|🎉|2006",
      ]
    ),
    (
      "SELECT id, guid, path, mime, bytes, created_at FROM attachment",
      ["1|at_1|~/Library/a.jpg|image/jpeg|12|2023-03-08T20:26:40.000Z"]
    ),
    ("SELECT * FROM message_attachment", ["2|1"]),
    ("SELECT * FROM mention", ["2|2|ann@example.org|@Ann"]),
    ("SELECT * FROM link_preview", ["9|https://example.org|Example|NULL|S"]),
    ("SELECT * FROM group_event", ["8|added|1|4|NULL|1|0"]),
    ("SELECT * FROM recoverable_part", ["4|3|0|2023-03-08T20:35:00.000Z|Hello"]),
    ("SELECT * FROM deleted_message", ["G7", "G8"]),
    ("SELECT message_id, text FROM text_difference", ["2|Look"]),
    ("SELECT * FROM message_without_chat", ["10|G6"]),
    ("SELECT * FROM message_in_chats", ["2|2"]),
    ("SELECT id FROM reaction_without_message", ["7"]),
    ("SELECT some_later_column, count(*) FROM source_message", ["7|10"]),
    ("SELECT count(*) FROM source_chat_message_join", ["9"]),
  ]

  @Test("makes tidy tables beside those of the database")
  func tidyTables() throws {
    let folder = try Self.folder()
    let result = try folder.convert("chat.db", "--preset", "messages", "-o", "out.db", "--verify")
    #expect(result.status == 0, "\(result)")
    for line in [
      "Messages with a text other than that of their body: 1 (text_difference).",
      "Messages in no chat: 1 (message_without_chat).", "Verification passed",
    ] { #expect(result.output.contains(line), "\(result)") }
    let store = try StoreQuery(folder.file(named: "out.db"))
    for (query, rows) in Self.tables { try store.expect(query, rows) }
    try store.expectSound()
  }

  @Test("gives Datasette no columns that a view does not have")
  func datasette() throws {
    let folder = try Self.folder()
    let result = try folder.convert(
      "chat.db", "--preset", "messages", "-o", "out.db", "--datasette", "metadata.yaml", "--fts")
    #expect(result.status == 0, "\(result)")
    let metadata = try folder.text(of: "metadata.yaml")
    #expect(metadata.contains("description_html: Messages in no chat."))
    #expect(!metadata.contains("      reaction:") && !metadata.contains("      message:"))
  }

  @Test("takes older databases, without the columns and tables of today")
  func olderSchema() throws {
    let folder = try TemporaryFolder()
    try Messages.make(
      at: folder.file(named: "chat.db"), .sierra,
      """
      INSERT INTO handle (id, service) VALUES ('+1', 'SMS');
      INSERT INTO message (guid, text, handle_id, date) VALUES ('G1', 'one', 1, \(Messages.start));
      """)
    let result = try folder.convert(
      "chat.db", "--preset", "messages", "-o", "out.db", "--verify", "--strict")
    #expect(result.status == 0, "\(result)")
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expect(
      "SELECT sent_at, text, address FROM message JOIN handle ON handle.id = handle_id",
      ["2023-03-08T20:26:40.000Z|one|+1"])
    for (query, _) in Self.tables where !query.contains("some_later_column") {
      _ = try store.rows(query)
    }
  }

  /// Changes of the store that lose or alter a text, a date, a link, a reaction or a view.
  static let changes = [
    "UPDATE source_message SET attributedBody = 'Ho' WHERE guid = 'G1'",
    "UPDATE source_message SET date = date + 1 WHERE guid = 'G3'",
    "UPDATE source_message SET handle_id = 2 WHERE guid = 'G1'",
    "UPDATE source_message SET associated_message_type = 2001 WHERE guid = 'R1'",
    "UPDATE source_message SET message_summary_info = replace(message_summary_info, 'Helo', 'Hello')",
    "UPDATE source_message SET payload_data = replace(payload_data, 'Example', 'Sample')",
    "UPDATE source_message SET attributedBody_parts = replace(attributedBody_parts, 'ann@', 'amy@')",
    "DELETE FROM source_chat_message_join WHERE message_id = 3",
    "UPDATE source_chat_message_join SET message_id = 1 WHERE message_id = 3",
    "DROP VIEW reaction",
    "DROP VIEW edit; CREATE VIEW edit AS SELECT 1 AS message_id",
  ]

  @Test("gives stores that are compared with the database", arguments: changes)
  func verification(change: String) throws {
    let folder = try Self.folder()
    #expect(
      try folder.convert("chat.db", "--preset", "messages", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(change)
    editor.close()
    let result = try folder.convert("verify", "out.db", "chat.db")
    #expect(result.status == 1 && result.output.contains("Verification failed"), "\(result)")
  }

  @Test("makes one database of several, whichever way", arguments: [true, false])
  func merging(atOnce: Bool) throws {
    let folder = try Self.folder()
    // An older one with other row IDs, and one of another device with a message of its own.
    try Messages.make(
      at: folder.file(named: "old.db"), .sierra,
      """
      INSERT INTO handle (id, service) VALUES ('bob@example.org', 'iMessage'), ('+15550001', 'SMS');
      INSERT INTO chat (guid, style) VALUES ('SMS;-;+15550001', 45);
      INSERT INTO message (guid, text, handle_id, date) VALUES
        ('G0', 'gone since', 1, \(Messages.start - 60)), ('G3', 'only text', 2, \(Messages.start + 120));
      INSERT INTO chat_message_join VALUES (1, 2);
      """)
    try Messages.make(
      at: folder.file(named: "phone.db"), .sequoia,
      """
      INSERT INTO handle (id, service) VALUES ('new@example.org', 'iMessage'), ('+15550001', 'SMS');
      INSERT INTO chat (guid, style) VALUES ('SMS;-;+15550001', 45);
      INSERT INTO message (guid, text, handle_id, date, associated_message_guid,
        associated_message_type, is_from_me) VALUES
        ('R9', NULL, 2, \(Messages.nanoseconds(Messages.start + 700)), 'p:0/G3', 2001, 1),
        ('G3', 'only text', 2, \(Messages.nanoseconds(Messages.start + 120)), NULL, 0, 0);
      UPDATE message SET service = 'RCS' WHERE guid = 'G3';
      INSERT INTO chat_message_join VALUES (1, 1), (1, 2);
      """)
    let options = ["--preset", "messages", "--provenance", "-o", "out.db"]
    if atOnce {
      let result = try Program.run(
        ["phone.db", "chat.db", "old.db"] + options + ["--verify"], in: folder.path)
      #expect(result.status == 0, "\(result)")
    } else {
      for name in ["old.db", "chat.db", "phone.db"] {
        let result = try Program.run(
          [name, "--if-exists", "append"] + options, in: folder.path)
        #expect(result.status == 0, "\(result)")
      }
    }
    let verified = try folder.convert("verify", "out.db", "old.db", "chat.db", "phone.db")
    #expect(verified.status == 0, "\(verified)")
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expect(
      "SELECT guid, address FROM message LEFT JOIN handle ON handle.id = handle_id ORDER BY guid",
      [
        "E1|+15550001", "G0|bob@example.org", "G1|+15550001", "G2|NULL", "G3|+15550001",
        "G4|bob@example.org", "G5|NULL", "G6|NULL", "R1|bob@example.org", "R2|+15550001",
        "R3|+15550001", "R9|+15550001",
      ])
    try store.expect("SELECT count(*), count(DISTINCT id) FROM handle", ["5|5"])
    try store.expect("SELECT service FROM message WHERE guid = 'G3'", ["RCS"])
    try store.expect(
      "SELECT guid FROM chat_message JOIN message ON message.id = message_id "
        + "WHERE chat_message.chat_id = (SELECT id FROM chat WHERE guid LIKE 'SMS%') ORDER BY 1",
      ["G3", "R9"])
    try store.expect(
      "SELECT m.guid FROM reaction r JOIN message m ON m.id = r.message_id WHERE r.from_me", ["G3"])
    try store.expect(
      "SELECT path, source_rowid FROM message_source JOIN message m ON m.id = message_id "
        + "WHERE guid = 'G3' ORDER BY path",
      ["chat.db|3", "old.db|2", "phone.db|2"])
    let row = try store.rows("SELECT id FROM message WHERE guid = 'G3'")[0][0]
    let origin = try folder.convert("where", "out.db", "source_message", row)
    #expect(
      origin.output.hasPrefix(
        """
        file    phone.db
        class   message
        row     2 of message
        also    message 3 of chat.db
        also    message 2 of old.db

        """), "\(origin)")
    let old = try folder.convert(
      "where", "out.db", "source_message", row, "--input", "old.db", "--json")
    #expect(old.output.contains("\"path\" : \"old.db\""), "\(old)")
    try store.expect(
      "SELECT guid FROM message_absence WHERE path = 'chat.db' ORDER BY 1", ["G0", "R9"])
  }

  @Test("writes its mapping, to be edited")
  func mapping() throws {
    let folder = try Self.folder()
    #expect(try folder.convert("infer", "--preset", "messages", "-o", "my.yaml").status == 0)
    #expect(try folder.convert("chat.db", "--mapping", "my.yaml", "-o", "own.db", "-q").status == 0)
    #expect(
      try folder.convert("chat.db", "--preset", "messages", "-o", "out.db", "-q").status == 0)
    let (own, out) = (
      try StoreQuery(folder.file(named: "own.db")), try StoreQuery(folder.file(named: "out.db"))
    )
    let schema = "SELECT sql FROM sqlite_schema ORDER BY name"
    #expect(try own.rows(schema) == out.rows(schema))
    for arguments in [
      ["infer", "--preset", "messages", "chat.db", "-o", "x.yaml"], ["infer", "-o", "x.yaml"],
      ["infer", "--preset", "messages", "--plain-names", "-o", "x.yaml"],
      ["chat.db", "--preset", "messages", "--mapping", "my.yaml", "-o", "x.db"],
    ] { #expect(try Program.run(arguments, in: folder.path).status == 64) }
  }

  @Test("keeps the text of a body whose attributes are no values")
  func strangeAttributes() throws {
    let body = Messages.body(("text", [.part(0), .unknown]))
    let folder = try Self.folder("UPDATE message SET attributedBody = \(body) WHERE guid = 'G1';")
    let result = try folder.convert(
      "chat.db", "--preset", "messages", "-o", "out.db", "--verify", "--quiet")
    #expect(result.status == 1, "\(result)")
    #expect(result.errors == "chat.db: 1 part could not be read\n", "\(result)")
    try folder.store().expect(
      "SELECT text, text_source FROM message WHERE guid = 'G1'", ["text|attributedBody"])
  }

  @Test("is verified, as far as they are there, when some inputs have changed")
  func changedInputs() throws {
    let folder = try Self.folder()
    #expect(
      try folder.convert("chat.db", "--preset", "messages", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "chat.db"))
    try editor.run("INSERT INTO handle (id, service) VALUES ('n', 'n')")
    editor.close()
    let result = try folder.convert("verify", "out.db", "chat.db")
    #expect(
      result.status == 1 && result.output.contains("chat.db: has changed since it was converted"),
      "\(result)")
  }

  @Test("takes databases without handles, and refuses those without any of its tables")
  func missingTables() throws {
    let folder = try Self.folder("DROP TABLE chat_handle_join; DROP TABLE handle;")
    let result = try folder.convert("chat.db", "--preset", "messages", "-o", "out.db", "--verify")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect(
      "SELECT count(*), count(handle_id), max(handle_id_dangling) FROM source_message", ["10|0|4"])
    try SampleDatabase.makeManifest(at: folder.file(named: "Manifest.db"))
    let other = try folder.convert("Manifest.db", "--preset", "messages", "-o", "m.db")
    #expect(
      other.status == 2
        && other.errors == "preset messages: no archive has a class 'message'\n", "\(other)")
  }

  @Test("keeps what is no body, and names what is damaged")
  func strangeBodies() throws {
    let cut = Messages.body("Hi").dropLast(41) + "'"
    let folder = try Self.folder(
      """
      UPDATE message SET attributedBody = x'fffe4800' WHERE guid = 'G5';
      UPDATE message SET attributedBody = \(cut) WHERE guid = 'G1';
      UPDATE message SET payload_data = x'0801', message_summary_info = 'text', date = 'soon',
        text = CAST(x'68ff69' AS TEXT) WHERE guid = 'G3';
      UPDATE message SET date = -9223372036854775808, date_read = 9223372036854775807
        WHERE guid = 'R1';
      UPDATE message SET message_summary_info = \(Messages.summary(strange: true)),
        attributedBody = \(Messages.body("\0null")) WHERE guid = 'R2';
      """)
    let result = try folder.convert("chat.db", "--preset", "messages", "-o", "out.db", "--verify")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("(message 1, attributedBody)"), "\(result)")
    let store = try StoreQuery(folder.file(named: "out.db"))
    try store.expect(
      "SELECT guid, attributedBody, attributedBody_data FROM source_message WHERE guid IN ('G1', 'G5')",
      ["G1|NULL|NULL", "G5|NULL|x'fffe4800'"])
    try store.expect(
      """
      SELECT payload_data, message_summary_info, date, text, text_data
        FROM source_message WHERE guid = 'G3'
      """,
      ["{\"base64\":\"CAE=\"}|\"text\"|soon|NULL|x'68ff69'"])
    try store.expect("SELECT sent_at, read_at FROM message WHERE guid = 'R1'", ["NULL|NULL"])
    try store.expect(
      "SELECT length(CAST(text AS BLOB)) FROM message_part WHERE message_id = 6", ["5"])
    try store.expect("SELECT * FROM body_without_text", ["9|G5"])
    for (query, _) in Self.tables { _ = try store.rows(query) }
  }
}
