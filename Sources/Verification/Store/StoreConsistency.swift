import ArchiveReader
import Importer
import Stores

/// The checks of a store that can be made without knowing how its rows came to be, as where hooks
/// or policies in Swift made them: that references lead to rows, that each row is said to be from
/// one archive, and that ordered collections have no gaps.
package struct StoreConsistency {
  private let plan: ImportPlan
  private let store: VerifiedStore
  private let findings: VerificationFindings

  package init(_ plan: ImportPlan, _ store: VerifiedStore, _ findings: VerificationFindings) {
    self.plan = plan
    self.store = store
    self.findings = findings
  }

  /// Checks the store; the rows of all entities are listed as not compared.
  ///
  /// - Parameter reason: Why they are not.
  /// - Throws: `StoreError` if the store cannot be read.
  func check(reason: String) throws {
    try countReferences()
    for table in plan.layout.tables where store.columns(of: table.name) != nil {
      findings.omit(table.name, reason: reason, count: try count(of: table.name))
    }
    try check()
  }

  /// Checks the store.
  package func check() throws {
    try checkTypedReferences()
    for table in plan.layout.tables where store.columns(of: table.name) != nil {
      try checkRanges(of: table)
    }
    try checkOrders()
  }

  private func count(of table: String) throws -> Int {
    let found = try store.rows("SELECT count(*) FROM \(SQL.quoted(table))")
    guard case .integer(let count) = found.first?.first else { return 0 }
    return Int(truncatingIfNeeded: count)
  }

  /// Counts the references that SQLite checks by itself.
  private func countReferences() throws {
    for table in plan.layout.tables + plan.layout.elementTables.map(\.table) {
      let columns = table.columns.filter {
        $0.references != nil && store.has($0.name, in: table.name)
      }
      for column in columns {
        let found = try store.rows(
          "SELECT count(\(SQL.quoted(column.name))) FROM \(SQL.quoted(table.name))")
        guard case .integer(let count) = found.first?.first else { continue }
        findings.count(values: 0, links: Int(truncatingIfNeeded: count))
      }
    }
  }

  /// Checks the references whose table stands next to them.
  private func checkTypedReferences() throws {
    var pairs: [(table: String, reference: String, type: String)] = [
      (RelationalLayout.topTable, "row", "entity"),
      (RelationalLayout.collectionElementTable, "key_id", "key_type"),
      (RelationalLayout.collectionElementTable, "value_id", "value_type"),
    ]
    for entity in plan.layout.entities {
      let table = plan.layout.tables[entity.table]
      for storage in entity.properties.values {
        guard let reference = storage.reference, let type = storage.referenceType else { continue }
        pairs.append((table.name, table.columns[reference].name, table.columns[type].name))
      }
    }
    for elements in plan.layout.elementTables {
      let columns = elements.table.columns
      for (reference, type) in [
        (elements.reference, elements.referenceType), (elements.keyReference, elements.keyType),
      ] {
        guard let reference, let type else { continue }
        pairs.append((elements.table.name, columns[reference].name, columns[type].name))
      }
    }
    for (table, reference, type) in pairs
    where store.has(reference, in: table) && store.has(type, in: table) {
      try checkTypedReference(table, reference, type)
    }
  }

  private func checkTypedReference(_ table: String, _ reference: String, _ type: String) throws {
    let (from, row, kind) = (SQL.quoted(table), SQL.quoted(reference), SQL.quoted(type))
    let kinds = try store.rows("SELECT DISTINCT \(kind) FROM \(from) WHERE \(row) IS NOT NULL")
    for found in kinds {
      var condition = "\(kind) IS ?"
      if case .text(let target) = found[0], let key = store.key(of: target) {
        condition +=
          " AND NOT EXISTS "
          + "(SELECT 1 FROM \(SQL.quoted(target)) AS other "
          + "WHERE other.\(SQL.quoted(key)) = \(from).\(row))"
      }
      let cursor = try store.cursor(
        "SELECT rowid, \(row) FROM \(from) WHERE \(row) IS NOT NULL AND \(condition)",
        [found[0]])
      while cursor.isAtRow {
        findings.add(
          archive: nil, entity: table, row: cursor.integer(0), property: reference,
          expected: "a row of \(found[0].words)", found: cursor.copy(1).words)
        try cursor.advance()
      }
    }
  }

  /// Checks that each row is from one archive.
  private func checkRanges(of table: Table) throws {
    let name = RelationalLayout.rowsTable
    guard ["entity", "first", "last"].allSatisfy({ store.has($0, in: name) }),
      store.has(table.key, in: table.name)
    else { return }
    let ranges = try store.rows(
      "SELECT first, last FROM \(name) WHERE entity = ? ORDER BY first, last", [.text(table.name)])
    var waiting = ranges.compactMap { row -> ClosedRange<Int64>? in
      guard case .integer(let first) = row[0], case .integer(let last) = row[1], first <= last
      else { return nil }
      return first...last
    }[...]
    let cursor = try store.cursor(
      "SELECT \(table.quotedKey) FROM \(SQL.quoted(table.name)) ORDER BY \(table.quotedKey)")
    while cursor.isAtRow {
      let id = cursor.integer(0)
      while let next = waiting.first, let id, next.upperBound < id { waiting.removeFirst() }
      let count = waiting.prefix { range in id.map { range.lowerBound <= $0 } ?? false }
        .count { range in id.map(range.contains) ?? false }
      if count != 1 {
        findings.add(
          archive: nil, entity: table.name, row: id, property: "", expected: "a row of one archive",
          found: "of \(count)")
      }
      try cursor.advance()
    }
  }

  /// Checks that the members of ordered relationships are numbered from 0.
  private func checkOrders() throws {
    for entity in plan.layout.entities {
      for storage in entity.properties.values {
        guard let members = storage.members, let position = members.position else { continue }
        try checkOrder(
          of: entity.name, in: plan.layout.table(of: members.entity), owner: members.reference,
          position)
      }
    }
    // Hooks may leave out members.
    guard plan.reasonToRepeat == nil else { return }
    let (relationships, _) = StoredRelationship.all(of: plan.model, plan.layout, plan.hierarchy)
    for stored in relationships where stored.isToMany && stored.isOrdered && !stored.isInverseTable
    {
      guard let index = stored.elements else { continue }
      let elements = plan.layout.elementTables[index]
      guard let position = elements.position else { continue }
      try checkOrder(
        of: elements.table.name, in: elements.table, owner: elements.owner, position)
    }
  }

  private func checkOrder(
    of entity: String, in table: Table, owner: Int, _ position: Int
  ) throws {
    let owner = table.columns[owner].name
    let column = table.columns[position].name
    guard store.has(owner, in: table.name), store.has(column, in: table.name) else { return }
    let cursor = try store.cursor(
      """
      SELECT \(SQL.quoted(owner)) FROM \(SQL.quoted(table.name))
        WHERE \(SQL.quoted(owner)) IS NOT NULL GROUP BY 1
        HAVING count(\(SQL.quoted(column))) <> max(\(SQL.quoted(column))) + 1
          OR count(DISTINCT \(SQL.quoted(column))) <> count(\(SQL.quoted(column)))
      """)
    while cursor.isAtRow {
      findings.add(
        archive: nil, entity: entity, row: cursor.integer(0), property: column,
        expected: "positions from 0 on", found: "others")
      try cursor.advance()
    }
  }
}
