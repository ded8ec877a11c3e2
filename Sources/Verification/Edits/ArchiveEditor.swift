import ArchiveReader
import Importer
import Stores

/// Puts what somebody has changed of rows back into the objects that they were.
///
/// Takes some bytes for each object of the archive, and some for each change.
package struct ArchiveEditor {
  let edits: StoreEdits.State
  let rows: ExpectedRows
  let store: VerifiedStore
  private let original: ArchiveCopy
  /// The archive with what was changed up to now.
  package var copy: ArchiveCopy
  /// The objects of added rows, and those whose keys have yet to be set.
  var addedObjects: [Place: Int] = [:]
  var pending: [Subject] = []
  /// The class records by the names of their classes, once they are asked for.
  var classRecords: [String: Int]?
  let addedRows: [String: Set<Int64>]
  private let allOwners: [Int: [Owners]]

  /// A row, by its table among those of the plan.
  struct Place: Hashable {
    var table: Int
    var id: Int64
  }

  /// An object whose keys are set, and its row.
  struct Subject: Hashable {
    var place: Place
    var uid: Int
    var entity: Int
    /// True if the row was added.
    var isNew = false
  }

  /// A property of a row that holds something else than its object.
  private struct Edited: Hashable {
    var subject: Subject
    var property: Int
  }

  /// - Parameters:
  ///   - edits: The changes.
  ///   - copy: The archive that they are put into.
  ///   - store: The store.
  /// - Throws: `EditError` if the rows were not compared with the archive.
  package init(_ edits: StoreEdits, _ copy: ArchiveCopy, _ store: VerifiedStore) throws(EditError) {
    guard let rows = edits.expectedRows else {
      throw EditError(table: "_archive", row: edits.archive, column: "", reason: "has no rows")
    }
    self.edits = edits.all
    self.rows = rows
    self.store = store
    (original, self.copy) = (copy, copy)
    addedRows = self.edits.added.mapValues { Set($0) }
    allOwners = Self.owners(rows.plan, rows.run)
  }

  var plan: ImportPlan { rows.plan }
  var run: ExpectedRun { rows.run }

  /// The archive with all changes.
  ///
  /// - Throws: `EditError` if one cannot be put back, `StoreError` or `ArchiveError` if the store or
  ///   the archive cannot be read.
  package mutating func edited() throws -> ArchiveCopy {
    var all = try changedProperties()
    try addOwners(to: &all)
    for edited in all.sorted(by: Self.precedes) {
      try set(edited.property, of: edited.subject, try cells(edited.subject.place))
    }
    for elements in edits.elements.filter({ $0.table == nil }).sorted(by: { $0.owner < $1.owner }) {
      try setCollection(elements)
    }
    while let subject = pending.popLast() {
      let cells = try cells(subject.place)
      for property in run.properties[subject.entity].indices {
        try set(property, of: subject, cells)
      }
    }
    try checkTopLevel()
    try checkAddedRows()
    try emptyUnreached()
    return copy
  }

  private static func precedes(_ one: Edited, _ other: Edited) -> Bool {
    let (one, other) = (
      (one.subject.place.table, one.subject.place.id, one.property),
      (other.subject.place.table, other.subject.place.id, other.property)
    )
    return one < other
  }

  // MARK: What has changed

  private func changedProperties() throws -> Set<Edited> {
    var all: Set<Edited> = []
    for (row, columns) in edits.sortedCells {
      let subject = try subject(row)
      for column in columns {
        var isKnown = false
        for (index, property) in run.properties[subject.entity].enumerated() {
          let storage = property.storage
          guard
            [storage.value, storage.runs, storage.reference, storage.referenceType, storage.count]
              .contains(column)
          else { continue }
          isKnown = true
          all.insert(Edited(subject: subject, property: index))
        }
        guard isKnown || owners(in: row.table).contains(where: { $0.storage.position == column })
        else {
          throw error(subject.place, column, "the column is computed from others")
        }
      }
    }
    for elements in edits.elements.sorted(by: { $0.owner < $1.owner }) {
      guard let table = elements.table, !isRemoved(uid: elements.uid),
        let row = row(of: elements.uid)
      else { continue }
      let found = run.properties[row.entity].firstIndex { property in
        elements.isInverse
          ? property.storage.inverseElements == table : property.storage.elements == table
      }
      guard let found else {
        let name = plan.layout.elementTables[table].table.name
        throw EditError(
          table: name, row: elements.owner, column: "", reason: "its rows belong to no single key")
      }
      all.insert(Edited(subject: row, property: found))
    }
    return all
  }

  /// Adds the collections whose members name other owners than before.
  private func addOwners(to all: inout Set<Edited>) throws {
    func add(_ owner: Subject?, _ property: Int) {
      if let owner { all.insert(Edited(subject: owner, property: property)) }
    }
    for (row, columns) in edits.sortedCells {
      for owners in owners(in: row.table)
      where columns.contains(owners.storage.reference)
        || owners.storage.position.map(columns.contains) == true
      {
        add(try formerOwner(of: row, owners), owners.property)
        add(try owner(of: Place(table: row.table, id: row.id), owners), owners.property)
      }
    }
    for row in edits.removed.sorted(by: { $0.id < $1.id }) {
      for owners in owners(in: row.table) { add(try formerOwner(of: row, owners), owners.property) }
    }
    for (name, ids) in edits.added.sorted(by: { $0.key < $1.key }) {
      guard let table = plan.layout.tables.firstIndex(where: { $0.name == name }) else { continue }
      for owners in owners(in: table) {
        for id in ids {
          add(try owner(of: Place(table: table, id: id), owners), owners.property)
        }
      }
    }
  }

  /// A relationship whose members name their owner.
  struct Owners {
    var entity: Int
    var property: Int
    var storage: RelationalLayout.MemberStorage
  }

  /// The relationships whose members are rows of a table.
  func owners(in table: Int) -> [Owners] { allOwners[table] ?? [] }

  private static func owners(_ plan: ImportPlan, _ run: ExpectedRun) -> [Int: [Owners]] {
    var all: [Int: [Owners]] = [:]
    for entity in plan.layout.entities.indices {
      for (index, property) in run.properties[entity].enumerated() {
        guard let storage = property.storage.members else { continue }
        all[plan.layout.entities[storage.entity].table, default: []].append(
          Owners(entity: entity, property: index, storage: storage))
      }
    }
    return all
  }

  /// The owner that the object of a row names.
  private func formerOwner(of row: StoreEdits.Row, _ owners: Owners) throws -> Subject? {
    guard let member = self.row(of: row.uid) else { return nil }
    let object = try rows.graph.object(row.uid)
    for use in rows.keys(of: object, member.entity).uses
    where use.storage.reference == owners.storage.reference {
      guard case .object(let uid, _) = try rows.graph.value(of: object, at: use.position),
        let owner = self.row(of: uid), owner.entity == owners.entity
      else { continue }
      return owner
    }
    return nil
  }

  /// The owner that a row names; nil if it is none of the archive's.
  private func owner(of place: Place, _ owners: Owners) throws -> Subject? {
    guard case .integer(let id) = try cells(place)[owners.storage.reference],
      let uid = uid(ofRow: Place(table: plan.layout.entities[owners.entity].table, id: id)),
      !isRemoved(uid: uid)
    else { return nil }
    return row(of: uid)
  }

  // MARK: The end

  /// Refuses rows that were added but that nothing refers to: no archive has such objects.
  private func checkAddedRows() throws {
    let archives = try store.rows("SELECT count(*) FROM \(RelationalLayout.archiveTable)")
    // Another archive may refer to them.
    guard archives.first?.first == .integer(1) else { return }
    for (table, ids) in edits.added.sorted(by: { $0.key < $1.key }) {
      let index = plan.layout.tables.firstIndex { $0.name == table }
      for id in ids where index.flatMap({ addedObjects[Place(table: $0, id: id)] }) == nil {
        throw EditError(
          table: table, row: id, column: "", reason: "was added, but nothing refers to it")
      }
    }
  }

  /// Empties the objects that nothing leads to any more.
  ///
  /// The rows of all of them must be deleted, and those of no others: else the archive would say
  /// something else than the store.
  private mutating func emptyUnreached() throws {
    let (before, after) = (original.reachedObjects(), copy.reachedObjects())
    for row in edits.removed.sorted(by: { ($0.table, $0.id) < ($1.table, $1.id) })
    where !before.indices.contains(row.uid) || after[row.uid] {
      throw error(
        Place(table: row.table, id: row.id), "", "was deleted, but others still refer to it")
    }
    let reason = "is there, but nothing refers to it any more"
    for (index, collection) in rows.collections.enumerated() {
      guard case .object(let uid) = collection.id, before.indices.contains(uid), before[uid],
        !after[uid]
      else { continue }
      throw EditError(
        table: RelationalLayout.collectionTable, row: rows.firstCollection + Int64(index) + 1,
        column: "", reason: reason)
    }
    for uid in before.indices where before[uid] && !after[uid] {
      if let row = row(of: uid), !isRemoved(uid: uid) { throw error(row.place, "", reason) }
      copy[uid] = .leaf(.string("$null"))
    }
  }

  /// Refuses top-level values of which none is an object: whoever reads the archive would.
  private func checkTopLevel() throws(EditError) {
    guard let entries = copy.newTopLevel,
      !entries.contains(where: { copy.uid(of: $0.value) != nil })
    else { return }
    throw EditError(
      table: RelationalLayout.topTable, row: nil, column: "",
      reason: "no top-level key would refer to an object")
  }
}

extension VerifiedStore {
  /// Refuses rows and elements that name a row which is not there.
  ///
  /// - Throws: `EditError`, `StoreError` if the store cannot be read.
  package func checkReferences() throws {
    let found = try rows("PRAGMA foreign_key_check").first
    guard let found, case .text(let table) = found[0], case .text(let other) = found[2] else {
      return
    }
    var row: Int64?
    if case .integer(let id) = found[1] { row = id }
    throw EditError(
      table: table, row: row, column: "", reason: "names a row of \(other) that is not there")
  }
}
