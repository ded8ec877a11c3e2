import Converter
import Foundation
import TestSupport
import Testing

@Suite("A store that may hold anything")
struct HostileStoreTests {
  private static let last = "9223372036854775807"

  /// Changes that put numbers into a store of which no others come behind.
  private static let numbers = [
    "UPDATE _archive SET id = \(last) WHERE id = 2",
    "UPDATE Note SET id = \(last) WHERE id = 1",
    "UPDATE List SET id = \(last) WHERE id = 1",
    "INSERT INTO _collection VALUES (\(last), 'array')",
    "UPDATE _run SET id = \(last)",
    "UPDATE _report SET run_id = \(last)",
    "UPDATE _rows SET first = -\(last), last = \(last)",
    "UPDATE _run SET first_archive = -\(last), last_archive = \(last)",
    "UPDATE _rows SET archive_id = \(last)",
    "UPDATE _top SET archive_id = \(last)",
    "UPDATE _run SET options = '{\"known\":[[-\(last),\(last)],[7]],\"completedPasses\":-\(last)}'",
  ]

  private func append(to subject: ChangedStore.Subject, _ store: String) -> [String] {
    var options = ConversionOptions()
    options.existingStore = .append
    var conversion = Conversion(
      inputs: ["\(Repository.samples)/QuickRecord.archive"], destination: store, options: options)
    do throws(ConversionError) {
      _ = try conversion.run()
      return []
    } catch {
      return error.messages.map { $0.replacing(subject.folder.path + "/", with: "") }
    }
  }

  @Test("is not added to where no ids are left")
  func largestID() throws {
    let subject = try ChangedStore.plain.subject()
    for (change, table) in zip(Self.numbers, ["_archive", "Note", "List", "_collection", "_run"]) {
      let copy = try subject.copy(change)
      // Of tables that the new rows do not go to, the ids do not matter.
      let expected =
        ["Note", "List"].contains(table)
        ? []
        : [
          "copy.db: cannot append: its table \(table) has no ids left: the last is "
            + "\(Self.last)"
        ]
      #expect(append(to: subject, copy) == expected)
    }
    #expect(
      append(to: subject, try subject.copy(Self.numbers[5])) == [
        "copy.db: cannot append: its table _report has a report of run \(Self.last), but no "
          + "other trace of that run"
      ])
  }

  @Test("is compared, whatever its numbers are", arguments: [ChangedStore.plain, .appended])
  func numbers(base: ChangedStore) throws {
    let subject = try base.subject()
    for change in Self.numbers {
      // A unique column takes a number once.
      guard let copy = try? subject.copy(change) else { continue }
      #expect(try !subject.verify(copy).isPassed, "\(change)")
    }
  }

  @Test("with many runs is compared in time that grows with their number alone")
  func manyRuns() throws {
    let subject = try ChangedStore.plain.subject()
    let copy = try subject.copy(
      """
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO _run SELECT i, mapping, model_digest, options, fingerprint, first_archive,
          last_archive FROM _run, n WHERE id = 1
      """)
    let result = try subject.verify(copy)
    #expect(result.differenceCount >= 19_998)
    #expect(result.differences.count == 1_000)
  }

  @Test("that has a trigger, or tables of another form, is not added to")
  func foreignSchema() throws {
    let subject = try ChangedStore.plain.subject()
    let trigger = "CREATE TRIGGER more AFTER INSERT ON _archive BEGIN DELETE FROM Note; END"
    #expect(
      append(to: subject, try subject.copy(trigger)) == [
        "copy.db: cannot append: its trigger more on _archive could change rows; drop it first"
      ])
    for clause in ["DEFAULT 7", "COLLATE NOCASE", "UNIQUE ON CONFLICT REPLACE", "CHECK (1)"] {
      let changed = try subject.copy(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'archiver TEXT', 'archiver TEXT \(clause)')
          WHERE name = '_archive';
        """)
      let messages = append(to: subject, changed)
      #expect(!messages.isEmpty, "\(clause)")
    }
  }

  @Test("that names a pipe as its model is not waited for")
  func pipe() throws {
    let subject = try ChangedStore.plain.subject()
    let pipe = subject.folder.file(named: "pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let copy = try subject.copy("UPDATE _run SET mapping = 'model: \(pipe)'")
    #expect(throws: ConversionError.self) { try subject.verify(copy) }
    #expect(throws: ModelError.self) { try Model(contentsOf: pipe) }
    #expect(throws: ConversionError.self) {
      var verifier = StoreVerifier(
        store: pipe, inputs: subject.inputs, options: ConversionOptions())
      _ = try verifier.run()
    }
    // SQLite would look into the journals of the store.
    for suffix in ["-journal", "-wal"] {
      let store = try subject.copy("")
      try #require(mkfifo(store + suffix, 0o600) == 0)
      #expect(throws: ConversionError.self) { try subject.verify(store) }
      unlink(store + suffix)
    }
  }
}
