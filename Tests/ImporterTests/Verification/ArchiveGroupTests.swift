import Converter
import Foundation
import TestSupport
import Testing

@Suite("A directory that several threads compare in groups of archives")
struct ArchiveGroupTests {
  /// How the archives become rows.
  enum Way: String, CaseIterable {
    /// Straight from the archives.
    case plain
    /// By an entity mapping.
    case mapped
  }

  /// Changes in the rows of some archives, and in what the store says of them.
  static let changes = [
    "UPDATE Note SET title = title || 'x' WHERE id % 50 = 0",
    "DELETE FROM Note WHERE id IN (1, 2, 100, 101, 150)",
    "UPDATE Note SET folder_id = folder_id + 1 WHERE id % 40 = 0",
    // The rows of later archives seem to begin elsewhere.
    "UPDATE _rows SET \"last\" = \"last\" + 5 WHERE archive_id = 20",
    "UPDATE _rows SET \"last\" = \"last\" + 1000000 WHERE archive_id = 29",
    "DELETE FROM _rows WHERE archive_id BETWEEN 10 AND 40",
    "DELETE FROM _rows",
    "DELETE FROM _top WHERE archive_id IN (1, 15, 30, 60)",
    "DELETE FROM _archive WHERE id IN (16, 31)",
    "UPDATE _archive SET sha256 = 'x', bytes = 1 WHERE id = 45",
    """
    INSERT INTO _archive SELECT 1000, path, 'x', bytes, format, archiver, version, converted, NULL,
      NULL, NULL FROM _archive WHERE id = 1;
    INSERT INTO _top (archive_id, "key") VALUES (1000, 'x'), (0, 'y'), (-1, 'z');
    """,
    "ALTER TABLE _top DROP COLUMN value; ALTER TABLE Note DROP COLUMN rank",
    "ALTER TABLE _archive DROP COLUMN version",
    "DROP TABLE _objects",
    // More than are listed.
    "UPDATE _objects SET uid = uid + 1",
    "UPDATE _objects SET key_path = key_path || 'x' WHERE archive_id = 20",
    "UPDATE _objects SET offset = offset + 1",
  ]

  @Test("is told the same of as one that a single thread compares", arguments: Way.allCases)
  func differences(way: Way) throws {
    let subject = try Subject(way)
    let untouched = try subject.verify(subject.store, jobs: 1)
    #expect(untouched.differences == [])
    #expect(untouched.notCompared == [])
    for jobs in [2, 3] { #expect(try subject.verify(subject.store, jobs: jobs) == untouched) }
    // Each change is tried in one way at least.
    let first = Way.allCases.firstIndex(of: way) ?? 0
    for change in Thoroughness.some(Self.changes, oneIn: 2, from: first) {
      let copy = try subject.copy(with: change)
      let alone = try subject.verify(copy, jobs: 1)
      #expect(alone.differenceCount > 0, "\(change)")
      for jobs in Thoroughness.some([3, 2], oneIn: 2) {
        #expect(try subject.verify(copy, jobs: jobs) == alone, "\(change)")
      }
    }
  }

  @Test("is told the same of where archives are gone", arguments: Way.allCases)
  func missingArchives(way: Way) throws {
    let subject = try Subject(way)
    let gone = [101, 117, 118, 119, 140, 159]
    let alone = try subject.verify(subject.store, jobs: 1, without: gone)
    #expect(!alone.notCompared.isEmpty || !alone.isPassed)
    for jobs in [2, 3] {
      #expect(try subject.verify(subject.store, jobs: jobs, without: gone) == alone)
    }
  }

  /// A store of sixty archives, with the archives inside of some of them.
  private struct Subject {
    private let folder: TemporaryFolder
    var store: String { folder.file(named: "out.db") }

    init(_ way: Way) throws {
      folder = try SmallArchives.folder(withLarge: false)
      var options = SmallArchives.options(jobs: 2)
      if way == .mapped {
        options.mappingPath = try folder.write(
          "entities: {Note: {attributes: {title: {expression: \"title + ''\"}}}}", to: "m.yaml")
      }
      var conversion = Conversion(
        inputs: [folder.file(named: "in")], destination: store, options: options)
      _ = try conversion.run()
    }

    /// A copy of the store, changed by statements.
    func copy(with change: String) throws -> String {
      try StoreEditor.copy(
        of: store, in: folder, changedBy: "PRAGMA foreign_keys = OFF; \(change)")
    }

    func verify(_ path: String, jobs: Int, without gone: [Int] = []) throws -> VerificationResult {
      let folder = folder.file(named: "in")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let inputs = names.filter { name in !gone.contains { name == "\($0).plist" } }
        .map { "\(folder)/\($0)" }
      var options = ConversionOptions()
      options.jobs = jobs
      options.errorPolicy = .skip
      var verifier = StoreVerifier(store: path, inputs: inputs, options: options)
      return try #require(try verifier.run().verification)
    }
  }
}
