import ArchiveWriter
import Foundation
import Importer
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

  @Test("is the same as one that a single thread compares", arguments: Way.allCases)
  func untouched(way: Way) throws {
    let subject = try Subject(way)
    let alone = try subject.verify(jobs: 1)
    #expect(alone.differences == [])
    #expect(alone.notCompared == [])
    #expect(alone.valuesCompared == 2 * Self.rowCount + 1)
    for jobs in [2, 3, 8] { #expect(try subject.verify(jobs: jobs) == alone) }
  }

  /// Changes at both ends of the table, and where its parts meet.
  static let changes = [
    "DELETE FROM Thing WHERE id IN (1, 4500, 9000)",
    "DELETE FROM Thing WHERE id BETWEEN 4490 AND 4510",
    "UPDATE Thing SET name = name || 'x' WHERE id IN (1, 2, 4499, 4500, 4501, 8999, 9000)",
    "UPDATE Thing SET box_id = NULL WHERE id % 1500 < 2",
    "UPDATE Thing SET things_position = 9001 - id WHERE id IN (4500, 4501)",
    "DELETE FROM Thing_labels WHERE Thing_id IN (4500, 4501)",
    "UPDATE Thing_labels SET Thing_id = Thing_id + 1 WHERE Thing_id IN (1, 4500, 9000)",
    "INSERT INTO Thing_labels (Thing_id, value) VALUES (1, 'x'), (4500, 'x'), (4501, 'x')",
    "INSERT INTO Thing (id, name) VALUES (9001, 'x')",
    // More than are listed.
    "UPDATE Thing SET name = upper(name)",
  ]

  @Test(
    "has the differences in the same order, and as many of them", arguments: Way.allCases, changes)
  func changed(way: Way, change: String) throws {
    let subject = try Subject(way)
    let editor = try StoreEditor(subject.store)
    try editor.run("PRAGMA foreign_keys = OFF; \(change)")
    editor.close()
    let alone = try subject.verify(jobs: 1)
    #expect(alone.differenceCount > 0)
    for jobs in [2, 8] { #expect(try subject.verify(jobs: jobs) == alone) }
  }

  /// A store of one box with things in it, each with its name and a label.
  private struct Subject {
    private let folder: TemporaryFolder
    private let input: String
    var store: String { folder.file(named: "out.db") }

    init(_ way: Way) throws {
      folder = try TemporaryFolder()
      let things = (1...TablePartTests.rowCount).map { ("thing \($0)", ["label \($0 % 7)"]) }
      input = try folder.write(BoxArchive.box(things).binary(), to: "box.plist")
      var options = ConversionOptions()
      if way == .mapped {
        options.mappingPath = try folder.write(
          "entities: {Thing: {attributes: {name: {expression: \"name + ''\"}}}}", to: "m.yaml")
      }
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      _ = try conversion.run()
    }

    func verify(jobs: Int) throws -> VerificationResult {
      var options = ConversionOptions()
      options.jobs = jobs
      var verifier = StoreVerifier(store: store, inputs: [input], options: options)
      return try #require(try verifier.run().verification)
    }
  }
}
