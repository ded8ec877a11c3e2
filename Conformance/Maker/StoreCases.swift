import Foundation
import StoreFuzzing
import Stores

/// Stores of Core Data with the entities Note, its subentity Book, and Tag.
enum StoreCases {
  static func all() throws -> [Case] {
    try [
      store(
        "attributes", "An attribute of each type.",
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZBODY, ZCHANGED, ZEASE, ZID, ZISOPEN, ZLEVEL,
          ZLINK, ZTITLE) VALUES (1, 1, 1, 10.25, x'010203', 0.5, 2.5,
          x'000102030405060708090A0B0C0D0E0F', 1, -3, 'http://a/b', 'Grüße');
        """,
        Reading(
          ["Note": [.ref(1)]],
          note([
            ("amount", ["decimal": "10.25"]), ("body", .data([2, 3])), ("changed", .date(0.5)),
            ("ease", .real(2.5)), ("id", ["uuid": "00010203-0405-0607-0809-0A0B0C0D0E0F"]),
            ("isOpen", true), ("level", -3), ("link", ["url": "http://a/b"]), ("title", "Grüße"),
          ]))),
      store(
        "attributes-null", "Attributes without values.",
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (7, 1, 1);",
        Reading(["Note": [.ref(1)]], note([]))),
      store(
        "reals-as-integers", "SQLite keeps whole reals and dates as integers.",
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZCHANGED, ZEASE) VALUES (1, 1, 1, 7, 2);",
        Reading(["Note": [.ref(1)]], note([("changed", .date(7)), ("ease", .real(2))]))),
      store(
        "ordered", "A to-one relationship, and its ordered inverse: not in the order of the keys.",
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZLEVEL, ZPARENT, Z_FOK_PARENT) VALUES
          (1, 1, 1, 1, NULL, NULL), (2, 1, 1, 2, 1, 3072), (4, 1, 1, 4, 1, 2048);
        """,
        Reading(
          ["Note": [.ref(1), .ref(2), .ref(3)]],
          note([("level", 1), ("parts", [.ref(3), .ref(2)])]),
          note([("level", 2), ("parent", .ref(1))]), note([("level", 4), ("parent", .ref(1))]))),
      store(
        "many-to-many", "Notes and tags.",
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZLEVEL) VALUES (1, 1, 1, 1), (2, 1, 1, 2);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
        INSERT INTO Z_1TAGS SELECT 1, 1 UNION SELECT 1, 2 UNION SELECT 2, 2;
        """,
        Reading(
          ["Note": [.ref(1), .ref(2)], "Tag": [.ref(3), .ref(4)]],
          note([("level", 1), ("tags", .set(.ref(3), .ref(4)))]),
          note([("level", 2), ("tags", .set(.ref(4)))]),
          tag([("notes", .set(.ref(1)))]), tag([("notes", .set(.ref(1), .ref(2)))]))),
      store(
        "subentity", "An object of a subentity is in the table of its root.",
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPARENT, Z_FOK_PARENT) VALUES
          (1, 2, 1, 'Book', NULL, NULL), (2, 1, 1, 'Note', 1, 2048);
        """,
        Reading(
          ["Book": [.ref(1)], "Note": [.ref(2)]],
          note([("title", "Book"), ("parts", [.ref(2)])], entity: "Book"),
          note([("title", "Note"), ("parent", .ref(1))]))),
      atomic(),
      .bad("coredata/bad/empty.sqlite", "A file of no bytes.", []),
      .bad("coredata/bad/cut.sqlite", "A store that was cut short.", bytes("").prefix(3_000)),
      .bad(
        "coredata/bad/metadata.sqlite", "Metadata that is no property list.",
        bytes("UPDATE Z_METADATA SET Z_PLIST = x'00';")),
      .bad(
        "coredata/bad/entity.sqlite", "A row of an entity that does not exist.",
        bytes("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 99, 1);")),
    ]
  }

  /// An object of an entity; collections are empty if they are not named.
  static func note(_ values: [(String, JSON)], entity: String = "Note") -> (String, JSON) {
    (entity, object(values, collections: [("parts", []), ("tags", .set())]))
  }

  static func tag(_ values: [(String, JSON)]) -> (String, JSON) {
    let collections = ["notes", "wider", "narrower"].map { ($0, JSON.set()) }
    return ("Tag", object(values, collections: collections))
  }

  private static func object(_ values: [(String, JSON)], collections: [(String, JSON)]) -> JSON {
    let missing = collections.filter { name, _ in !values.contains { $0.0 == name } }
    return .object((values + missing).map { (key: $0.0, value: $0.1) })
  }

  private static func store(
    _ name: String, _ about: String, _ rows: String, _ reading: Reading
  ) throws -> Case {
    Case("coredata/\(name)", about, [("sqlite", try bytes(rows))], reading)
  }

  private static func bytes(_ rows: String) throws -> Data {
    let path = NSTemporaryDirectory() + "conformance-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try SampleStore.make(at: path)
    try Database(path: path).execute(
      """
      DELETE FROM ZNOTE; DELETE FROM ZTAG; DELETE FROM Z_1TAGS; DELETE FROM Z_3WIDER;
      DELETE FROM Z_3NARROWER; DROP TABLE ACHANGE; \(rows) VACUUM;
      """)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
