import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// The objects of an SQLite store, read through a connection of its own.
///
/// The classes are the entities, and a class has one shape: its attributes by name, then its
/// relationships by name, inherited ones included. Every object has all of them.
///
/// References and members are looked up among the keys of the store, never in its rows. Rows are
/// read in blocks where objects are asked for in the order of their indices.
final class SQLiteStoreGraph: ObjectGraph {
  let source: any GraphSource
  let store: StoreRows
  let layout: StoreLayout
  /// For each entity, where the values under its keys are.
  let properties: [[StoreLayout.Property]]
  let tables: [TableIndex]
  let salvages: Bool
  let classes: [ClassRecord]
  private(set) var metClasses: [ClassID] = []
  private var isMet: [Bool]
  private let pool = RowBlock.Pool()
  private var database: Database?
  private(set) var rows: [RowReader?]
  private var links: [LinkReader?]
  let linkStride: Int

  /// Creates a graph.
  ///
  /// - Parameters:
  ///   - store: The rows of the store.
  ///   - source: The store.
  ///   - salvages: True if values that cannot be read are nil.
  init(_ store: StoreRows, of source: any GraphSource, salvages: Bool) {
    (self.store, self.source) = (store, source)
    self.salvages = salvages
    layout = store.layout
    properties = store.layout.entities.map(\.properties)
    tables = store.index.tables
    classes = store.layout.entities.map(\.record)
    isMet = Array(repeating: false, count: classes.count)
    rows = Array(repeating: nil, count: layout.tables.count)
    links = Array(repeating: nil, count: layout.links.count)
    linkStride = max(1, layout.maxLinkCount)
  }

  func copy() -> any ObjectGraph { SQLiteStoreGraph(store, of: source, salvages: salvages) }

  var nonconformingClasses: Set<ClassID> { [] }
  func keys(ofShape shape: Int) -> [String] { layout.entities[shape].keys }

  // MARK: Objects

  func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
    // A store has no roots.
    throw ArchiveError(.danglingReference, name: root.key)
  }

  func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    .object(uid: uid, class: classID(try entity(of: uid)))
  }

  func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    let entity = try entity(of: uid)
    return GraphObject(
      uid: uid, class: classID(entity), shape: entity,
      keyCount: properties[entity].count, location: uid)
  }

  /// Reads the row of an object.
  ///
  /// - Throws: `ArchiveError` at the object if it cannot be read.
  func loadRow(of object: GraphObject) throws(ArchiveError) { _ = try row(of: object.uid) }

  private func entity(of uid: Int) throws(ArchiveError) -> Int {
    guard let (table, rank) = store.index.location(of: uid) else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    return tables[table].entity(rank)
  }

  /// The class that an entity is, which has been met from now on.
  func classID(_ entity: Int) -> ClassID {
    let id = ClassID(index: entity)
    if !isMet[entity] {
      isMet[entity] = true
      metClasses.append(id)
    }
    return id
  }

  // MARK: Reading the database

  /// The row of an object: see `RowReader`.
  ///
  /// - Throws: `ArchiveError` at the object if it cannot be read.
  func row(of uid: Int) throws(ArchiveError) -> StoredRow {
    guard let (table, rank) = store.index.location(of: uid) else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    do throws(ArchiveError) {
      if let reader = rows[table] { return try reader.row(rank) }
      let reader = RowReader(
        layout.tables[table], tables[table], try connection(), pool,
        maxRowSize: store.snapshot.byteCount)
      rows[table] = reader
      return try reader.row(rank)
    } catch {
      throw error.placed(at: store.position(of: uid))
    }
  }

  /// The reader of a to-many relationship.
  func reader(ofLinks index: Int) throws(ArchiveError) -> LinkReader {
    if let reader = links[index] { return reader }
    let target = layout.links[index].target
    let isKept = { [tables, layout] key in
      tables[target.table].rank(ofKey: key).map {
        layout.isKind(tables[target.table].entity($0), of: target.entity)
      } ?? false
    }
    let reader = LinkReader(
      layout.links[index], index: index, maxRows: store.snapshot.maxRows, try connection(),
      isKept: salvages ? isKept : nil)
    links[index] = reader
    return reader
  }

  private func connection() throws(ArchiveError) -> Database {
    if let database { return database }
    do throws(StoreError) {
      let opened = try store.snapshot.connect()
      opened.limitValues(to: RowReader.largestValue)
      database = opened
      return opened
    } catch {
      throw ArchiveError(.unreadable, name: error.reason)
    }
  }

  // MARK: What a store does not have

  func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? { nil }
  func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int { 0 }
  func urlText(_ uid: Int) -> String? { nil }
  /// None: each object belongs to the store by itself.
  func countUnreachedObjects() -> Int { 0 }

  func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    try value(of: object, at: position).archive
  }

  /// A graph goes on with its own store alone: others have other entities.
  func reset(to source: any GraphSource) -> Bool {
    guard source === self.source else { return false }
    metClasses = []
    isMet = Array(repeating: false, count: classes.count)
    return true
  }
}
