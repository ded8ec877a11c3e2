import Converter
import Foundation
import TestSupport
import Testing

@Suite("A verification finds, whatever made the store,")
struct ChangedStoreTests {
  /// Changes of what a store declares.
  private static let declarations = [
    "CREATE TRIGGER more AFTER INSERT ON Note BEGIN DELETE FROM List; END",
    "CREATE TABLE more (id INTEGER PRIMARY KEY)",
    "CREATE VIEW more AS SELECT * FROM Note",
    "CREATE INDEX more ON Note (title)",
    "CREATE UNIQUE INDEX more ON Note (id)",
    "DROP INDEX _collection_element_by_collection",
    "DROP TABLE _collection_element",
    "DROP TABLE _report",
    "ALTER TABLE Note ADD COLUMN more TEXT",
    "PRAGMA user_version = 5",
    "PRAGMA application_id = -1",
    "ALTER TABLE Note RENAME COLUMN title TO name",
    "ALTER TABLE _archive DROP COLUMN version",
    schema("replace(sql, ' STRICT', '')", of: "Note"),
    schema("replace(sql, ' NOT NULL', '')", of: "_top"),
    schema("replace(sql, ' REFERENCES _archive(id)', '')", of: "_top"),
    schema("replace(sql, 'title TEXT', 'title ANY')", of: "Note"),
    schema("replace(sql, 'title TEXT', 'title TEXT DEFAULT ''x''')", of: "Note"),
    schema("replace(sql, 'title TEXT', 'title TEXT COLLATE NOCASE')", of: "Note"),
    schema("replace(sql, 'title TEXT', 'title TEXT CHECK (title <> ''x'')')", of: "Note"),
  ]

  /// Changes of what a store holds.
  private static let contents = [
    "UPDATE Note SET title = 'x' WHERE id = 2",
    "UPDATE Note SET title = CAST(x'C3A9' AS TEXT) WHERE id = 3",
    "UPDATE Note SET uid = NULL WHERE id = 4",
    "DELETE FROM Note WHERE id = 1",
    "INSERT INTO Note (id) VALUES (99)",
    "INSERT INTO Note (id) VALUES (-1)",
    "UPDATE List SET uid = 'x'",
    "DELETE FROM _archive WHERE id = 2",
    "UPDATE _archive SET bytes = bytes + 1",
    "UPDATE _archive SET sha256 = upper(sha256)",
    "UPDATE _archive SET format = 'xml'",
    "DELETE FROM _rows WHERE rowid = 1",
    "UPDATE _rows SET last = last + 1 WHERE rowid = 1",
    "INSERT INTO _rows (archive_id, entity, first, last) SELECT archive_id, entity, first, last FROM _rows",
    "UPDATE _top SET value = 5 WHERE key IN ('count', '$top')",
    "DELETE FROM _top WHERE key IN ('count', '$top')",
    "UPDATE _class SET hierarchy = 'x' WHERE name = 'Note'",
    "DELETE FROM _class",
    "INSERT INTO _collection VALUES (7, 'array')",
    "INSERT INTO _collection_element (collection_id, position) VALUES (1, 0)",
    "UPDATE _run SET fingerprint = 'x'",
    "UPDATE _run SET last_archive = last_archive + 1 WHERE id = 1",
    "UPDATE _run SET options = '{\"more\":1}'",
    "UPDATE _run SET id = id + 7",
    "INSERT INTO _run SELECT id + 9, mapping, model_digest, options, fingerprint, 8, 9 FROM _run",
    "UPDATE _report SET report = report || ' '",
    "UPDATE _report SET report_sha256 = NULL",
    "UPDATE _report SET report_sha256 = NULL, run_sha256 = NULL",
    "UPDATE _report SET run_sha256 = 'x'",
    "DELETE FROM _report",
    "INSERT INTO _report (run_id, report) VALUES (99, '{}')",
  ]

