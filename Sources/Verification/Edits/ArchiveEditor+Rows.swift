import ArchiveReader
import Importer
import Stores

// Rows, and the objects that they were or are to be.
extension ArchiveEditor {
  /// The row that an object became.
  func row(of uid: Int) -> Subject? {
    guard uid < rows.ledger.objectCount, let object = try? rows.graph.object(uid),
      case .plain(let entity, let table) = rows.use(of: object.class),
      let id = rows.ledger.row(of: uid, in: table)
    else { return nil }
    return Subject(place: Place(table: table, id: id), uid: uid, entity: entity)
  }

  func subject(_ row: StoreEdits.Row) throws(EditError) -> Subject {
    guard let subject = self.row(of: row.uid), entries(of: subject) != nil else {
      throw error(Place(table: row.table, id: row.id), 0, "its object is made of others")
    }
    return subject
  }

  /// The keys of an object; nil where it is a part of another.
  func entries(of subject: Subject) -> [(key: ArchiveCopy.Part, value: ArchiveCopy.Part)]? {
    if isDocument(subject) { return copy.topLevel }
    guard subject.isNew || subject.uid < copy.archive.objectCount else { return nil }
    return copy.entries(of: copy[subject.uid])
  }

  /// Sets the keys of an object.
  mutating func set(
    _ entries: [(key: ArchiveCopy.Part, value: ArchiveCopy.Part)], of subject: Subject
  ) {
    if isDocument(subject) {
      copy.newTopLevel = entries
    } else {
      copy[subject.uid] = .dictionary(entries)
    }
  }

  /// True for the object that the values under the top-level keys are those of.
  private func isDocument(_ subject: Subject) -> Bool {
    !subject.isNew && (rows.graph.source as? RecordSource)?.documentUID == subject.uid
  }

  /// The object that a row was; nil if it was none of the archive.
  func uid(ofRow place: Place) -> Int? {
    let (index, overflow) = place.id.subtractingReportingOverflow(rows.firstIDs[place.table] + 1)
    guard !overflow, index >= 0, index < Int64(rows.ledger.count(of: place.table)) else {
      return nil
    }
    return rows.ledger.origin(ofRow: Int(index), table: place.table).uid
  }

  func isRemoved(uid: Int) -> Bool {
    guard !edits.removed.isEmpty, let row = row(of: uid) else { return false }
    return edits.removed.contains(
      StoreEdits.Row(table: row.place.table, id: row.place.id, uid: uid))
  }

  /// The object that a row is now.
  ///
  /// - Parameters:
  ///   - place: The row.
  ///   - subject: The row that refers to it.
  ///   - column: The column that does.
  /// - Returns: The object; a new one for a row that was added.
  /// - Throws: `EditError` if there is none.
  mutating func object(
    _ place: Place, for subject: Place, _ column: String
  ) throws -> Int {
    if let uid = uid(ofRow: place) {
      guard !isRemoved(uid: uid) else {
        throw error(subject, column, "refers to a row that was deleted")
      }
      guard uid < copy.archive.objectCount else {
        throw error(subject, column, "refers to a part of another object")
      }
      return uid
    }
    if let known = addedObjects[place] { return known }
    let table = plan.layout.tables[place.table].name
    guard addedRows[table]?.contains(place.id) == true else {
      throw error(subject, column, "refers to no row of \(table) that is of this archive")
    }
    let (uid, entity) = try newObject(ofTable: place.table)
    addedObjects[place] = uid
    pending.append(Subject(place: place, uid: uid, entity: entity, isNew: true))
    return uid
  }

  /// The values of a row, by the columns of its table.
  func cells(_ place: Place) throws -> [StoredValue] {
    let table = plan.layout.tables[place.table]
    guard let scan = TableScan(place.table, plan, store) else {
      throw EditError(table: table.name, row: nil, column: "", reason: "the table is not there")
    }
    let (before, overflow) = place.id.subtractingReportingOverflow(1)
    let found = overflow ? [] : try store.rows(scan.sql, [.integer(before), .integer(place.id)])
    guard let row = found.first else {
      throw EditError(table: table.name, row: place.id, column: "", reason: "is not there")
    }
    for (name, cell) in scan.others where row[cell] != .null {
      throw error(place, name, "the archive has no such key")
    }
    return scan.cells.map { $0.map { row[$0] } ?? .null }
  }

  func error(_ place: Place, _ column: Int, _ reason: String) -> EditError {
    error(place, plan.layout.tables[place.table].columns[column].name, reason)
  }

  func error(_ place: Place, _ column: String, _ reason: String) -> EditError {
    EditError(
      table: plan.layout.tables[place.table].name, row: place.id, column: column, reason: reason)
  }

  /// The errors of a column, by their reasons.
  func failure(_ place: Place, _ column: String) -> (String) -> EditError {
    let table = plan.layout.tables[place.table].name
    return { EditError(table: table, row: place.id, column: column, reason: $0) }
  }
}
