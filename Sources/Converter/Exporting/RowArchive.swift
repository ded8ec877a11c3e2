import ArchiveReader
import ArchiveWriter
import Foundation
import Importer
import Stores
import Support
import Verification

/// The archive that the rows of a store are the objects of, where the store keeps no other.
///
/// Takes twelve bytes for each row, and what the objects of one row take.
final class RowArchive {
  typealias Part = ArchiveCopy.Part

  let rows: StoreRows
  /// True if the store has no other.
  let isOnly: Bool
  let isComparing: Bool
  /// For each table, the ids of its rows and the objects that they are.
  private(set) var tables: [Table]
  /// The values under the top-level keys.
  private(set) var top: [StoreRows.Entry] = []
  /// The objects of the classes, in the order of their first use.
  private var classes: [String: Int] = [:]
  private var classNames: [String] = []
  /// The class that was asked for last.
  private var lastClass: (name: String, part: Part) = ("", .leaf(.none))
  /// The number of objects that follow those of the classes.
  private var objectCount = 0
  private var valueCount = 0
  /// The number of keys of the largest object.
  private var maxKeys = 0

  /// The rows of a table.
  struct Table {
    var ids: [Int64] = []
    /// The objects, counted from the first of the archive's rows.
    var uids: [UInt32] = []

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
    (self.isOnly, self.isComparing) = (isOnly, isComparing)
    tables = Array(repeating: Table(), count: rows.form.entities.count)
    guard isComparing || rows.form.obstacles.isEmpty else {
      throw ConversionError.unexportable(path: path, rows.form.obstacles)
    }
    for (index, entity) in rows.form.entities.enumerated() {
      try takeIDs(of: entity, at: index, archive)
    }
    try takeTop(archive)
    guard !isComparing else { return }
    try rows.refuseStrayColumns()
    try count()
    guard rows.refused.isEmpty else {
      let reasons = rows.refused.sorted { $0.key.precedesInBytes($1.key) }
        .map { "\($0.key) (\(Words.count($0.value, "row")))" }
      let listed = reasons.prefix(ArchiveExport.maxMessages)
      throw ConversionError.unexportable(
        path: path, listed + (reasons.count > listed.count ? ["…"] : []))
    }
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
    let statement = try rows.database.prepare(
      "SELECT \(id) FROM \(SQL.quoted(entity.table)) ORDER BY \(id)")
    try statement.begin([])
    var next = 0
    while try statement.step() {
      guard case .integer(let number) = try statement.copies()[0] else { continue }
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

  /// The object of a row, and those that belong to it alone.
  private func objects(of place: StoreRows.Place, first: Int) throws -> [Part] {
    let entity = rows.form.entities[place.table]
    let entries = try rows.entries(of: place) ?? []
    var maker = Maker(archive: self, objects: [.leaf(.none)], first: first)
    if entity.areCollections {
      if case .collection(let kind, let keys, let values)? = entries.first?.value {
        maker.objects[0] = maker.collection(kind, keys, values)
      }
    } else if let name = entity.className {
      let pairs = entries.map { (key: $0.property.part, value: maker.part($0.value)) }
      maker.objects[0] = maker.dictionary(name, pairs)
    } else {
      // A dictionary has no nil. A key that no dictionary has a value for has something.
      let kept = entries.compactMap { entry -> StoreRows.Entry? in
        guard case .none = entry.value else { return entry }
        return entry.property.type == .unknown && entry.property.value != nil
          ? (entry.property, .instance("NSNull", [])) : nil
      }
      maker.objects[0] = maker.collection(
        .dictionary, kept.map { .object(.string(ArchivedKey.plain($0.property.key))) },
        kept.map(\.value))
    }
    return maker.objects
  }

  func classReference(_ name: String) -> Part {
    if name == lastClass.name { return lastClass.part }
    let part = newClassReference(name)
    lastClass = (name, part)
    return part
  }

  private func newClassReference(_ name: String) -> Part {
    if let known = classes[name] { return .reference(known) }
    classNames.append(name)
    classes[name] = classNames.count
    return .reference(classNames.count)
  }

  private func classRecord(_ name: String) -> Part {
    let hierarchy = rows.form.hierarchies[name] ?? KeyedArchiveBuilder.hierarchy(of: name)
    return .dictionary([
      (.leaf("$classname"), .leaf(.string(name))),
      (.leaf("$classes"), .array(hierarchy.map { .leaf(.string($0)) })),
    ])
  }

  func reference(to place: StoreRows.Place) -> Part {
    guard let index = tables[place.table].index(of: place.id) else {
      rows.refuse(
        rows.form.entities[place.table].table, "others refer to a row that is not of the archive")
      return .leaf(.none)
    }
    let uids = tables[place.table].uids
    guard index < uids.count else { return .leaf(.none) }
    return .reference(uid(ofNumber: uids[index]))
  }

  // MARK: The archive

  /// The values under the top-level keys, and the objects that belong to them.
  private func topLevel() -> (entries: [(key: Part, value: Part)], objects: [Part]) {
    var maker = Maker(archive: self, first: classNames.count + 1)
    let entries = top.map { (key: $0.property.part, value: maker.part($0.value)) }
    return (entries, maker.objects)
  }

  /// Counts the objects, and numbers those of rows.
  private func count() throws {
    func note(_ parts: [Part]) {
      objectCount += parts.count
      for part in parts { noteValues(of: part) }
    }
    note(topLevel().objects)
    for index in tables.indices where !rows.form.entities[index].isDocument {
      tables[index].uids.reserveCapacity(tables[index].ids.count)
      for id in tables[index].ids {
        tables[index].uids.append(UInt32(truncatingIfNeeded: objectCount))
        note(try objects(of: StoreRows.Place(table: index, id: id), first: 0))
      }
    }
    classNames.forEach { noteValues(of: classRecord($0)) }
  }

  /// Counts the values in an object, but for references.
  private func noteValues(of part: Part) {
    switch part {
    case .dictionary(let entries):
      maxKeys = max(maxKeys, entries.count)
      for entry in entries {
        if case .leaf(.uid) = entry.value { continue }
        valueCount += 1
        noteValues(of: entry.value)
      }
    case .array(let elements):
      valueCount += elements.count { if case .leaf(.uid) = $0 { false } else { true } }
    case .leaf, .node: break
    }
  }

  /// An upper bound on the keys of Foundation's objects, but for numbered ones.
  private static let maxKnownKeys = 64

  /// An upper bound on the different keys of objects.
  private var keyCount: Int {
    rows.form.entities.reduce(Self.maxKnownKeys + maxKeys) {
      $0 + $1.properties.count
    }
  }

  /// The archive.
  ///
  /// - Throws: `ArchiveError`.
  func copy() throws -> ArchiveCopy {
    var copy = ArchiveCopy(try KeyedArchive(bytes: KeyedArchiveBuilder().binary()))
    let (entries, objects) = topLevel()
    copy.newTopLevel = entries
    let total = classNames.count + objectCount
    copy.made = ArchiveCopy.MadeObjects(
      count: total, valueCount: valueCount + keyCount + total
    ) { [self] each in
      for name in classNames { try each(classRecord(name)) }
      for object in objects { try each(object) }
      var next = classNames.count + 1 + objects.count
      for index in tables.indices where !rows.form.entities[index].isDocument {
        for id in tables[index].ids {
          let objects = try self.objects(of: StoreRows.Place(table: index, id: id), first: next)
          next += objects.count
          for object in objects { try each(object) }
        }
      }
    }
    return copy
  }

  /// The object of a row by its number among those of rows.
  func uid(ofNumber number: UInt32) -> Int { Int(number) + classNames.count + 1 }
}