  /// Changes the statement that made a table, as SQLite keeps it.
  private static func schema(_ text: String, of table: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = \(text) WHERE name = '\(table)';
    PRAGMA schema_version = 7777;
    """
  }

  @Test("every change of what the store declares", arguments: ChangedStore.allCases)
  func declarations(of base: ChangedStore) throws { try check(Self.declarations, base) }

  @Test("every change of what the store holds", arguments: ChangedStore.allCases)
  func contents(of base: ChangedStore) throws { try check(Self.contents, base) }

  private func check(_ changes: [String], _ base: ChangedStore) throws {
    let subject = try base.subject()
    let untouched = try subject.verify(subject.store)
    #expect(untouched.differences == [])
    #expect(untouched.isComplete == (base != .hooked))
    #expect(untouched.valuesCompared > 0)
    // Each change is tried in one of the stores at least.
    let first = ChangedStore.allCases.firstIndex(of: base) ?? 0
    for change in Thoroughness.some(changes, oneIn: 3, from: first) {
      let result = try subject.verify(try subject.copy(change))
      #expect(!result.isPassed, "\(change)")
    }
  }

  @Test("links and positions that changed places", arguments: ChangedStore.allCases)
  func links(base: ChangedStore) throws {
    let subject = try base.subject()
    let store = try StoreQuery(subject.store)
    // The order of members is in a table of its own, or in that of the members.
    let table = try store.value(
      """
      SELECT t.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
        WHERE t.name NOT LIKE '\\_%' ESCAPE '\\' AND c.name LIKE '%position'
      """)
    let columns = try store.lines(
      "SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '%position' OR name LIKE '%_id'"
    )
    for column in columns {
      let changed = try subject.copy("UPDATE \(table) SET \(column) = 3 - \(column)")
      #expect(try !subject.verify(changed).isPassed, "\(table).\(column)")
    }
  }

  @Test("an index without its entries", arguments: ChangedStore.allCases)
  func emptiedIndex(base: ChangedStore) throws {
    let subject = try base.subject()
    let store = try StoreQuery(subject.store)
    let index = try #require(
      try store.rows(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND name LIKE 'List\\_%' ESCAPE '\\'"
      ).first)
    let page = try #require(UInt64(index[0]))
    let size = try #require(UInt64(try store.value("PRAGMA page_size")))
    let changed = try subject.copy("")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: changed))
    try file.seek(toOffset: (page - 1) * size)
    // A page of an index that has no entries: its content begins at its end.
    let end = [UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size)]
    try file.write(contentsOf: Data([10, 0, 0, 0, 0] + end + [0]))
    try file.close()
    let result = try subject.verify(changed)
    #expect(result.differences.map(\.entity).contains("integrity_check"))
  }

  @Test("references that lead nowhere, in what is not compared otherwise")
  func danglingReferences() throws {
    let subject = try ChangedStore.hooked.subject()
    let changed = try subject.copy("INSERT INTO _collection_element (collection_id) VALUES (77)")
    #expect(try !subject.verify(changed).isPassed)
  }

  @Test("what hooks made, but for what is different each time, which is listed")
  func hooks() throws {
    let subject = try ChangedStore.hooked.subject()
    let untouched = try subject.verify(subject.store)
    #expect(untouched.differences == [])
    #expect(
      untouched.notCompared.map { "\($0.entity).\($0.property): \($0.count), \($0.reason)" }
        == ["Note.stamp: 8, it differs each time the runs are repeated"])
    let changed = try subject.verify(
      try subject.copy("UPDATE Note SET title = 'x', stamp = 'y' WHERE id = 2"))
    #expect(
      changed.differences.map { "\($0.entity) \($0.row ?? 0) \($0.property) \($0.expected)" }
        == ["Note 2 title 'TITLE 1 OF 0'"])
    #expect(changed.differences.map(\.uid) != [nil])
    #expect(changed.differences.first?.archive == subject.inputs[0])
  }

  @Test("that it needs the hooks that made a store")
  func missingHooks() throws {
    let subject = try ChangedStore.hooked.subject()
    var verifier = StoreVerifier(
      store: subject.store, inputs: subject.inputs, options: ConversionOptions())
    do throws(ConversionError) {
      _ = try verifier.run()
      Issue.record("there is no error")
    } catch {
      #expect(
        error.messages == [
          "\(subject.store): its rows were made by hooks in Swift that this program does not have "
            + "(NoteHook): verify it with the converter that made it"
        ])
    }
  }

  @Test("nothing wrong in a run that compares what it has made with hooks, or added by identity")
  func runs() throws {
    for base in [ChangedStore.hooked, .appended] {
      let subject = try base.subject()
      var options = subject.options
      options.verifies = true
      options.existingStore = base == .hooked ? .replace : .append
      if base == .appended { options.mappingPath = subject.folder.file(named: "mapping.yaml") }
      // Another request: the archives are converted once more.
      options.limits[.depth] = 100
      var conversion = Conversion(
        inputs: subject.inputs, destination: subject.store, options: options)
      let result = try #require(try conversion.run().verification)
      #expect(result.differences == [])
      #expect(result.valuesCompared > 0)
    }
  }
}
