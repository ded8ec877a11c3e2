internal import CSQLite
import DataModel
import Foundation
import GraphCore
import SQLite
import Support

/// The objects of an SQLite store, read through a connection of its own.
///
/// The classes are the entities, and a class has one shape: its attributes by name, then its
/// relationships by name, inherited ones included. Every object has all of them.
///
/// References and members are looked up among the keys of the store, never in its rows. Rows are read in
/// blocks where objects are asked for in the order of their numbers.
final class SQLiteStoreGraph: ObjectGraph {
  private let store: SQLiteStoreSource
  private let layout: StoreLayout
  /// For each entity, where the values under its keys are.
  private let properties: [[StoreLayout.Property]]
  private let tables: [TableIndex]
  private let salvages: Bool
  let classes: [ClassRecord]
  private(set) var metClasses: [ClassID] = []
  private var isMet: [Bool]
  private let pool = RowBlockPool()
  private var database: Database?
  private var rows: [RowReader?]
  private var links: [LinkReader?]
  private let linkStride: Int

  /// Creates a graph.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - salvages: Whether what cannot be read is nil.
  init(_ store: SQLiteStoreSource, salvages: Bool) {
    self.store = store
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

  var source: any GraphSource { store }
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

  private func classID(_ entity: Int) -> ClassID {
    let id = ClassID(index: entity)
    if !isMet[entity] {
      isMet[entity] = true
      metClasses.append(id)
    }
    return id
  }

  // MARK: Values

  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    let row: Row
    do throws(ArchiveError) {
      row = try self.row(of: object.uid)
    } catch {
      guard salvages else { throw error }
      for position in 0..<object.keyCount {
        values[position] = try value(of: object, at: position)
      }
      return
    }
    for position in 0..<object.keyCount {
      values[position] = try value(object, position, row)
    }
  }

  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
    if case .links(let links, let place) = properties[object.shape][position] {
      return collection(links, place, of: object.uid)
    }
    do throws(ArchiveError) {
      return try value(object, position, try row(of: object.uid))
    } catch {
      guard salvages else { throw error }
      return .null
    }
  }

  func reference(of object: GraphObject, at position: Int) -> Int? {
    guard case .reference = properties[object.shape][position],
      case .object(let uid, _)? = try? value(of: object, at: position)
    else { return nil }
    return uid
  }

  /// The cells of a row: see `RowReader`.
  private typealias Row = UnsafePointer<csq_cell>

  @inline(__always)
  private func value(
    _ object: GraphObject, _ position: Int, _ row: Row
  ) throws(ArchiveError) -> GraphValue {
    do throws(ArchiveError) {
      switch properties[object.shape][position] {
      case .attribute(let type, let column, let isExternal):
        let number = RowReader.headCount + column
        if isExternal, row[number].kind == csq_kind_blob {
          return try externalValue(number, object.uid, row[number].borrowed)
        }
        return try StoredValueDecoder.value(row[number], type)
      case .reference(let target, let column, let entityColumn):
        let cell = row[RowReader.headCount + column]
        guard cell.kind != csq_kind_null else { return .null }
        guard cell.kind == csq_kind_integer else {
          throw ArchiveError(.wrongKind, name: "a key of an object")
        }
        let number = entityColumn.map { row[RowReader.headCount + $0] }
        return try referred(
          toKey: cell.integer, target,
          number: number.flatMap { $0.kind == csq_kind_integer ? $0.integer : nil })
      case .links(let links, let place):
        return collection(links, place, of: object.uid)
      }
    } catch {
      guard salvages else {
        let key = layout.entities[object.shape].keys[position]
        throw error.placed(at: .object(object.uid, key: key))
      }
      return .null
    }
  }

  /// The object with a key among those that a relationship may lead to, and with the number of its
  /// entity, where the reference has that.
  private func referred(
    toKey key: Int64, _ target: StoreLayout.Target, number: Int64? = nil
  ) throws(ArchiveError) -> GraphValue {
    guard let rank = tables[target.table].rank(ofKey: key) else {
      throw ArchiveError(
        .danglingReference, name: "\(layout.entities[target.entity].record.name) \(key)")
    }
    let entity = tables[target.table].entity(rank)
    let expected = number ?? layout.entities[entity].number
    guard layout.isKind(entity, of: target.entity), expected == layout.entities[entity].number
    else {
      throw ArchiveError(
        .wrongKind, name: "an object of the entity \(layout.entities[target.entity].record.name)")
    }
    return .object(uid: tables[target.table].base + rank, class: classID(entity))
  }

  /// The data of an attribute whose data may be kept in a file.
  private func externalValue(
    _ column: Int, _ uid: Int, _ bytes: BorrowedBytes
  ) throws(ArchiveError) -> GraphValue {
    switch ExternalDataFolder.form(bytes.buffer) {
    case .inline(let range):
      return .data(BorrowedBytes(start: bytes.start + range.lowerBound, count: range.count))
    case .file(let name):
      guard let (table, _) = store.index.location(of: uid), let block = rows[table]?.block else {
        throw ArchiveError(.danglingReference, name: "\(uid)")
      }
      // The block of the row keeps the file as long as its own bytes.
      let slot = uid &* 4_096 &+ column
      if let known = block.files[slot] { return .data(BorrowedBytes(known.bytes)) }
      guard let file = try store.externalData.open(name) else { return .data(.none) }
      block.files[slot] = file
      return .data(BorrowedBytes(file.bytes))
    }
  }

  // MARK: Collections

  private func collection(_ links: Int, _ place: Int, of uid: Int) -> GraphValue {
    // The source has checked that there are numbers for all.
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
    // Relationships come behind the attributes, and there are few.
    for case .links(let links, place) in properties[tables[table].entity(rank)].reversed() {
      return (links, tables[table].key(rank))
    }
    throw ArchiveError(.badCollection, name: "there is no such relationship")
  }

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    guard case .inline(let number) = collection else {
      throw ArchiveError(.badCollection, name: "there is no such relationship")
    }
    let (links, key) = try owner(of: number)
    guard layout.links[links].kind == kind else {
      throw ArchiveError(.badCollection, name: "it is of another kind")
    }
    let location = GraphElements.Location(start: number, form: links)
    do throws(ArchiveError) {
      let count = try reader(ofLinks: links).count(of: key)
      return GraphElements(kind: kind, count: count, keys: location, values: location)
    } catch {
      guard salvages else { throw error }
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
      guard salvages else { throw error }
      return .null
    }
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    throw ArchiveError(.badCollection, name: "its elements have no keys")
  }

  // MARK: Reading the database

  private func row(of uid: Int) throws(ArchiveError) -> Row {
    guard let (table, rank) = store.index.location(of: uid) else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    do throws(ArchiveError) {
      if let reader = rows[table] { return try reader.row(rank) }
      let reader = RowReader(
        layout.tables[table], tables[table], try connection(), pool)
      rows[table] = reader
      return try reader.row(rank)
    } catch {
      throw error.placed(at: .object(uid, key: nil))
    }
  }

  private func reader(ofLinks index: Int) throws(ArchiveError) -> LinkReader {
    if let reader = links[index] { return reader }
    let definition = layout.links[index]
    let reader = LinkReader(
      definition, number: index, rowCount: store.linkCounts[definition.table] ?? 0,
      try connection())
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
    guard case .data(let bytes) = try value(of: object, at: position) else { return nil }
    return Data(bytes.buffer)
  }

  /// A graph goes on with its own store alone: others have other entities.
  func reset(to source: any GraphSource) -> Bool {
    guard source === store else { return false }
    metClasses = []
    isMet = Array(repeating: false, count: classes.count)
    return true
  }
}
