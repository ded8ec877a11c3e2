import ArchiveReader
import Foundation
import GraphCore

/// The rows of a database, and the objects of the archives in their values.
///
/// The classes are the tables, then the archives of columns that are objects of their own, then
/// those of the archives. Shapes after those of the tables are in turn of archives' objects and of
/// archives that are objects.
final class DatabaseGraph: ObjectGraph {
  private let database: DatabaseSource
  private let archives: CellArchives
  private let options: GraphOptions
  private let rows: SQLiteStoreGraph
  private let reader: CellReader
  /// The graph of the archive that was read last.
  private var inner: ArchiveGraph?
  private var current: Int?
  private var recordShapes: [[String]: Int] = [:]
  private var recordKeys: [[String]] = []
  /// The keys of the tables: their columns, then those of values beside them.
  private let rowKeys: [[String]]
  /// For each table and column, whether values may be archives.
  private let holdsArchives: [[Bool]]
  /// The names of tables, and of archives that are objects.
  private let tableNames: Set<String>
  private(set) var classes: [ClassRecord]
  private(set) var metClasses: [ClassID] = []
  private var isMet: [Bool] = []

  init(_ database: DatabaseSource, _ options: GraphOptions) {
    (self.database, self.options, archives) = (database, options, database.archives)
    classes = database.rows.layout.entities.map(\.record) + database.archives.records
    tableNames = Set(classes.map(\.name))
    rowKeys = database.rows.layout.entities.enumerated().map { table, entity in
      database.archives.keys(of: entity.keys, table: table)
    }
    holdsArchives = database.rows.layout.entities.enumerated().map { table, entity in
      database.archives.holdsArchives(table: table, columnCount: entity.keys.count)
    }
    rows = SQLiteStoreGraph(database.rows, of: database, salvages: database.salvages)
    reader = CellReader(
      rows, database.limits, database.positions, salvages: database.salvages)
  }

  private convenience init(copying other: DatabaseGraph) {
    self.init(other.database, other.options)
    inner = other.inner?.archiveCopy()
    (recordShapes, recordKeys) = (other.recordShapes, other.recordKeys)
    (classes, metClasses, isMet) = (other.classes, other.metClasses, other.isMet)
  }

  func copy() -> any ObjectGraph { DatabaseGraph(copying: self) }

  var source: any GraphSource { database }

  // MARK: Numbers

  private var rowCount: Int { database.rows.index.count }
  private var tableCount: Int { database.rows.layout.entities.count }

  /// The archive with an object, and the UID there; nil for a row.
  private func cell(of uid: Int) throws(ArchiveError) -> (index: Int, uid: Int)? {
    if uid >= 0, uid < rowCount { return nil }
    guard uid >= 0, let cell = archives.cell(ofObject: uid - rowCount) else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    return cell
  }

  /// The number that an object of an archive has here.
  private func number(of uid: Int, in cell: Int) -> Int {
    rowCount + Int(archives.cells[cell].base) + 1 + uid
  }

  /// The greatest number of a place in an archive: a value has less than 2 GiB.
  private static let placeBits = 36

  /// The number that a place in an archive has here.
  private func place(_ start: Int, in cell: Int) throws(ArchiveError) -> Int {
    guard start >= 0, start >> Self.placeBits == 0, cell < 1 << (62 - Self.placeBits) else {
      throw ArchiveError(.tooMany, name: "archives in values")
    }
    return cell << Self.placeBits | start
  }

  private func place(_ number: Int) throws(ArchiveError) -> (cell: Int, start: Int) {
    let cell = number >> Self.placeBits
    guard number >= 0, cell < archives.cells.count else {
      throw ArchiveError(.badCollection, name: "there is no such collection")
    }
    return (cell, number & (1 << Self.placeBits - 1))
  }

  // MARK: Names

  var nonconformingClasses: Set<ClassID> { nonconforming.union(currentNonconforming) }
  /// The classes of archives before the last one.
  private var nonconforming: Set<ClassID> = []
  private var currentNonconforming: Set<ClassID> {
    Set((inner?.nonconformingClasses ?? []).map { ClassID(index: firstInnerClass + $0.index) })
  }

  /// The number of the first class of the archives' objects.
  private var firstInnerClass: Int { tableCount + archives.records.count }

