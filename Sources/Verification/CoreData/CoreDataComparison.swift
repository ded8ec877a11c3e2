import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import Importer
import Stores
import Support

/// Compares a store in the layout of Core Data with what the same inputs became in the relational
/// layout, which was compared with them.
///
/// It goes by the model alone: where each property of the relational store has to be is asked of
/// the layout, and both are read with SQL. None of it uses what writes rows.
package struct CoreDataComparison {
  let model: Model
  let plan: ImportPlan
  let layout: CoreDataLayout
  let database: Database
  let findings: VerificationFindings
  /// The entities of the layout by their names.
  let storages: [String: CoreDataLayout.EntityStorage]

  /// The name by which the relational store is known.
  static let origin = "origin"
  /// The number of rows read at a time.
  private static let pageSize = 1_000
  /// The number of attributes compared at a time.
  private static let maxAttributes = 400

  /// Opens both stores.
  ///
  /// - Parameters:
  ///   - path: The store in the layout of Core Data.
  ///   - relational: The one in the relational layout.
  ///   - source: The model of the store.
  ///   - plan: The plan that the relational store was written by.
  ///   - spill: Takes the differences after those that are listed.
  /// - Throws: `StoreError` if one of them cannot be read.
  package init(
    _ path: String, with relational: String, _ source: ModelSource, _ plan: ImportPlan,
    _ spill: EntrySpill? = nil
  ) throws(StoreError) {
    findings = VerificationFindings(spill)
    model = source.model
    self.plan = plan
    layout = CoreDataLayout(source.model)
    storages = Dictionary(
      layout.entities.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    database = try Database(reading: path)
    try database.attach(relational, as: Self.origin)
  }

  /// Compares the stores.
  package func compare() throws(StoreError) -> VerificationResult {
    for table in layout.tables.indices {
      try compareRows(of: table)
      try compareForeignColumns(of: table)
    }
    for (number, entity) in plan.model.entities.enumerated() {
      guard let storage = storages[entity.name] else { continue }
      try compareAttributes(of: number, storage)
      for relationship in entity.relationships where !relationship.isTransient {
        if relationship.isToMany {
          try compareMembers(of: relationship, number, storage)
        } else {
          try compareReference(relationship, number, storage)
        }
      }
    }
    for storage in layout.entities where storage.entity.draftedTable != nil {
      try compareElements(of: storage)
    }
    return findings.result
  }

  // MARK: Rows

  /// Compares which rows there are, and of which entities.
  private func compareRows(of number: Int) throws(StoreError) {
    guard let root = layout.members[number].first.map({ layout.entities[$0 - 1] }) else { return }
    let table = SQL.quoted(layout.tables[number].name)
    guard let (source, key) = relationalRows(of: root.entity) else {
      try list(root.entity.name, "", "no row", "a row", "SELECT Z_PK FROM \(table)")
      return
    }
    try list(
      root.entity.name, "", "a row", "no row",
      "SELECT r.\(key) FROM \(source) AS r WHERE r.\(key) NOT IN (SELECT Z_PK FROM \(table))")
    try list(
      root.entity.name, "", "no row", "a row",
      "SELECT Z_PK FROM \(table) WHERE Z_PK NOT IN (SELECT \(key) FROM \(source))")
    try list(
      root.entity.name, "Z_OPT", "1", "another number",
      "SELECT Z_PK FROM \(table) WHERE Z_OPT IS NOT 1")
    try list(
      root.entity.name, "Z_MAX", "the greatest key", "another",
      "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number) AND Z_MAX IS NOT "
        + "(SELECT coalesce(max(Z_PK), 0) FROM \(table))")
    for member in layout.members[number].dropFirst() {
      let storage = layout.entities[member - 1]
      try list(
        storage.entity.name, "Z_MAX", "0, since the table has one in the row of its root",
        "another",
        "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT = \(storage.number) AND Z_MAX IS NOT 0")
    }
    var name = "'\(root.entity.name.replacing("'", with: "''"))'"
    if let own = plan.hierarchy.index(of: root.entity.name),
      let discriminator = plan.layout.entities[own].discriminator
    {
      name = "r.\(SQL.quoted(plan.layout.table(of: own).columns[discriminator].name))"
    }
    try list(
      root.entity.name, "Z_ENT", "the entity of the row", "another",
      "SELECT r.\(key) FROM \(source) AS r JOIN \(table) AS c ON c.Z_PK = r.\(key) WHERE \(name) "
        + "IS NOT (SELECT Z_NAME FROM Z_PRIMARYKEY AS p WHERE p.Z_ENT = c.Z_ENT)")
  }

  /// The table of the relational store with the rows of an entity, and what tells them apart.
  private func relationalRows(of entity: Entity) -> (source: String, key: String)? {
    if let drafted = entity.draftedTable {
      return elements(drafted).map { ("\(Self.origin).\(SQL.quoted($0.table))", $0.key) }
    }
    return plan.hierarchy.index(of: entity.name).map { plan.layout.table(of: $0) }.map {
      ("\(Self.origin).\(SQL.quoted($0.name))", $0.quotedKey)
    }
  }

  // MARK: Values

  private func compareAttributes(
    of number: Int, _ storage: CoreDataLayout.EntityStorage
  ) throws(StoreError) {
    let entity = plan.model.entities[number]
    let columns = plan.layout.table(of: number).columns
    var pairs: [ValuePair] = []
    func add(_ source: Int?, _ part: DraftedPart?, _ name: String) {
      let attribute = storage.entity.attributes.first {
        part == nil ? $0.name == name : $0.draftedPart == part
      }
      guard let source, let attribute, let column = storage.attributes[attribute.name] else {
        return
      }
      pairs.append(
        ValuePair(
          attribute: attribute, source: "r.\(SQL.quoted(columns[source].name))", column: column))
    }
    let names =
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
      + entity.collections.map(\.name)
    for name in names.uniqued() {
      guard let property = plan.layout.entities[number].properties[name] else { continue }
      add(property.value, nil, name)
      add(property.runs, .runs(of: name), name)
      add(property.count, .count(of: name), name)
    }
    let own = plan.hierarchy.withDescendants(of: number)
    let table = plan.layout.table(of: number)
    try compare(
      pairs, storage, table: table.name, key: table.quotedKey,
      condition: plan.layout.condition(forRowsOf: own))
  }

  /// An attribute, and what it is compared with.
  struct ValuePair {
    var attribute: Attribute
    /// What the relational store has, in SQL: its rows are called `r`.
    var source: String
    /// The column in the store.
    var column: Int
  }

  /// Compares attributes, row by row.
  func compare(
    _ pairs: [ValuePair], _ storage: CoreDataLayout.EntityStorage, table: String, key: String,
    condition: String?
  ) throws(StoreError) {
    let declared = layout.tables[storage.table]
    var rest = pairs[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.maxAttributes)
      rest = rest.dropFirst(part.count)
      let values = part.map { "\($0.source), c.\(SQL.quoted(declared.columns[$0.column].name))" }
      let statement = try database.prepare(
        """
        SELECT r.\(key), \(values.joined(separator: ", "))
          FROM \(Self.origin).\(SQL.quoted(table)) AS r
          JOIN \(SQL.quoted(declared.name)) AS c ON c.Z_PK = r.\(key)
          WHERE r.\(key) > ?\(condition.map { " AND \($0)" } ?? "")
          ORDER BY r.\(key) LIMIT \(Self.pageSize)
        """)
      var last = Int64.min
      while true {
        let rows = try statement.rows([.integer(last)])
        for row in rows {
          guard case .integer(let id) = row[0] else { continue }
          last = id
          for (number, pair) in part.enumerated() {
            let (expected, found) = (row[1 + 2 * number], row[2 + 2 * number])
            guard !Cell.isEqual(found, expected, pair.attribute) else { continue }
            findings.add(
              archive: nil, entity: storage.entity.name, row: id, property: pair.attribute.name,
              expected: expected.shortText, found: found.shortText)
          }
        }
        if rows.count < Self.pageSize { break }
      }
    }
  }

  // MARK: Findings

  /// Lists each row that a statement gives as a difference.
  func list(
    _ entity: String, _ property: String, _ expected: String, _ found: String, _ sql: String
  ) throws(StoreError) {
    let statement = try database.prepare(sql)
    try statement.begin([])
    defer { statement.end() }
    while try statement.step() {
      let row = try statement.copies()
      var id: Int64?
      if case .integer(let number)? = row.first { id = number }
      findings.add(
        archive: nil, entity: entity, row: id, property: property, expected: expected, found: found)
    }
  }
}

