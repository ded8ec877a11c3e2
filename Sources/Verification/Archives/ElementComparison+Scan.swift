import Importer
import Stores

extension ElementComparison {
  /// The query for the rows of a table of elements, in the order of their owners.
  struct Scan {
    /// The columns, each by its place in the rows that are read; nil if there is none.
    let owner: Int
    let position: Int?
    let key: Int?
    let keyReference: Int?
    let keyType: Int?
    let value: Int?
    let reference: Int?
    let referenceType: Int?
    let inversePosition: Int?
    let others: [(name: String, cell: Int)]
    /// For each column of the rows that are read, whether it is declared as one of reals.
    let isReal: [Bool]
    let table: String
    /// The statement that reads the rows with owners after one and up to another, in order.
    let sql: String

    /// - Parameters:
    ///   - elements: The table.
    ///   - isInverse: True if it is read from the side of the members, whose collections share it.
    ///   - store: The store; nil is returned if it lacks the table, or a column.
    init?(
      _ elements: RelationalLayout.ElementTable, isInverse: Bool = false, _ store: VerifiedStore
    ) {
      let declared = elements.table
      guard let columns = store.columns(of: declared.name),
        declared.columns.allSatisfy({ column in
          column.numberOf != nil || columns.contains { $0.name == column.name }
        })
      else { return nil }
      table = declared.name
      let names = columns.map(\.name)
      isReal = columns.map(\.isReal)
      let found = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
      func place(_ column: Int?) -> Int? { column.flatMap { found[declared.columns[$0].name] } }
      let ownerColumn = isInverse ? elements.reference ?? elements.owner : elements.owner
      guard let owner = place(ownerColumn) else { return nil }
      self.owner = owner
      let positionColumn = isInverse ? elements.inversePosition : elements.position
      position = place(positionColumn)
      reference = place(isInverse ? elements.owner : elements.reference)
      inversePosition = isInverse ? nil : place(elements.inversePosition)
      key = place(elements.key)
      keyReference = place(elements.keyReference)
      keyType = place(elements.keyType)
      value = place(elements.value)
      referenceType = place(elements.referenceType)
      let own = Set(declared.declaredColumns.map(\.name))
      others = columns.enumerated().filter { !own.contains($1.name) }.map { ($1.name, $0) }
      let list = names.map(SQL.quoted).joined(separator: ", ")
      let ownerName = SQL.quoted(declared.columns[ownerColumn].name)
      let order =
        [ownerName] + (positionColumn.map { [SQL.quoted(declared.columns[$0].name)] } ?? [])
        + ["rowid"]
      sql = """
        SELECT \(list) FROM \(SQL.quoted(table)) WHERE \(ownerName) > ? AND \(ownerName) <= ?
          ORDER BY \(order.joined(separator: ", "))
        """
    }
  }
}