  private func meet(_ id: ClassID) -> ClassID {
    while isMet.count <= id.index { isMet.append(false) }
    if !isMet[id.index] {
      isMet[id.index] = true
      metClasses.append(id)
    }
    return id
  }

  /// A class of an archive, with a name that no table has: its objects are no rows of that table.
  private func named(_ record: ClassRecord) -> ClassRecord {
    var record = record
    while tableNames.contains(record.name) { record.name += "_archived" }
    return record
  }

  private func classID(_ id: ClassID) -> ClassID {
    if let inner, firstInnerClass + inner.classes.count > classes.count {
      classes += inner.classes[(classes.count - firstInnerClass)...].map(named)
    }
    return meet(ClassID(index: firstInnerClass + id.index))
  }

  private func recordClass(of cell: Int) -> ClassID {
    let column = CellArchives.Column(of: archives.cells[cell], database.rows)
    return meet(ClassID(index: tableCount + archives.recordClass(of: column)))
  }

  func keys(ofShape shape: Int) -> [String] {
    guard shape >= tableCount else { return rowKeys[shape] }
    let (number, isRecord) = (shape - tableCount).quotientAndRemainder(dividingBy: 2)
    return isRecord == 1 ? recordKeys[number] : inner?.keys(ofShape: number) ?? []
  }

  private func shape(ofRecord keys: [String]) -> Int {
    let number = recordShapes[keys] ?? recordKeys.count
    if number == recordKeys.count {
      recordShapes[keys] = number
      recordKeys.append(keys)
    }
    return tableCount + 2 * number + 1
  }

  // MARK: Archives

  /// The graph of an archive.
  private func graph(_ cell: Int) throws(ArchiveError) -> ArchiveGraph {
    if current == cell, let inner { return inner }
    let archive = try reader.archive(cell, archives)
    guard let inner else {
      var options = options
      (options.limits, options.isReused, options.countsUnreached) = (database.limits, true, false)
      let made = ArchiveGraph(archive, options)
      (inner, current) = (made, cell)
      return made
    }
    if !inner.nonconformingClasses.isEmpty { nonconforming.formUnion(currentNonconforming) }
    inner.goOn(with: archive)
    current = cell
    return inner
  }

