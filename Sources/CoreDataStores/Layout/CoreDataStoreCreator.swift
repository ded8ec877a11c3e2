import ArchiveReader
import DataModel
import Foundation
import Stores
import Support

/// Makes the tables of a Core Data store, and fills those that tell of its model.
package struct CoreDataStoreCreator {
  package let layout: CoreDataLayout
  package let source: ModelSource
  private let metadata: CoreDataMetadata?

  /// Prepares to make a store.
  ///
  /// - Parameters:
  ///   - layout: The tables of the model.
  ///   - source: The model, with its hashes and its compiled form where they are known.
  ///   - metadata: What the store says of itself; nil if it is to be told later.
  package init(layout: CoreDataLayout, source: ModelSource, metadata: CoreDataMetadata?) {
    self.layout = layout
    self.source = source
    self.metadata = metadata
  }

  /// Prepares to make a store with a name of its own.
  package init(layout: CoreDataLayout, source: ModelSource) {
    self.init(layout: layout, source: source, metadata: CoreDataMetadata(of: source))
  }

  /// Makes the store in an empty file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - indexed: Whether its tables get their indexes: these are built faster when all rows are
  ///     there.
  /// - Throws: `StoreError`.
  package func create(at path: String, indexed: Bool = true) throws(StoreError) {
    let database = try Database(path: path)
    // The settings of Core Data, which SQLite takes only as long as there is no table.
    try database.execute(
      """
      PRAGMA page_size = 4096;
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA encoding = 'UTF-8';
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      BEGIN;
      """)
    for statement in layout.creation(indexed: indexed) { try database.execute(statement) }
    try insertEntities(database)
    if let metadata { try metadata.insert(into: database) }
    try insertModel(database)
    try database.execute("COMMIT;")
  }

  /// Inserts the numbers of the entities.
  ///
  /// The greatest key of a table stands in the row of its root.
  private func insertEntities(_ database: Database) throws(StoreError) {
    let statement = try database.prepare("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)")
    for storage in layout.entities {
      _ = try statement.rows([
        .integer(Int64(storage.number)), .text(storage.entity.name),
        .integer(Int64(storage.parent)),
      ])
    }
  }

  private func insertModel(_ database: Database) throws(StoreError) {
    var content = StoredValue.null
    if let model = source.storedModel() {
      guard let bytes = Deflate.deflate(model) else {
        throw StoreError(
          .database, path: database.path, reason: "the model cannot be compressed: out of memory")
      }
      content = .blob(bytes)
    }
    _ = try database.rows("INSERT INTO Z_MODELCACHE VALUES (?)", [content])
  }
}
