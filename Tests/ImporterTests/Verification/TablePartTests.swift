import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("A table that several threads compare in parts")
struct TablePartTests {
  /// Enough rows for two parts at least, with three threads and more.
  private static let rowCount = 9_000

  /// What the rows are made by.
  enum Way: String, CaseIterable {
    /// Straight from the archive.
    case plain
    /// By an entity mapping, which counts for both sides of the relationship.
    case mapped
  }

  /// Changes at both ends of the table, and where its parts meet.
  static let changes = [
    "DELETE FROM Thing WHERE id IN (1, 4500, 9000) OR id BETWEEN 4490 AND 4510",
    "UPDATE Thing SET name = name || 'x' WHERE id IN (1, 2, 4499, 4500, 4501, 8999, 9000)",
    """
    UPDATE Thing SET box_id = NULL WHERE id % 1500 < 2;
    UPDATE Thing SET things_position = 9001 - id WHERE id IN (4500, 4501)
    """,
    "UPDATE Thing_labels SET Thing_id = Thing_id + 1 WHERE Thing_id IN (1, 4500, 9000)",
    """
    DELETE FROM Thing_labels WHERE Thing_id IN (4499, 4502);
    INSERT INTO Thing_labels (Thing_id, value) VALUES (1, 'x'), (4500, 'x'), (4501, 'x');
    INSERT INTO Thing (id, name) VALUES (9001, 'x')
    """,
    // More than are listed.
    "UPDATE Thing SET name = upper(name)",
  ]

  @Test("is told the same of as one that a single thread compares", arguments: Way.allCases)
  func differences(way: Way) throws {
    let subject = try Subject(way)
    let untouched = try subject.verify(subject.store, jobs: 1)
    #expect(untouched.differences == [])
    #expect(untouched.notCompared == [])
    #expect(untouched.valuesCompared > 2 * Self.rowCount)
    for jobs in Thoroughness.some([3, 2], oneIn: 2) {
      #expect(try subject.verify(subject.store, jobs: jobs) == untouched)
    }
    // Each change is tried in one way at least.
    let first = Way.allCases.firstIndex(of: way) ?? 0
    for change in Thoroughness.some(Self.changes, oneIn: 2, from: first) {
      let copy = try subject.copy(with: change)
      let alone = try subject.verify(copy, jobs: 1)
      #expect(alone.differenceCount > 0, "\(change)")
      // The order is the same, and so is what is left out of the list.
      #expect(try subject.verify(copy, jobs: 3) == alone, "\(change)")
    }
  }

  /// A store of one box with things in it, each with its name and a label.
  private struct Subject {
    private let folder: TemporaryFolder
    private let input: String
    var store: String { folder.file(named: "out.db") }

    init(_ way: Way) throws {
      folder = try TemporaryFolder()
      let things = (1...TablePartTests.rowCount).map {
        (name: "thing \($0)", labels: ["label \($0 % 7)"])
      }
      input = try folder.write(BoxArchive.box("box", things).binary(), to: "box.plist")
      var options = ConversionOptions()
      if way == .mapped {
        options.mappingPath = try folder.write(
          "entities: {Thing: {attributes: {name: {expression: \"name + ''\"}}}}", to: "m.yaml")
      }
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      _ = try conversion.run()
    }

    /// A copy of the store, changed by statements.
    func copy(with change: String) throws -> String {
      try StoreEditor.copy(
        of: store, in: folder, changedBy: "PRAGMA foreign_keys = OFF; \(change)")
    }

    func verify(_ path: String, jobs: Int) throws -> VerificationResult {
      var options = ConversionOptions()
      options.jobs = jobs
      var verifier = StoreVerifier(store: path, inputs: [input], options: options)
      return try #require(try verifier.run().verification)
    }
  }
}
