import DataModel
import Foundation
import GraphCore
import Stores

/// The rows of a table: their entities and the kinds of their values.
extension StoreCheck {
  /// Checks the rows of a table.
  mutating func checkTable(_ number: Int) throws(ModelError) {
    let table = layout.tables[number]
    guard hasKeys(number) else { return }
    let storages = layout.members[number].map { layout.entities[$0 - 1] }
    let only = storages.count == 1 ? storages.first : nil
    let concrete = storages.filter { !$0.entity.isAbstract }.map { "\($0.storeNumber)" }
    if has(table.name, CoreDataLayout.entityColumn) {
      let isRead = only.map(\.entity.isAbstract) ?? true
      try find(
        StoreFinding(
          isRead ? .rowWithoutEntity : .unreadEntityNumber, table: table.name,
          column: CoreDataLayout.entityColumn),
        from: "\(SQL.quoted(table.name)) AS t WHERE t.Z_ENT IS NULL "
          + "OR t.Z_ENT NOT IN (\(concrete.joined(separator: ", ")))")
    }
    if let root = storages.first { try checkMaximum(root, table) }
    for storage in storages {
      for attribute in storage.entity.storedAttributes {
        guard let column = storage.attributes[attribute.name] else { continue }
        try check(attribute, table.columns[column].name, storage, table)
      }
      for relationship in storage.entity.storedRelationships {
        try check(relationship, storage, table)
      }
    }
    try checkForeignColumns(number)
  }

  /// Looks for values in columns that the entity of the row does not have.
  private mutating func checkForeignColumns(_ number: Int) throws(ModelError) {
    let table = layout.tables[number]
    let all = layout.members[number].map { layout.entities[$0 - 1] }
      .filter { !$0.entity.isAbstract }.map { "\($0.storeNumber)" }
    for (owners, columns) in layout.partialColumns(of: number) {
      let names = columns.map { table.columns[$0].name }.filter { has(table.name, $0) }
      guard !names.isEmpty else { continue }
      let own = owners.map(String.init).joined(separator: ", ")
      let rows =
        "\(SQL.quoted(table.name)) AS t WHERE t.Z_ENT IN (\(all.joined(separator: ", "))) "
        + "AND t.Z_ENT NOT IN (\(own))"
      let isAny = names.map { "t.\(SQL.quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
      guard try !store.rows("SELECT 1 FROM \(rows) AND (\(isAny)) LIMIT 1").isEmpty else {
        continue
      }
      for name in names {
        try find(
          StoreFinding(.foreignValue, table: table.name, column: name),
          from: "\(rows) AND t.\(SQL.quoted(name)) IS NOT NULL")
      }
    }
  }

  /// Checks that no rows are alike in what the model says is unique.
  mutating func checkUniqueness() throws(ModelError) {
    for index in layout.indexes.joined() {
      guard let constraint = index.constraint,
        index.columns.allSatisfy({ has(index.table, $0.name) })
      else { continue }
      let names = constraint.properties.joined(separator: ", ")
      try find(
        StoreFinding(
          .repeatedValue, table: index.table,
          column: index.columns.map(\.name).joined(separator: ", "),
          name: "\(constraint.entity).\(names)"),
        from: "\(SQL.quoted(index.table)) AS t WHERE \(index.repetition())")
    }
  }

  /// New rows get keys after the greatest one: it must not be in use.
  private mutating func checkMaximum(
    _ root: CoreDataLayout.EntityStorage, _ table: CoreDataTable
  ) throws(ModelError) {
    let finding = StoreFinding(
      .exceededMaximum, table: CoreDataLayout.primaryKeyTable, column: "Z_MAX", name: table.name)
    try find(
      finding, key: "t.Z_ENT",
      from: "Z_PRIMARYKEY AS t WHERE t.Z_ENT = \(root.storeNumber) AND coalesce(t.Z_MAX, 0) < "
        + "(SELECT max(Z_PK) FROM \(SQL.quoted(table.name)))")
  }

  private mutating func check(
    _ attribute: Attribute, _ column: String, _ storage: CoreDataLayout.EntityStorage,
    _ table: CoreDataTable
  ) throws(ModelError) {
    guard has(table.name, column), let kinds = attribute.type.storageKinds else { return }
    let value = "t.\(SQL.quoted(column))"
    let rows = storage.rows(of: table)
    func finding(_ code: StoreFinding.Code) -> StoreFinding {
      StoreFinding(code, table: table.name, column: column)
    }
    try find(
      finding(.otherKind), from: "\(rows) AND typeof(\(value)) NOT IN ('null', \(kinds))")
    for (code, misfit) in attribute.type.misfits {
      try find(
        finding(code),
        from: "\(rows) AND typeof(\(value)) IN (\(kinds)) "
          + "AND \(Self.misfit)(\(value), \(misfit.rawValue), \(attribute.type.index))")
    }
    if attribute.type == .uuid {
      try find(
        finding(.badUUID),
        from: "\(rows) AND typeof(\(value)) = 'blob' AND length(\(value)) <> 16")
    }
    // What Core Data computes may be there only after the next save.
    if !attribute.isOptional, !attribute.isDerived {
      try find(finding(.missingValue), from: "\(rows) AND \(value) IS NULL")
    }
    if attribute.allowsExternalBinaryDataStorage {
      try checkExternalData(column, storage, table)
    }
  }
}

extension CoreDataLayout.EntityStorage {
  /// The rows of the entity and its subentities, as they stand after `FROM`.
  package func rows(of table: CoreDataTable) -> String {
    "\(SQL.quoted(table.name)) AS t WHERE \(isEntity(of: "t"))"
  }

