import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Stores
import Synchronization

/// A Core Data store of the SQLite kind, as a source of objects.
///
/// Each row of a table of entities is an object. Nothing in the folder of the store is made,
/// changed or removed: see `StoreSnapshot`. Memory does not grow with the values of the store: 10
/// bytes a row at most tell which objects there are, and none where keys have no gaps and a table
/// has one entity.
package final class SQLiteStoreSource: CoreDataSource {
  package let modelSource: ModelSource
  package let metadata: CoreDataMetadata
  package let leftOut: [StoreRemainder]
  package let unreadKeys: [UnreadKey: Int]
  /// The notes for users of the store, which can be read all the same.
  package let notes: [StoreNote]
  package let byteCount: Int
  package let valueCount: Int
  /// True if values that cannot be read are nil; otherwise they are errors.
  package let salvages: Bool
  let rows: StoreRows
  /// The losses, once they are known.
  private let lost = Mutex(LossList())

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - model: The model that it was written by; nil for the one that it carries.
  ///   - versions: The versions to look for its model in if it carries none; nil for none.
  ///   - limits: The limits for reading the archive of its model.
  ///   - salvages: True if references to nothing, missing files and unreadable values become nil,
  ///     and are listed among the losses. Otherwise they are errors.
  ///   - isTemporary: Whether the store is one between the steps of a migration: numbers and dates
  ///     that a column of Core Data does not keep are blobs with their text.
  /// - Throws: `ModelError` if it is no store, if there is no model for it, or if a table or column
  ///   of the model is not there or damaged.
  /// - Complexity: Linear in the size of the tables; where it salvages, all values are read.
  package init(
    path: String, model: ModelSource? = nil, versions: ModelVersions? = nil,
    limits: ReadingLimits = .standard, salvages: Bool = false, isTemporary: Bool = false
  ) throws(ModelError) {
    let losses: LossList
    var opened: StoreSnapshot?
    do throws(ModelError) {
      let snapshot = try StoreSnapshot(path, toleratesDamage: salvages)
      opened = snapshot
      var opening = try StoreOpening(snapshot, toleratesDamage: salvages)
      metadata = opening.metadata
      modelSource = try opening.model(given: model, versions, limits)
      var layout = try opening.layout(modelSource.model)
      let index = try ObjectIndex(layout, opening.reader, salvages: salvages) { [opening] in
        opening.maxKey(of: $0, layout)
      }
      try opening.countUnreadValues(layout, index, salvages: salvages)
      try opening.readLinks(&layout, index, salvages: salvages)
      try opening.readRemainder(layout, index, salvages: salvages)
      let externalData = ExternalDataFolder(ofStore: snapshot.realPath)
      try opening.countUnreadFiles(in: externalData, layout, salvages: salvages)
      losses = opening.losses
      rows = try StoreRows(
        snapshot: snapshot, layout: layout, index: index, externalData: externalData,
        isTemporary: isTemporary)
      (notes, leftOut) = (opening.notes, opening.leftOut)
      unreadKeys = opening.unreadKeys
      let (bytes, overflow) = snapshot.byteCount.addingReportingOverflow(externalData.byteCount)
      byteCount = overflow ? .max : bytes
      valueCount = rows.valueCount + opening.linkCount
      self.salvages = salvages
    } catch {
      // What a program writes meanwhile is no damage.
      throw opened?.change ?? error.placed(in: path)
    }
    guard salvages else { return }
    let graph = SQLiteStoreGraph(rows, of: self, salvages: false)
    let found = SQLiteStoreGraph.LossWalk(graph, known: losses).losses()
    lost.withLock { $0 = found }
  }
}

extension SQLiteStoreSource: GraphSource {
  package var format: SourceFormat { .sqliteStore }
  package var archiver: String { "Core Data" }
  /// The version of the framework that wrote the store; 0 where it does not say.
  package var version: Int64 { metadata.frameworkVersion ?? 0 }
  package var residentBytes: Int { rows.index.byteCount }
  package var objectCount: Int { rows.index.count }
  package var roots: [GraphRoot] { [] }
  package var holdsEveryObject: Bool { true }
  package var keepsBytes: Bool { false }
  package var forbiddenCharacters: Int { 0 }
  package var losses: [ArchiveError] { lost.withLock { $0.losses } }
  package var lossCount: Int { lost.withLock { $0.count } }

  package func check() throws(ArchiveError) { try rows.snapshot.check() }

  package func explained(_ error: ArchiveError) -> ArchiveError {
    do throws(ArchiveError) {
      try rows.snapshot.check()
      return named(error)
    } catch {
      return error
    }
  }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    SQLiteStoreGraph(rows, of: self, salvages: salvages)
  }

  package func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    rows.storeKey(ofObject: uid)
  }

  package func makeKeyLookup() -> (_ entity: String, _ key: Int64) -> Int? { rows.makeLookup() }
}

/// Archives in the values of a store: in its rows, or in the files next to it.
extension SQLiteStoreSource: NestingSource {
  package func place(of bytes: BorrowedBytes) -> ByteRange? { nil }

  package func dataPositions(ofShape shape: Int) -> [Int]? {
    let properties = rows.layout.entities[shape].properties
    return properties.indices.filter { position in
      guard case .attribute(let type, _, _) = properties[position] else { return false }
      return type == .binary || type == .transformable
    }
  }

  /// A reader that copies the bytes of data values, each time from the store; large ones into a
  /// file without a name.
  package func makeDataReader() -> NestedDataReader {
    let graph = SQLiteStoreGraph(rows, of: self, salvages: salvages)
    return { data throws(ArchiveError) in
      guard let uid = data.uid else { throw ArchiveError(.noValue) }
      let object = try graph.object(uid)
      guard let position = graph.position(of: data.key, in: object),
        case .data(let bytes) = try graph.value(of: object, at: position)
      else { throw ArchiveError(.noValue) }
      return try ByteStorage(copying: bytes)
    }
  }
}
