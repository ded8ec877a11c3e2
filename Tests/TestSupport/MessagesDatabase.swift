import ArchiveWriter
import Foundation

/// Databases of Messages: the tables and columns that people ask for, in two versions.
package enum MessagesDatabase {
  package enum Version: CaseIterable {
    /// As of macOS 10.12: dates in seconds, no edits, no replies, no table for look-ups.
    case sierra
    /// As of macOS 15.
    case sequoia
  }

  /// Makes one.
  ///
  /// - Parameters:
  ///   - path: The path of a file that is not there.
  ///   - version: The version of its schema.
  ///   - rows: Statements that fill it.
  /// - Throws: If it cannot be made.
  package static func make(
    at path: String, _ version: Version, _ rows: String
  ) throws {
    try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    let editor = try StoreEditor(path)
    defer { editor.close() }
    try editor.run(schema)
    if version == .sequoia { try editor.run(laterSchema) }
    try editor.run(rows)
  }

  private static let schema = """
    CREATE TABLE _SqliteDatabaseProperties ("key" TEXT, value TEXT, UNIQUE("key"));
    CREATE TABLE handle (
      ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, country TEXT,
      service TEXT NOT NULL, uncanonicalized_id TEXT, UNIQUE (id, service));
    CREATE TABLE chat (
      ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, style INTEGER,
      properties BLOB, chat_identifier TEXT, service_name TEXT, display_name TEXT);
    CREATE TABLE message (
      ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT,
      handle_id INTEGER DEFAULT 0, attributedBody BLOB, service TEXT, date INTEGER,
      date_read INTEGER, date_delivered INTEGER, is_from_me INTEGER DEFAULT 0,
      item_type INTEGER DEFAULT 0, other_handle INTEGER DEFAULT 0, group_title TEXT,
      group_action_type INTEGER DEFAULT 0, associated_message_guid TEXT, balloon_bundle_id TEXT,
      payload_data BLOB, associated_message_type INTEGER DEFAULT 0,
      expressive_send_style_id TEXT, "type" INTEGER DEFAULT 0);
    CREATE TABLE attachment (
      ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL,
      created_date INTEGER DEFAULT 0, filename TEXT, uti TEXT, mime_type TEXT, user_info BLOB,
      transfer_name TEXT, total_bytes INTEGER DEFAULT -1);
    CREATE TABLE chat_handle_join (
      chat_id INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE,
      handle_id INTEGER REFERENCES handle (ROWID) ON DELETE CASCADE, UNIQUE(chat_id, handle_id));
    CREATE TABLE chat_message_join (
      chat_id INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE,
      message_id INTEGER REFERENCES message (ROWID) ON DELETE CASCADE,
      PRIMARY KEY (chat_id, message_id));
    CREATE TABLE message_attachment_join (
      message_id INTEGER REFERENCES message (ROWID) ON DELETE CASCADE,
      attachment_id INTEGER REFERENCES attachment (ROWID) ON DELETE CASCADE,
      UNIQUE(message_id, attachment_id));
    CREATE TABLE deleted_messages (
      ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, guid TEXT NOT NULL);
    CREATE TRIGGER delete_message AFTER DELETE ON message BEGIN
      SELECT no_such_function(OLD.guid); END;
    """

  private static let laterSchema = """
    ALTER TABLE handle ADD COLUMN person_centric_id TEXT;
    ALTER TABLE message ADD COLUMN message_summary_info BLOB;
    ALTER TABLE message ADD COLUMN thread_originator_guid TEXT;
    ALTER TABLE message ADD COLUMN thread_originator_part TEXT;
    ALTER TABLE message ADD COLUMN date_edited INTEGER DEFAULT 0;
    ALTER TABLE message ADD COLUMN date_retracted INTEGER DEFAULT 0;
    ALTER TABLE message ADD COLUMN associated_message_emoji TEXT;
    ALTER TABLE message ADD COLUMN some_later_column INTEGER DEFAULT 7;
    CREATE TABLE chat_lookup (
      identifier TEXT NOT NULL, domain TEXT NOT NULL,
      chat INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE, UNIQUE(identifier, domain, chat));
    CREATE TABLE chat_recoverable_message_join (
      chat_id INTEGER REFERENCES chat (ROWID), message_id INTEGER REFERENCES message (ROWID),
      delete_date INTEGER, PRIMARY KEY (chat_id, message_id));
    CREATE TABLE recoverable_message_part (
      chat_id INTEGER REFERENCES chat (ROWID), message_id INTEGER REFERENCES message (ROWID),
      part_index INTEGER, delete_date INTEGER, part_text BLOB NOT NULL,
      PRIMARY KEY (chat_id, message_id, part_index));
    CREATE TABLE sync_deleted_messages (
      ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, guid TEXT NOT NULL, recordID TEXT);
    """

  // MARK: Rows

  /// A date as databases of today have it.
  package static func nanoseconds(_ seconds: Int) -> Int { seconds * 1_000_000_000 }

  /// The first date of the sample, in seconds since 2001.
  package static let start = 700_000_000

  /// A life of messages in a few rows, for the later version.
  package static var sample: String {
    let sent = nanoseconds(start)
    let photo = body(
      ("Look 😀 ", [.part(0)]), ("\u{fffc}", [.part(1), .file("at_1")]),
      ("@Ann", [.part(2), .mention("ann@example.org")]), (" this", [.part(2)]))
    let edited = summary(
      edits: [0: [(Double(start) + 0.5, "Helo"), (Double(start + 1), "Hello")]], unsent: [1])
    return """
      INSERT INTO handle (id, service, person_centric_id) VALUES
        ('+15550001', 'iMessage', 'P1'), ('ann@example.org', 'iMessage', 'P1'),
        ('+15550001', 'SMS', NULL), ('bob@example.org', 'iMessage', NULL);
      INSERT INTO chat (guid, style, chat_identifier, service_name, display_name) VALUES
        ('iMessage;-;+15550001', 45, '+15550001', 'iMessage', ''),
        ('SMS;-;+15550001', 45, '+15550001', 'SMS', NULL),
        ('iMessage;+;chat1', 43, 'chat1', 'iMessage', 'Club');
      INSERT INTO chat_lookup VALUES
        ('+15550001', 'Phone', 1), ('+15550001', 'Phone', 2), ('chat1', 'Group', 3);
      INSERT INTO chat_handle_join VALUES (1, 1), (2, 3), (3, 1), (3, 4);
      INSERT INTO message
        (guid, text, attributedBody, handle_id, date, date_read, is_from_me, service) VALUES
        ('G1', NULL, \(body("Hi")), 1, \(sent), \(sent + 1_500_000_000), 0, 'iMessage'),
        ('G2', 'Look', \(photo), 0, \(nanoseconds(start + 60)), 0, 1, 'iMessage'),
        ('G3', 'only text', NULL, 3, \(nanoseconds(start + 120)), 0, 0, 'SMS'),
        ('G4', NULL, NULL, 4, \(nanoseconds(start + 180)), 0, 0, 'iMessage');
      UPDATE message SET message_summary_info = \(edited), date_edited = \(sent) WHERE guid = 'G4';
      INSERT INTO message
        (guid, handle_id, date, associated_message_guid, associated_message_type,
         associated_message_emoji) VALUES
        ('R1', 4, \(nanoseconds(start + 200)), 'p:1/G2', 2000, NULL),
        ('R2', 1, \(nanoseconds(start + 210)), 'bp:G1', 3003, NULL),
        ('R3', 1, \(nanoseconds(start + 220)), 'G9', 2006, '🎉');
      INSERT INTO message (guid, handle_id, other_handle, date, item_type, group_action_type)
        VALUES ('E1', 1, 4, \(nanoseconds(start + 300)), 1, 0);
      INSERT INTO message (guid, attributedBody, date, thread_originator_guid,
          thread_originator_part, payload_data, expressive_send_style_id)
        VALUES ('G5', \(body("https://example.org")), \(nanoseconds(start + 400)), 'G2', '1:0:1',
          \(preview("https://example.org", title: "Example")), 'com.apple.slam');
      INSERT INTO message (guid, text, date) VALUES ('G6', 'alone', \(nanoseconds(start + 600)));
      INSERT INTO attachment (guid, filename, mime_type, total_bytes, created_date) VALUES
        ('at_1', '~/Library/a.jpg', 'image/jpeg', 12, \(start));
      INSERT INTO message_attachment_join VALUES (2, 1);
      INSERT INTO chat_message_join VALUES
        (1, 1), (1, 2), (2, 3), (3, 2), (3, 5), (3, 6), (3, 7), (3, 8), (3, 9);
      INSERT INTO chat_recoverable_message_join VALUES (3, 4, \(nanoseconds(start + 500)));
      INSERT INTO recoverable_message_part VALUES
        (3, 4, 0, \(nanoseconds(start + 500)), \(body("Hello")));
      INSERT INTO deleted_messages (guid) VALUES ('G7');
      INSERT INTO sync_deleted_messages (guid) VALUES ('G7'), ('G8');
      """
  }

  // MARK: Archives

  /// An attribute of a run.
  package enum Attribute {
    case part(Int)
    case file(String)
    case mention(String)
    case transcription(String)
    case other(String, String)
    /// An object of a class that nobody knows.
    case unknown

    fileprivate func write(_ writer: inout TypedstreamWriter) {
      let (name, text): (String, String?) =
        switch self {
        case .part: ("__kIMMessagePartAttributeName", nil)
        case .file(let guid): ("__kIMFileTransferGUIDAttributeName", guid)
        case .mention(let address): ("__kIMMentionConfirmedMention", address)
        case .transcription(let text): ("IMAudioTranscription", text)
        case .other(let name, let text): (name, text)
        case .unknown: ("unknown", nil)
        }
      writer.group("@") { $0.string(name) }
      writer.group("@") { writer in
        if case .part(let number) = self { writer.nsNumber(number) }
        if case .unknown = self { writer.object("OwnClass#0") { $0.group("i", 1) } }
        if let text { writer.string(text) }
      }
    }
  }

  /// The stream of a text with attributes, in hexadecimal for a statement.
  package static func body(_ runs: (text: String, attributes: [Attribute])...) -> String {
    SampleDatabase.hex(stream(runs))
  }

  /// The stream of a text that is one part.
  package static func body(_ text: String) -> String { body((text, [.part(0)])) }

  private static func stream(_ runs: [(text: String, attributes: [Attribute])]) -> [UInt8] {
    TypedstreamWriter.stream { writer in
      writer.group("@") { writer in
        writer.object("NSAttributedString#0") { writer in
          writer.group("@") { $0.string(runs.map(\.text).joined()) }
          for (number, run) in runs.enumerated() {
            writer.group("iI") { $0.integers(number + 1, run.text.utf16.count) }
            writer.group("@") { writer in
              writer.object("NSDictionary#0") { writer in
                writer.group("i", run.attributes.count)
                for attribute in run.attributes { attribute.write(&writer) }
              }
            }
          }
        }
      }
    }
  }

  /// The property list of edited and unsent parts.
  ///
  /// - Parameters:
  ///   - edits: The texts of the versions of each part, with their seconds since 2001.
  ///   - unsent: The parts that were taken back.
  ///   - strange: Whether there are edits that have other forms.
  /// - Returns: The list, in hexadecimal for a statement.
  package static func summary(
    edits: [Int: [(at: Double, text: String)]] = [:], unsent: [Int] = [], strange: Bool = false
  ) -> String {
    var members: [KeyValue] = []
    if !edits.isEmpty {
      let parts = edits.sorted { $0.key < $1.key }.map { part, versions in
        KeyValue(
          "\(part)",
          PropertyListValue.array(
            versions.map { version in
              [
                "d": .real(version.at),
                "t": .data(Data(stream([(version.text, [.part(part)])]))),
              ]
            }))
      }
      members.append(KeyValue("ec", .dictionary(parts)))
    }
    if !unsent.isEmpty {
      members.append(KeyValue("rp", .array(unsent.map { .integer(Int64($0)) })))
    }
    if strange {
      members.append(
        KeyValue(
          "ec", ["0": "text", "1": ["text", 5, ["d": "x"]], "2": ["d": 1], "3": .data(Data())]))
    }
    members.append(KeyValue("ust", .bool(true)))
    return SampleDatabase.hex(BinaryPropertyListWriter().data(for: .dictionary(members)))
  }

  /// The keyed archive of a preview of a link, in hexadecimal for a statement.
  package static func preview(_ url: String, title: String) -> String {
    let archive = KeyedArchiveBuilder.archive { archive in
      let link = archive.instance(
        of: "LPLinkMetadata",
        ["URL": archive.url(url), "title": archive.string(title), "siteName": archive.string("S")])
      return archive.instance(
        of: "RichLink", ["richLinkMetadata": link, "richLinkIsPlaceholder": false])
    }
    return SampleDatabase.hex(archive.binary())
  }
}