  /// An answer of an archive's graph; errors have the numbers that objects have here.
  private func ask<Result>(
    _ cell: Int, _ body: (ArchiveGraph) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try body(try graph(cell))
    } catch {
      var error = error
      switch error.position {
      case .object(let uid, let key): error.position = .object(number(of: uid, in: cell), key: key)
      case .record: break
      default: error.position = .object(number(of: -1, in: cell), key: nil)
      }
      throw error
    }
  }

  /// A value that the graph of an archive gives, with the numbers that it has here.
  private func read(
    _ cell: Int, _ body: (ArchiveGraph) throws(ArchiveError) -> GraphValue
  ) throws(ArchiveError) -> GraphValue {
    try translated(try ask(cell, body), cell)
  }

  private func translated(_ value: GraphValue, _ cell: Int) throws(ArchiveError) -> GraphValue {
    switch value {
    case .object(let uid, let id):
      return .object(uid: number(of: uid, in: cell), class: classID(id))
    case .foundation(let uid, let id):
      return .foundation(uid: number(of: uid, in: cell), class: classID(id))
    case .relativeURL(let uid): return .relativeURL(uid: number(of: uid, in: cell))
    case .className(let id): return .className(classID(id))
    case .collection(.object(let uid), let kind):
      return .collection(.object(number(of: uid, in: cell)), kind)
    case .collection(.inline(let start), let kind):
      return .collection(.inline(try place(start, in: cell)), kind)
    case .data(let bytes):
      guard let archive = inner?.source as? KeyedArchive, let place = archive.place(of: bytes),
        let found = archives.index(in: cell, at: place.offset)
      else { return value }
      return try self.value(ofArchive: found)
    default: return value
    }
  }

  /// The value that an archive stands for.
  private func value(ofArchive cell: Int) throws(ArchiveError) -> GraphValue {
    let form = archives.cells[cell].form
    guard form == .value || form == .text else {
      return .object(uid: number(of: -1, in: cell), class: recordClass(of: cell))
    }
    return try read(cell) { (graph) throws(ArchiveError) in
      guard let root = graph.source.roots.first else { return .null }
      let value = try graph.value(of: root)
      guard form == .text, case .object(let uid, _) = value else { return value }
      return try graph.text(ofAttributed: uid) ?? .null
    }
  }

  // MARK: Objects

  func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
    throw ArchiveError(.danglingReference, name: root.key)
  }

  func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    guard let (cell, local) = try cell(of: uid) else { return met(try rows.value(ofObject: uid)) }
    guard local < 0 else {
      return try read(cell) { (graph) throws(ArchiveError) in try graph.value(ofObject: local) }
    }
    guard archives.cells[cell].form != .value else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    return .object(uid: uid, class: recordClass(of: cell))
  }

  /// A value of a row, whose class has been met from now on.
  private func met(_ value: GraphValue) -> GraphValue {
    if case .object(_, let id) = value { _ = meet(id) }
    return value
  }

  func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    reader.tick()
    guard let (cell, local) = try cell(of: uid) else {
      let found = try rows.object(uid)
      return GraphObject(
        uid: uid, class: meet(found.class), shape: found.shape,
        keyCount: rowKeys[found.shape].count, location: uid)
    }
    guard local < 0 else {
      let found = try ask(cell) { (graph) throws(ArchiveError) in try graph.object(local) }
      return GraphObject(
        uid: uid, class: classID(found.class), shape: tableCount + 2 * found.shape,
        keyCount: found.keyCount, location: found.location)
    }
    guard archives.cells[cell].form != .value else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    let keys = try graph(cell).source.roots.map(\.key)
    return GraphObject(
      uid: uid, class: recordClass(of: cell), shape: shape(ofRecord: keys), keyCount: keys.count,
      location: 0)
  }

  /// An object of an archive as its own graph knows it.
  private func inner(_ object: GraphObject, _ local: Int) -> GraphObject {
    GraphObject(
      uid: local, class: ClassID(index: object.class.index - tableCount - archives.records.count),
      shape: (object.shape - tableCount) / 2, keyCount: object.keyCount, location: object.location)
  }

  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    guard let (cell, local) = try cell(of: object.uid) else {
      let row = ofRow(object)
      try rows.values(of: row, into: &values)
      for position in row.keyCount..<object.keyCount {
        values[position] = try valueAside(at: position, of: row)
      }
      for position in 0..<row.keyCount {
        values[position] = try archived(values[position], row, position)
      }
      return
    }
    guard local >= 0 else {
      for position in 0..<object.keyCount {
        values[position] = try value(ofRoot: position, of: cell)
      }
      return
    }
    do throws(ArchiveError) {
      try graph(cell).values(of: inner(object, local), into: &values)
    } catch {
      // As any other error of the archive.
      try ask(cell) { (_) throws(ArchiveError) in throw error }
    }
    for position in 0..<object.keyCount {
      // An archive in a value takes the place of this one.
      _ = try graph(cell)
      values[position] = try translated(values[position], cell)
    }
  }

  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
    guard let (cell, local) = try cell(of: object.uid) else {
      let row = ofRow(object)
      guard position < row.keyCount else { return try valueAside(at: position, of: row) }
      return try archived(try rows.value(of: row, at: position), row, position)
    }
    guard local >= 0 else { return try value(ofRoot: position, of: cell) }
    return try read(cell) { (graph) throws(ArchiveError) in
      try graph.value(of: inner(object, local), at: position)
    }
  }

  /// A row as the graph of the rows knows it.
  private func ofRow(_ object: GraphObject) -> GraphObject {
    GraphObject(
      uid: object.uid, class: object.class, shape: object.shape,
      keyCount: rows.properties[object.shape].count, location: object.location)
  }

  /// The value of a row, or what the archive in it holds.
  private func archived(
    _ value: GraphValue, _ row: GraphObject, _ position: Int
  ) throws(ArchiveError) -> GraphValue {
    guard holdsArchives[row.shape][position], value.storedBytes != nil else { return met(value) }
    if let cell = archives.index(row: row.uid, column: position) {
      return try self.value(ofArchive: cell)
    }
    return aside(of: value, row, position) == nil ? value : .null
  }

  /// The key beside its column's under which a value stands that is no archive.
  private func aside(
    of value: GraphValue, _ row: GraphObject, _ column: Int
  ) -> CellArchives.Aside? {
    let isData = if case .data = value { true } else { false }
    return archives.aside(row: row.uid, column: column, table: row.shape, isData: isData)
  }

  /// The value of a row under a key beside its columns.
  private func valueAside(
    at position: Int, of row: GraphObject
  ) throws(ArchiveError) -> GraphValue {
    guard let aside = archives.asides[row.shape]?[position - row.keyCount],
      archives.index(row: row.uid, column: aside.column) == nil
    else { return .null }
    let value = try rows.value(of: row, at: aside.column)
    return self.aside(of: value, row, aside.column) == aside ? value : .null
  }

  private func value(ofRoot position: Int, of cell: Int) throws(ArchiveError) -> GraphValue {
    try read(cell) { (graph) throws(ArchiveError) in
      try graph.value(of: graph.source.roots[position])
    }
  }

  func reference(of object: GraphObject, at position: Int) -> Int? {
    guard let found = try? cell(of: object.uid) else {
      if position < rows.properties[object.shape].count,
        let uid = rows.reference(of: object, at: position)
      {
        return uid
      }
      guard archives.index(row: object.uid, column: position) != nil,
        case .object(let uid, _)? = try? value(of: object, at: position)
      else { return nil }
      return uid
    }
    guard found.uid >= 0, let graph = try? graph(found.index) else { return nil }
    return graph.reference(of: inner(object, found.uid), at: position).map {
      number(of: $0, in: found.index)
    }
  }

  // MARK: Collections

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    let (cell, id): (Int, CollectionID)
    switch collection {
    case .object(let uid):
      guard let found = try self.cell(of: uid) else {
        throw ArchiveError(.badCollection, name: "there is no such collection")
      }
      (cell, id) = (found.index, .object(found.uid))
    case .inline(let number):
      let found = try place(number)
      (cell, id) = (found.cell, .inline(found.start))
    }
    let elements = try ask(cell) { (graph) throws(ArchiveError) in try graph.elements(of: id, kind)
    }
    return GraphElements(
      kind: kind, count: elements.count, keys: elements.keys,
      values: .init(start: try place(elements.values.start, in: cell), form: elements.values.form))
  }

  /// Elements as the graph of their archive knows them.
  private func inner(
    _ elements: GraphElements
  ) throws(ArchiveError) -> (cell: Int, elements: GraphElements) {
    let (cell, start) = try place(elements.values.start)
    return (
      cell,
      GraphElements(
        kind: elements.kind, count: elements.count, keys: elements.keys,
        values: .init(start: start, form: elements.values.form))
    )
  }

  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    let (cell, own) = try inner(elements)
    return try read(cell) { (graph) throws(ArchiveError) in try graph.value(of: own, at: position) }
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    let (cell, own) = try inner(elements)
    return try read(cell) { (graph) throws(ArchiveError) in try graph.key(of: own, at: position) }
  }

  // MARK: Values of Foundation's other classes

  func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    guard let (cell, local) = try cell(of: uid), local >= 0 else { return nil }
    return try ask(cell) { (graph) throws(ArchiveError) in try graph.foundationValue(local) }
  }

  func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    guard let (cell, local) = try cell(of: uid), local >= 0 else { return 0 }
    return try ask(cell) { (graph) throws(ArchiveError) in try graph.foundationByteCount(local) }
  }

  func urlText(_ uid: Int) -> String? {
    guard let found = try? cell(of: uid), found.uid >= 0 else { return nil }
    return try? graph(found.index).urlText(found.uid)
  }

  // MARK: Bookkeeping

  /// The objects of archives alone: each row belongs to the database.
  func countUnreachedObjects() -> Int { archives.unreachedCount }

  func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    guard let (cell, local) = try cell(of: object.uid) else {
      guard case .data(let bytes) = try rows.value(of: ofRow(object), at: position) else {
        return nil
      }
      return bytes.data
    }
    return try ask(cell) { (graph) throws(ArchiveError) in
      guard local >= 0 else {
        return try graph.archivedData(of: graph.source.roots[position], limits: limits)
      }
      return try graph.archivedData(of: inner(object, local), at: position, limits: limits)
    }
  }

  func archivedData(
    of elements: GraphElements, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    let (cell, own) = try inner(elements)
    return try ask(cell) { (graph) throws(ArchiveError) in
      try graph.archivedData(of: own, at: position, limits: limits)
    }
  }

  /// Refuses: each database has shapes of its own.
  func reset(to source: any GraphSource) -> Bool { false }
}
