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
  }

  /// A column that is copied from one layout to the other.
  struct CopiedColumn {
    /// What the relational layout has for it, in SQL.
    var source: String
    /// The column in the layout of Core Data.
    var target: Int
    /// The form of its values, where that differs.
    var form: CoreDataForm?
    var entity: String
    /// The name of the property.
    var property: String
  }

  /// Copies the rows of a table, with one statement.
  func copyRows(
    of table: Int, _ database: Database, _ onLoss: (Loss) -> Void
  ) throws(StoreError) {
    guard let root = layout.members[table].first, let copied = copiedRows(of: table) else { return }
    let declared = layout.tables[table]
    let targets =
      [CoreDataLayout.keyColumn, CoreDataLayout.entityColumn, CoreDataLayout.counterColumn]
      + copied.columns.map { SQL.quoted(declared.columns[$0.target].name) }
    let values =
      [copied.key, entityNumber(copied, layout.members[table], root), "1"]
      + copied.columns.enumerated().map { value($0, $1, key: copied.key) }
    let forms = copied.columns.map(\.form)
    try database.withFunction(Self.conversion, argumentCount: 3) { call in
      let number = Int(call.integer(0))
      return forms[number]?.value(call[2]) { before, after in
        let column = copied.columns[number]
        onLoss(
          Loss(
            entity: column.entity, attribute: column.property, table: copied.table,
            row: call.integer(1), before: before, after: after))
      } ?? call[2]
    } _: { () throws(StoreError) in
      try database.execute(
        """
        INSERT INTO \(target(declared.name)) (\(targets.joined(separator: ", ")))
          SELECT \(values.joined(separator: ", ")) FROM main.\(SQL.quoted(copied.name))
          ORDER BY \(copied.key);
        """)
    }
  }

  /// The function that statements call for values that Core Data stores in another form: with the
  /// number of the column, the key of the row, and the value.
  private static let conversion = "core_data_value"

  /// The number of a row's entity, in SQL.
  private func entityNumber(_ copied: CopiedRows, _ members: [Int], _ root: Int) -> String {
    guard let kind = copied.kind else { return "\(root)" }
    let cases = members.map {
      "WHEN \(Self.literal(layout.entities[$0 - 1].entity.name)) THEN \($0)"
    }
    return "CASE \(kind) \(cases.joined(separator: " ")) ELSE \(root) END"
  }

  /// The value of a column in Core Data's form, in SQL.
  private func value(_ number: Int, _ column: CopiedColumn, key: String) -> String {
    let source = column.source
    guard let form = column.form else { return source }
    let converted = "\(Self.conversion)(\(number), \(key), \(source))"
    // Only zero may be negative zero.
    if case .real = form { return "iif(\(source) = 0, \(converted), \(source))" }
    return converted
  }

  /// The key of a place in an ordered collection, in SQL: Core Data counts from 2048 in steps of
  /// 1024.
  static func orderKey(_ position: String) -> String {
    "min(\(position), \((Int64.max - 2_048) / 1_024)) * 1024 + 2048"
  }
}
