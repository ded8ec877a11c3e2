import ArchiveReader
import ArchiveWriter
import CoreDataStores
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("An SQLite database as a source")
struct DatabaseSourceTests {
  private static func source(
    _ sql: String = "", in folder: TemporaryFolder, salvages: Bool = false
  ) throws -> DatabaseSource {
    let path = folder.file(named: "messages.db")
    try SampleDatabase.make(at: path, sql)
    return try DatabaseSource(path: path, salvages: salvages)
  }

  /// The objects of a source with their values, a line for each.
  private static func transcript(_ source: any GraphSource) throws -> [String] {
    let graph = source.makeGraph(GraphOptions())
    var lines: [String] = []
    for uid in 0..<source.objectCount {
      guard case .object(uid, _)? = try? graph.value(ofObject: uid) else { continue }
      let object = try graph.object(uid)
      let pairs = try graph.keys(ofShape: object.shape).enumerated().compactMap {
        position, key -> String? in
        let words = try Self.words(try graph.value(of: object, at: position), graph)
        return key == "$class" || words == "nil" ? nil : "\(key)=\(words)"
      }
      lines.append("\(graph.classRecord(of: object).name) \(pairs.joined(separator: " "))")
    }
    return lines
  }

  private static func words(_ value: GraphValue, _ graph: any ObjectGraph) throws -> String {
    switch value {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .real(let value): return "\(value)"
    case .text(let text): return "'\(text.string)'"
    case .data(let bytes): return "\(bytes.count) bytes"
    case .url(let text): return "<\(text.string)>"
    case .object(let uid, _):
      let name = graph.classRecord(of: try graph.object(uid)).name
      // Objects of archives have numbers after those of rows.
      guard uid < graph.source.ownObjectCount else { return name }
      return "\(name)(\(graph.source.number(ofObject: uid)))"
    case .foundation(let uid, _): return try graph.foundationValue(uid)?.json ?? "none"
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      let parts = try (0..<elements.count).map { position in
        let value = try Self.words(try graph.value(of: elements, at: position), graph)
        guard kind.isKeyed else { return value }
        return "\(try Self.words(try graph.key(of: elements, at: position), graph)): \(value)"
      }
      return "[\(parts.joined(separator: ", "))]"
    default: return "another value"
    }
  }

  private static func attributed(_ text: String) -> String {
    #"{"class":"NSAttributedString","runs":[{"attributes":{"part":0},"length":\#(text.utf16.count),"#
      + #""location":0}],"text":"\#(text)"}"#
  }

