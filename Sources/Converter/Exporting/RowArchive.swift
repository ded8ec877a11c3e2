import ArchiveReader
import ArchiveWriter
import Foundation
import Importer
import Stores
import Support
import Verification

/// The archive that the rows of a store are the objects of, where the store keeps no other.
///
/// Takes 16 bytes for each row, four for each reference, and what the objects of one row take.
final class RowArchive {
  typealias Part = ArchiveCopy.Part

  let rows: StoreRows
  /// True if the store has no other.
  let isOnly: Bool
  let isComparing: Bool
  /// For each table, its rows.
  private(set) var tables: [Table]
  /// The values under the top-level keys.
  private(set) var top: [StoreRows.Entry] = []
  private let path: String
  /// The number of rows, which the first objects are.
  private(set) var rowCount = 0
  /// The rows that the top-level keys lead to, by their objects.
  private var topReferences: [UInt32] = []
  /// The rows that each row leads to, one row after the other, and the end of each row's.
  private var references: (rows: [UInt32], ends: [Int]) = ([], [])

  /// The rows of a table.
  struct Table {
    var ids: [Int64] = []
    /// The object that the first row is; those of the others follow.
    var first = 0

    /// The place of a row; nil if there is none.
    func index(of id: Int64) -> Int? {
      guard let first = ids.first, let last = ids.last, (first...last).contains(id) else {
        return nil
      }
      if last - first == Int64(ids.count - 1) { return Int(id - first) }
      var range = 0..<ids.count
      while range.count > 1 {
        let middle = range.lowerBound + range.count / 2
        range = ids[middle] <= id ? middle..<range.upperBound : range.lowerBound..<middle
      }
      return ids[range.lowerBound] == id ? range.lowerBound : nil
    }
  }

  /// Takes the rows of an archive.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - archive: The id of the archive.
  ///   - isOnly: True if the store has no other.
  ///   - isComparing: True if the rows are to be compared, and no archive made of them.
  /// - Throws: `StoreError` if the store cannot be read, `ConversionError` if its rows cannot be
  ///   exported.
  init(path: String, archive: Int64, isOnly: Bool, isComparing: Bool = false) throws {
    rows = try StoreRows(path: path, isComparing: isComparing)
    (self.path, self.isOnly, self.isComparing) = (path, isOnly, isComparing)
    tables = Array(repeating: Table(), count: rows.form.entities.count)
    guard isComparing || rows.form.obstacles.isEmpty else {
      throw ConversionError.unexportable(path: path, rows.form.obstacles)
    }
    for (index, entity) in rows.form.entities.enumerated() {
      try takeIDs(of: entity, at: index, archive)
    }
    try takeTop(archive)
    guard !isComparing else { return }
    var next = 1
    for index in tables.indices where !rows.form.entities[index].isDocument {
      tables[index].first = next
      next += tables[index].ids.count
    }
    rowCount = next - 1
    try rows.refuseStrayColumns()
  }

  // MARK: Rows

  private func takeIDs(
    of entity: StoreForm.Entity, at index: Int, _ archive: Int64
  ) throws(StoreError) {
    let ranges = try rows.database.rows(
      """
      SELECT archive_id = ?, "first", "last" FROM \(RelationalLayout.rowsTable) WHERE entity = ?
        ORDER BY "first"
      """, [.integer(archive), .text(entity.table)])
    let id = SQL.quoted(entity.id)
    let cursor = try RowCursor(
      try rows.database.prepare("SELECT \(id) FROM \(SQL.quoted(entity.table)) ORDER BY \(id)"), [])
    var next = 0
    while cursor.isAtRow, let number = cursor.integer(0) {
      try cursor.advance()
      while next < ranges.count, case .integer(let last) = ranges[next][2], last < number {
        next += 1
      }
      if isOnly {
        tables[index].ids.append(number)
      } else if next < ranges.count, case .integer(let first) = ranges[next][1], first <= number {
        if ranges[next][0] == .integer(1) { tables[index].ids.append(number) }
      } else if isComparing {
        tables[index].ids.append(number)
      } else {
        rows.refuse(entity.table, "of several archives, nothing says to which a new row belongs")
      }
    }
  }

  private func takeTop(_ archive: Int64) throws(StoreError) {
    let found = try rows.database.rows(
      """
      SELECT "key", value, entity, "row" FROM \(RelationalLayout.topTable)
        WHERE archive_id = ? ORDER BY id
      """, [.integer(archive)])
    for row in found {
      guard case .text(let key) = row[0] else { continue }
      let property = StoreForm.Property(key, key: key, of: RelationalLayout.topTable)
      guard case .text(let name) = row[2] else {
        top.append((property, rows.topValue(row[1])))
        continue
      }
      guard let table = rows.table(named: name), case .integer(let id) = row[3] else {
        rows.refuse("\(RelationalLayout.topTable), \(key)", "refers to no table of objects")
        continue
      }
      let place = StoreRows.Place(table: table, id: id)
      guard rows.form.entities[table].isDocument else {
        top.append((property, .row(place)))
        continue
      }
      guard let index = tables[table].index(of: id), let entries = try rows.entries(of: place)
      else {
        rows.refuse("\(RelationalLayout.topTable), \(key)", "refers to a row that is not there")
        continue
      }
      tables[table].ids.remove(at: index)
      top += entries
    }
    // The others of these rows belong to no archive.
    for (entity, table) in zip(rows.form.entities, tables) where entity.isDocument {
      for _ in table.ids { rows.refuse(entity.table, "no top-level key refers to the row") }
    }
  }

