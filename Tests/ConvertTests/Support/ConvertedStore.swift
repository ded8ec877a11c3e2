import Foundation
import TestSupport
import Testing

/// The store that an archive became, and the folder that it is in.
struct ConvertedStore {
  let folder: TemporaryFolder
  let store: StoreQuery
  let result: Program.Result

  /// Converts a sample archive.
  init(sample: String, _ options: String...) throws {
    folder = try TemporaryFolder(samples: sample)
    result = try Program.run([sample, "-o", "out.db"] + options, in: folder.path)
    try #require(result.status == 0, "\(result)")
    store = try folder.store()
    try store.expectSound()
  }

  /// Converts an archive in memory, within limits.
  init(archive: Data, _ options: [String] = [], limits: [String] = []) throws {
    folder = try TemporaryFolder()
    try folder.write(archive, to: "archive")
    result = try Program.run(
      ["archive", "-o", "out.db"] + options, in: folder.path, limits: limits)
    try #require(result.status == 0, "\(result)")
    #expect(result.errors == "")
    store = try folder.store()
    try store.expectSound()
  }

  /// Expects the schema to be these statements among those that all stores have.
  func expectSchema(
    _ own: String, objects: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let schema = try store.schema()
    let expected =
      BookkeepingSchema.tables + objects + own + BookkeepingSchema.indexes
      + (objects.isEmpty ? "" : BookkeepingSchema.objectsIndex)
    #expect(schema == expected, sourceLocation: sourceLocation)
  }

  /// Expects the top-level key `root` to hold the rows of an entity, in order.
  func expectRoot(
    _ entity: String, count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.expect(
      "SELECT * FROM _top", ["1|1|root|NULL|_collection|1"], sourceLocation: sourceLocation)
    try store.expect("SELECT * FROM _collection", ["1|array"], sourceLocation: sourceLocation)
    try store.expect(
      "SELECT * FROM _collection_element",
      (0..<count).map { "\($0 + 1)|1|\($0)|NULL|NULL|NULL|NULL|\($0 + 1)|\(entity)" },
      sourceLocation: sourceLocation)
  }
}