  @Test("gives its rows, and in place of archives what they hold")
  func rows() throws {
    let folder = try TemporaryFolder()
    let source = try Self.source(in: folder)
    #expect(
      try Self.transcript(source) == [
        "alias chat_guid=chat(2) guid='club'",
        "alias chat_guid_dangling='c3' guid='gone'",
        "chat ROWID=2 guid='c2' properties=chat_properties",
        "handle ROWID=1 id='+1'",
        "handle ROWID=5 id='ann@example.org'",
        "message ROWID=1 text='one' handle=handle(5) body=\(Self.attributed("one"))",
        "message ROWID=4 handle_id_dangling=9 body=\(Self.attributed("four")) "
          + "info=message_info",
        "message ROWID=7 payload=RichLink",
        "message_chat message=message(1) chat=chat(2)",
        "message_chat message=message(4) chat=chat(2)",
        "message_chat message=message(7) chat=chat(2)",
        "setting key='a' value=1.5 _rowid_=1 bytes",
        "setting key='b' value=setting_value",
        "chat_properties count=3 name='club'",
        "message_info edits=['0': [['t': \(Self.attributed("fuor"))], "
          + "['t': \(Self.attributed("four"))]]] sent=true",
        "RichLink URL=<https://example.org/7> title='seven'",
        "setting_value first='one' second='two'",
      ])
    #expect(source.losses.isEmpty)
    #expect(try folder.names() == ["messages.db"])
  }

  @Test("keeps the laws of graphs")
  func laws() throws {
    let folder = try TemporaryFolder()
    #expect(checkGraph(try Self.source(Self.damage, in: folder)).isEmpty)
  }

  private static let damage =
    "UPDATE message SET body = \(SampleDatabase.hex(SampleDatabase.body("one").dropLast(20))) "
    + "WHERE ROWID = 1;"

  @Test("keeps the data of a damaged archive beside the others, and lists it")
  func damagedArchive() throws {
    let folder = try TemporaryFolder()
    let source = try Self.source(Self.damage, in: folder)
    let rows = try Self.transcript(source).filter { $0.hasPrefix("message ROWID=1") }
    let size = SampleDatabase.body("one").count - 20
    #expect(rows == ["message ROWID=1 text='one' handle=handle(5) body_damaged=\(size) bytes"])
    #expect(source.losses.map(\.code) == [.damagedValue])
    #expect(source.losses.first?.position == .record("message 1", property: "body"))
  }

  @Test(
    "is read as it stands",
    arguments: [
      // Statements that would run for ever, or call functions that are not there.
      "CREATE VIEW w AS WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i FROM n) SELECT * FROM n;",
      "CREATE TRIGGER t AFTER INSERT ON message BEGIN SELECT missing_function(1); END;",
      // Values of other kinds than their columns say.
      "CREATE TABLE mixed (a INTEGER, b TEXT, c BLOB, d); "
        + "INSERT INTO mixed VALUES ('x', x'00ff', 'bplist00', 1e999), (x'62706c697374303000', 2, 3.5, NULL);",
      "CREATE TABLE \"a \"\"b\" (\"c-d\", \"select\"); INSERT INTO \"a \"\"b\" VALUES (1, 2);",
      "CREATE TABLE self (id INTEGER PRIMARY KEY, parent REFERENCES self); "
        + "INSERT INTO self VALUES (1, 1), (2, '1'), (3, 1.0), (-4, 2);",
      "CREATE TABLE link (a_id INTEGER REFERENCES missing, b_id INTEGER REFERENCES message (text)); "
        + "INSERT INTO link VALUES (1, 2);",
      "CREATE TABLE generated (a, b AS (a * 2)); INSERT INTO generated (a) VALUES (4);",
      "PRAGMA encoding = 'UTF-16';",
    ])
  func forms(sql: String) throws {
    let folder = try TemporaryFolder()
    let source = try Self.source(sql, in: folder)
    #expect(checkGraph(source).isEmpty)
    #expect(try Self.transcript(source).contains("handle ROWID=1 id='+1'"))
  }

  @Test("finds property lists in text, and leaves other XML as it is")
  func texts() throws {
    let folder = try TemporaryFolder()
    let list = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key>"
    let source = try Self.source(
      """
      CREATE TABLE texts (a);
      INSERT INTO texts VALUES ('\(list)<integer>5</integer></dict></plist>'), ('\(list)'),
        ('<?xml version="1.0"?><html/>'), ('<plist'), ('x');
      """, in: folder)
    #expect(
      try Self.transcript(source).filter { $0.hasPrefix("texts") } == [
        "texts a=texts_a", "texts a='\(list)'", "texts a='<?xml version=\"1.0\"?><html/>'",
        "texts a='<plist'", "texts a='x'", "texts_a a=5",
      ])
    #expect(source.losses.isEmpty)
    #expect(checkGraph(source).isEmpty)
  }

  @Test("finds archives in the data of archives, whatever these are")
  func dataOfArchives() throws {
    let folder = try TemporaryFolder()
    let link = SampleDatabase.link("https://example.org/1")
    let outer = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Box", ["content": archive.data(link), "rest": .data(link.dropLast(9))])
    }
    let values = [
      Data(TypedstreamWriter.stream { $0.group("@") { $0.data([UInt8](link)) } }), outer.binary(),
      try outer.xml(),
    ]
    let rows = values.map { "(\(SampleDatabase.hex($0)))" }.joined(separator: ", ")
    let source = try Self.source(
      "CREATE TABLE boxes (a); INSERT INTO boxes VALUES \(rows);", in: folder)
    let size = link.count - 9
    let found = try Self.transcript(source).filter {
      $0.hasPrefix("boxes") || $0.hasPrefix("Box") || $0.contains("org/1")
    }
    #expect(
      found == [
        "boxes a=RichLink", "boxes a=Box", "boxes a=Box",
        "RichLink URL=<https://example.org/1> title='seven'",
        "Box content=RichLink rest=\(size) bytes",
        "RichLink URL=<https://example.org/1> title='seven'",
        "Box content=RichLink rest=\(size) bytes",
        "RichLink URL=<https://example.org/1> title='seven'",
      ])
    // What is damaged inside of an archive stays data in its place.
    #expect(source.losses.map(\.code) == [.damagedValue, .damagedValue])
    #expect(checkGraph(source).isEmpty)
  }

  @Test("takes a property list with a key twice for damaged: a row has one value in a column")
  func repeatedKey() throws {
    let folder = try TemporaryFolder()
    let list = BinaryPropertyListWriter().data(
      for: .dictionary([KeyValue("a", 1), KeyValue("b", 2), KeyValue("a", 3)]))
    let source = try Self.source(
      "CREATE TABLE lists (a); INSERT INTO lists VALUES (\(SampleDatabase.hex(list)));", in: folder)
    #expect(source.losses.map(\.code) == [.damagedValue])
    #expect(try Self.transcript(source).contains("lists a_damaged=\(list.count) bytes"))
    #expect(checkGraph(source).isEmpty)
  }

  @Test("tells the objects of a class from the rows of a table of its name")
  func classNamedAsTable() throws {
    let folder = try TemporaryFolder()
    let source = try Self.source(
      "CREATE TABLE RichLink (a); INSERT INTO RichLink VALUES (5);", in: folder)
    let found = try Self.transcript(source)
    #expect(found.contains("RichLink a=5"))
    #expect(found.contains("RichLink_archived URL=<https://example.org/7> title='seven'"))
    #expect(checkGraph(source).isEmpty)
  }

  @Test("with a damaged page is read as far as it goes, and what is lost is listed")
  func damagedPage() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "messages.db")
    try SampleDatabase.make(
      at: path, "INSERT INTO handle VALUES (9, '\(String(repeating: "x", count: 100_000))');")
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    // A page of the text, which begins with the number of the next one.
    let page = try #require(
      stride(from: 0, to: bytes.count, by: 4_096).first { start in
        bytes[start + 4..<start + 4_096].allSatisfy { $0 == UInt8(ascii: "x") }
      })
    bytes.replaceSubrange(page..<page + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
    try folder.write(bytes, to: "damaged.db")
    let damaged = folder.file(named: "damaged.db")
    #expect(throws: ArchiveError.self) {
      try Self.transcript(try DatabaseSource(path: damaged))
    }
    let source = try DatabaseSource(path: damaged, salvages: true)
    #expect(source.losses.map(\.position) == [.record("handle 9", property: nil)])
    let whole = try Self.transcript(try DatabaseSource(path: path))
    let rows = try Self.transcript(source)
    #expect(Set(whole).subtracting(rows).count == 1 && rows.contains("handle "))
  }

  @Test("that ends too early is read as far as it goes", arguments: [0.3, 0.5, 0.7, 0.9])
  func cut(share: Double) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "messages.db")
    try SampleDatabase.make(at: path)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    try folder.write(bytes.prefix(Int(Double(bytes.count) * share)), to: "cut.db")
    let cut = folder.file(named: "cut.db")
    #expect(throws: (any Error).self) { try Self.transcript(try DatabaseSource(path: cut)) }
    let source = try DatabaseSource(path: cut, salvages: true)
    #expect(!source.losses.isEmpty)
    let whole = Set(try Self.transcript(try DatabaseSource(path: path)))
    let rows = try Self.transcript(source)
    #expect(!rows.isEmpty && rows.count < whole.count)
    #expect(checkGraph(source).isEmpty)
  }

  @Test("of which nothing is left is told to be damaged", arguments: [50, 100, 600])
  func stump(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "messages.db")
    try SampleDatabase.make(at: path)
    try folder.write(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(count), to: "cut.db")
    let source = try DatabaseSource(path: folder.file(named: "cut.db"), salvages: true)
    #expect(source.losses.count == 1 && source.objectCount == 0)
  }

  @Test("is read or refused, whatever bytes are changed")
  func mutations() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "messages.db")
    try SampleDatabase.make(at: path)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    for seed in 0..<UInt64(MutationCount.perFile(usual: 400)) {
      var generator = SeededGenerator(seed: seed)
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: 0..<changed.count, using: &generator)] =
          .random(in: 0...255, using: &generator)
      }
      try folder.write(changed, to: "changed.db")
      for salvages in [false, true] {
        guard
          let source = try? DatabaseSource(
            path: folder.file(named: "changed.db"), salvages: salvages)
        else { continue }
        let faults = checkGraph(source)
        #expect(faults.isEmpty, "seed \(seed): \(faults)")
      }
    }
  }
}