  // MARK: Objects

  /// The object of a row; those that belong to it alone are added to a maker.
  private func object(
    of entity: StoreForm.Entity, _ values: [StoreRows.Item], _ maker: inout Maker
  ) -> Part {
    // A damaged database may have lost a row meanwhile.
    guard values.count == entity.properties.count else { return .leaf(.none) }
    if let name = entity.className {
      var parts: [Part] = []
      parts.reserveCapacity(values.count + 1)
      for value in values { parts.append(maker.part(value)) }
      parts.append(maker.classReference(name))
      return .object(entity.keys, parts)
    }
    if entity.areCollections {
      guard case .collection(let kind, let keys, let values)? = values.first else {
        return .leaf(.none)
      }
      return maker.collection(kind, keys, values)
    }
    // A dictionary has no nil. A key that no dictionary has a value for has something.
    let kept = zip(entity.properties, values).compactMap { property, value -> StoreRows.Entry? in
      guard case .none = value else { return (property, value) }
      return property.type == .unknown && property.value != nil
        ? (property, .instance(.null, [])) : nil
    }
    return maker.collection(
      .dictionary, kept.map { .object(.string(ArchivedKey.plain($0.property.key))) },
      kept.map(\.value))
  }

  func reference(to place: StoreRows.Place) -> Part {
    guard let index = tables[place.table].index(of: place.id) else {
      rows.refuse(
        rows.form.entities[place.table].table, "others refer to a row that is not of the archive")
      return .leaf(.none)
    }
    let uid = tables[place.table].first + index
    references.rows.append(UInt32(truncatingIfNeeded: uid))
    return .reference(uid)
  }

  /// For each table with rows that nothing leads to, their number, once the archive is written.
  func unreachedRows() -> [(table: String, count: Int)] {
    var reached = [Bool](repeating: false, count: rowCount + 1)
    var pending = topReferences
    while let row = pending.popLast().map({ Int($0) }) {
      guard !reached[row], references.ends.indices.contains(row - 1) else { continue }
      reached[row] = true
      let start = row == 1 ? 0 : references.ends[row - 2]
      pending += references.rows[start..<references.ends[row - 1]]
    }
    return zip(rows.form.entities, tables).compactMap { entity, table in
      guard !entity.isDocument else { return nil }
      let count = (table.first..<table.first + table.ids.count).count { !reached[$0] }
      return count == 0 ? nil : (entity.table, count)
    }
  }

  // MARK: The archive

  /// The archive.
  ///
  /// - Throws: `ArchiveError`.
  func copy() throws -> ArchiveCopy {
    var copy = ArchiveCopy(try KeyedArchive(bytes: KeyedArchiveBuilder().binary()))
    var topMaker = Maker(self)
    copy.newTopLevel = top.map { (key: $0.property.part, value: topMaker.part($0.value)) }
    topReferences = references.rows
    copy.made = ArchiveCopy.MadeObjects(firstCount: rowCount) { [self, topMaker] each in
      var maker = topMaker
      references = ([], [])
      for object in maker.takeObjects() { try each(.second, object) }
      try readRows { entity, values in
        let object = object(of: entity, values, &maker)
        references.ends.append(references.rows.count)
        try each(.first, object)
        for object in maker.takeObjects() { try each(.second, object) }
      }
      try throwRefused()
    }
    return copy
  }

  /// The number of rows that are read at a time.
  private static let batch = 256

  /// Reads the rows on a thread of their own.
  private func readRows(_ each: (StoreForm.Entity, [StoreRows.Item]) throws -> Void) throws {
    var batches: [(table: Int, ids: ArraySlice<Int64>)] = []
    for index in tables.indices where !rows.form.entities[index].isDocument {
      let ids = tables[index].ids
      for start in stride(from: 0, to: ids.count, by: Self.batch) {
        batches.append((index, ids[start..<min(ids.count, start + Self.batch)]))
      }
    }
    let work = OrderedWork(batches, jobs: 1, isBeside: true) { [rows] in
      // Memory is given back by the thread that took it: another would hold it up.
      var recent: [[[StoreRows.Item]]] = []
      return { batch in
        Result { () throws(StoreError) in
          var read: [[StoreRows.Item]] = []
          read.reserveCapacity(batch.ids.count)
          for id in batch.ids {
            read.append(try rows.values(of: StoreRows.Place(table: batch.table, id: id)) ?? [])
          }
          if recent.count == 4 { recent.removeFirst() }
          recent.append(read)
          return read
        }
      }
    }
    defer { work.cancelAndWait() }
    for batch in batches {
      guard let read = work.next() else { return }
      for values in try read.get() { try each(rows.form.entities[batch.table], values) }
    }
  }

  private func throwRefused() throws(ConversionError) {
    guard !rows.refused.isEmpty else { return }
    let reasons = rows.refused.sorted { $0.key.precedesInBytes($1.key) }
      .map { "\($0.key) (\(Words.count($0.value, "row")))" }
    let listed = reasons.prefix(ArchiveExport.maxMessages)
    throw .unexportable(path: path, listed + (reasons.count > listed.count ? ["…"] : []))
  }
}
