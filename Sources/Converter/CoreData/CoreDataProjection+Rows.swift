extension CoreDataProjection {
  /// Rows of the relational layout that are copied into a table.
  struct CopiedRows {
    /// The table in the relational layout: its name, and its place there; -1 for the bookkeeping.
    var name: String
    var table: Int
    /// What tells its rows apart.
    var key: String
    /// What names the entity of a row; nil where all are of one.
    var kind: String?
    var columns: [CopiedColumn] = []

    /// Whether another column has its values from the same one.
    func isShared(_ column: CopiedColumn) -> Bool {
      column.relational != nil
        && columns.contains { $0.relational == column.relational && $0.target != column.target }
    }
  }

  /// A column that is copied from one layout to the other.
  struct CopiedColumn {
    /// What the relational layout has for it, in SQL.
    var source: String
    /// The column there, if the rows are those of entities.
    var relational: Int?
    /// Whether it is a place in an ordered collection.
    var isPosition = false
    /// The column in the layout of Core Data.
    var target: Int
    /// The form of its values, where that differs.
    var form: CoreDataForm?
    var entity: String
    /// The name of the property.
    var property: String
  }

  /// Copies the rows of a table, with one statement.
  func copyRows(of table: Int, _ database: Database) throws(StoreError) {
    guard let copied = copiedRows(of: table) else { return }
    try database.execute(
      "\(insertion(of: copied, into: table)) FROM main.\(SQL.quoted(copied.name)) "
        + "ORDER BY \(copied.key);")
  }

  /// The beginning of a statement that inserts rows into a table: up to where they come from.
  func insertion(of copied: CopiedRows, into table: Int) -> String {
    let declared = layout.tables[table]
    let targets =
      [CoreDataLayout.keyColumn, CoreDataLayout.entityColumn, CoreDataLayout.counterColumn]
      + copied.columns.map { SQL.quoted(declared.columns[$0.target].name) }
    let values =
      [copied.key, entityNumber(copied, in: table), "1"]
      + copied.columns.map { value($0, of: copied, in: table, key: copied.key) }
    return "INSERT INTO \(target(declared.name)) (\(targets.joined(separator: ", "))) "
      + "SELECT \(values.joined(separator: ", "))"
  }

  /// The number of a row's entity, in SQL.
  func entityNumber(_ copied: CopiedRows, in table: Int) -> String {
    let members = layout.members[table]
    guard let kind = copied.kind else { return "\(members[0])" }
    let cases = members.map {
      "WHEN \(Self.literal(layout.entities[$0 - 1].entity.name)) THEN \($0)"
    }
    return "CASE \(kind) \(cases.joined(separator: " ")) ELSE \(members[0]) END"
  }

  /// The value of a column in Core Data's form, in SQL; in rows of entities that have another column
  /// for the property of this name, which is cleared there, the value as it is.
  func value(
    _ column: CopiedColumn, of copied: CopiedRows, in table: Int, key: String
  ) -> String {
    let converted = converted(column, in: table, key: key)
    guard column.form != nil, let kind = copied.kind, copied.isShared(column) else {
      return converted
    }
    let owners = layout.members[table].map { layout.entities[$0 - 1] }
      .filter { $0.attributes[column.property] == column.target }
      .map { Self.literal($0.entity.name) }
    return "iif(\(kind) IN (\(owners.joined(separator: ", "))), \(converted), \(column.source))"
  }

  private func converted(_ column: CopiedColumn, in table: Int, key: String) -> String {
    let source = column.source
    guard let form = column.form,
      let number = forms.number(ofColumn: column.target, in: table)
    else { return source }
    let converted = "\(CoreDataForms.toCoreData)(\(number), \(key), \(source))"
    // Only zero may be negative zero, and NaN is a text; and no call is needed for nothing.
    if case .real = form {
      return "iif(\(source) = 0 OR typeof(\(source)) = 'text', \(converted), \(source))"
    }
    return "iif(\(source) IS NULL, NULL, \(converted))"
  }

  /// The key of a place in an ordered collection, in SQL: Core Data counts from 2048 in steps of
  /// 1024.
  static func orderKey(_ position: String) -> String {
    "min(\(position), \((Int64.max - 2_048) / 1_024)) * 1024 + 2048"
  }

  /// The place in an ordered collection, counted from 0, of such a key.
  static func position(_ orderKey: String) -> String { "(\(orderKey) - 2048) / 1024" }
}