extension StoredValue {
  /// The value for a difference: shortened where it is long.
  fileprivate var shortText: String {
    let most = 200
    return switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text.count > most ? "\(text.prefix(most))…" : text
    case .blob(let data): "\(data.count) bytes"
    }
  }
}

/// Columns that entities share a table with, but do not have.
extension CoreDataComparison {
  /// Compares the columns of a table that belong to other entities than that of the row: they are
  /// NULL.
  func compareForeignColumns(of number: Int) throws(StoreError) {
    guard let root = layout.members[number].first.map({ layout.entities[$0 - 1] }) else { return }
    let table = layout.tables[number]
    for (owners, columns) in layout.partialColumns(of: number) {
      let numbers = owners.map(String.init).joined(separator: ", ")
      let rows = "SELECT Z_PK FROM \(SQL.quoted(table.name)) WHERE Z_ENT NOT IN (\(numbers))"
      let names = columns.map { table.columns[$0].name }
      // Hardly ever is there any, so that one look at the rows is enough for many columns.
      let isAny = names.map { "\(SQL.quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
      let found = try database.prepare("\(rows) AND (\(isAny)) LIMIT 1").rows([])
      guard !found.isEmpty else { continue }
      for name in names {
        try list(
          root.entity.name, name, "NULL, since the entity of the row has no such property",
          "a value", "\(rows) AND \(SQL.quoted(name)) IS NOT NULL")
      }
    }
  }
}