  /// A condition on the rows of the entity and its subentities.
  ///
  /// Core Data does not ask for the number of the entity in a table of one entity.
  ///
  /// - Parameter rows: The name of the rows of its table.
  /// - Returns: The condition, in SQL.
  func isEntity(of rows: String) -> String {
    guard !isRoot || hasSubentities else { return "true" }
    return "\(rows).Z_ENT \(numberCondition)"
  }

  /// The condition for the number of the entity and for those of its subentities, as it stands
  /// after a column.
  private var numberCondition: String {
    let sorted = storeNumbers.sorted()
    if let first = sorted.first, let last = sorted.last,
      zip(sorted, sorted.dropFirst()).allSatisfy({ $1 &- $0 == 1 })
    {
      return "BETWEEN \(first) AND \(last)"
    }
    return "IN (\(sorted.map(String.init).joined(separator: ", ")))"
  }
}

extension StoreCheck {
  /// The fault of a value of the right kind.
  fileprivate enum Misfit: Int64 {
    case number, word
  }

  /// The name of the function of SQL that tells whether a value has a misfit, which values of a
  /// type are not read with.
  private static let misfit = "misfit"

  /// Adds the function to a connection.
  static func addMisfit(to database: Database) throws(StoreError) {
    let types = AttributeType.allCases
    try database.addFunction(misfit, argumentCount: 3) { call in
      guard let index = Int(exactly: call.integer(2)), types.indices.contains(index) else {
        return .null
      }
      do throws(ArchiveError) {
        _ = unsafe try SQLiteStoreGraph.ValueDecoder.value(
          StoredRow.Cell(call.cell(0)), types[index])
        return .integer(0)
      } catch {
        let misfit: Misfit = error.code == .outOfRange ? .number : .word
        return .integer(call.integer(1) == misfit.rawValue ? 1 : 0)
      }
    }
  }
}

extension AttributeType {
  /// The place of the type among all.
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

  /// The faults that values of the type may have though they are of the right kind.
  fileprivate var misfits: [(StoreFinding.Code, StoreCheck.Misfit)] {
    switch self {
    case .boolean, .integer16, .integer32, .date, .double, .float: [(.outOfRange, .number)]
    case .decimal: [(.outOfRange, .number), (.otherKind, .word)]
    case .string, .uri: [(.badText, .word)]
    default: []
    }
  }
}

extension AttributeType {
  /// The types of SQLite that its values have in a Core Data store, in SQL.
  fileprivate var storageKinds: String? {
    switch self {
    case .boolean, .integer16, .integer32, .integer: "'integer'"
    // Whole numbers become integers in columns of these types.
    case .date, .double, .float: "'integer', 'real'"
    // A decimal that is no number has only a text.
    case .decimal: "'integer', 'real', 'text'"
    case .string, .uri: "'text'"
    case .uuid, .binary, .transformable: "'blob'"
    case .objectID, .composite, .undefined, .json, .attributedText, .mixed, .unknown: nil
    }
  }
}
