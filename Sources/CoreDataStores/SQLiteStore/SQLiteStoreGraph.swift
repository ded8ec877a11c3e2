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

/// To-many relationships, as collections whose elements are looked up when they are asked for.
extension SQLiteStoreGraph {
  /// The collection that a to-many relationship of an object is.
  func collection(_ links: Int, _ place: Int, of uid: Int) -> GraphValue {
    // The source has checked that there are indices for all.
    .collection(.inline(uid * linkStride + place), layout.links[links].kind)
  }

  /// A to-many relationship of an object: the index of its links, and the object's key.
  private func owner(
    of collection: Int
  ) throws(ArchiveError) -> (links: Int, key: Int64) {
    guard collection >= 0,
      let (table, rank) = store.index.location(of: collection / linkStride)
    else { throw ArchiveError(.badCollection, name: "there is no such relationship") }
    let place = collection % linkStride
    // Relationships come after the attributes, and there are few.
    for case .links(let links, place) in properties[tables[table].entity(rank)].reversed() {
      return (links, tables[table].key(rank))
    }
    throw ArchiveError(.badCollection, name: "there is no such relationship")
  }

  /// The position in errors of a to-many relationship.
  private func place(ofCollection collection: Int) -> ArchiveError.Position {
    let uid = collection / linkStride
    let shape = store.index.location(of: uid).map { tables[$0.table].entity($0.rank) } ?? 0
    let place = collection % linkStride
    let name = zip(layout.entities[shape].keys, properties[shape]).first {
      if case .links(_, place) = $0.1 { true } else { false }
    }?.0
    return store.position(of: uid, name)
  }

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    guard case .inline(let index) = collection else {
      throw ArchiveError(.badCollection, name: "there is no such relationship")
    }
    let (links, key) = try owner(of: index)
    guard layout.links[links].kind == kind else {
      throw ArchiveError(.badCollection, name: "it is of another kind")
    }
    let location = GraphElements.Location(start: index, form: links)
    do throws(ArchiveError) {
      let count = try reader(ofLinks: links).count(of: key)
      return GraphElements(kind: kind, count: count, keys: location, values: location)
    } catch {
      guard salvages else { throw error.placed(at: place(ofCollection: index)) }
      return GraphElements(kind: kind, count: 0, keys: location, values: location)
    }
  }

  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    let (links, key) = try owner(of: elements.values.start)
    do throws(ArchiveError) {
      guard let member = try reader(ofLinks: links).member(position, of: key) else {
        throw ArchiveError(.badCollection, name: "it has no element \(position)")
      }
      return try referred(toKey: member, layout.links[links].target)
    } catch {
      guard salvages else { throw error.placed(at: place(ofCollection: elements.values.start)) }
      return .null
    }
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    throw ArchiveError(.badCollection, name: "its elements have no keys")
  }
}

extension SQLiteStoreGraph {
  /// Reads everything in a store, and lists what cannot be read.
  final class LossWalk {
    private let graph: SQLiteStoreGraph
    private var found: LossList

    /// Prepares to read a store.
    ///
    /// - Parameters:
    ///   - graph: The objects of the store; what cannot be read is an error.
    ///   - known: The losses that are known.
    init(_ graph: SQLiteStoreGraph, known: LossList) { (self.graph, found) = (graph, known) }

    /// The known losses, and those in the objects, in their order.
    ///
    /// - Complexity: Linear in the values and links of the store.
    func losses() -> LossList {
      for uid in 0..<graph.store.index.count { visit(uid) }
      return found
    }

    private func visit(_ uid: Int) {
      guard let object = attempt({ () throws(ArchiveError) in try graph.object(uid) }) else {
        return
      }
      guard attempt({ () throws(ArchiveError) in try graph.loadRow(of: object) }) != nil else {
        return
      }
      for position in 0..<object.keyCount {
        let value = attempt { () throws(ArchiveError) in try graph.value(of: object, at: position) }
        guard case .collection(let id, let kind)? = value else { continue }
        let elements = attempt { () throws(ArchiveError) in try graph.elements(of: id, kind) }
        guard let elements else { continue }
        for place in 0..<elements.count {
          _ = attempt { () throws(ArchiveError) in try graph.value(of: elements, at: place) }
        }
      }
    }

    private func attempt<Result>(_ read: () throws(ArchiveError) -> Result) -> Result? {
      do throws(ArchiveError) {
        return try read()
      } catch {
        found.append(error)
        return nil
      }
    }
  }
}
