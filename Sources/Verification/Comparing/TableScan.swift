import Importer
import RelationalStores
import SQLite

/// How the rows of a table of entities are read to be compared: the columns that they must have, and
/// those that they have beside them.
struct TableScan {
  /// What a column is for.
  enum Use {
    case value
    case link
    /// It goes with another: a position, a type, a length, the name of an entity.
    case other
  }

  /// A column of the table that the store has as well.
  struct Column {
    /// Its number in the table, and its place in the rows that are read.
    var number: Int
    var place: Int
    var use: Use
    /// Whether the store declares it as one of reals.
    var isReal: Bool
  }

  let table: Table
  /// For each column, where it stands in the rows that are read; nil if the store has none.
  let places: [Int?]
  /// The columns that are compared: all that there are, but for the id.
  let columns: [Column]
  /// Columns that other runs have added.
  let others: [(name: String, place: Int)]
  private let names: [String]

  init?(_ number: Int, _ plan: ImportPlan, _ store: VerifiedStore) {
    table = plan.layout.tables[number]
    guard let declared = store.columns(of: table.name) else { return nil }
    var uses = Array(repeating: Use.other, count: table.columns.count)
    for entity in plan.layout.entities where entity.table == number {
      for place in entity.properties.values {
        if let column = place.value { uses[column] = .value }
        if let column = place.reference { uses[column] = .link }
      }
    }
    names = declared.map(\.name)
    let found = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    places = table.columns.map { found[$0.name] }
    columns = places.enumerated().dropFirst().compactMap { number, place in
      place.map {
        Column(number: number, place: $0, use: uses[number], isReal: declared[$0].isReal)
      }
    }
    let own = Set(table.columns.map(\.name))
    others = declared.enumerated().filter { !own.contains($1.name) }.map { ($1.name, $0) }
  }

  /// Where the id stands in the rows that are read.
  var id: Int? { places[0] }

  /// The statement that reads the rows with ids behind one and up to another, in order.
  var sql: String {
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let key = table.quotedKey
    return "SELECT \(list) FROM \(SQL.quoted(table.name)) "
      + "WHERE \(key) > ? AND \(key) <= ? ORDER BY \(key)"
  }
}

/// How the rows of a table of elements are read to be compared, in the order of their owners.
struct ElementScan {
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
  let others: [(name: String, place: Int)]
  /// For each column of the rows that are read, whether it is declared as one of reals.
  let isReal: [Bool]
  let table: String
  private let names: [String]
  private let ownerName: String
  private let positionName: String?

  /// - Parameters:
  ///   - elements: The table.
  ///   - isInverse: Whether it is read from the side of the members, whose collections share it.
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
    names = columns.map(\.name)
    isReal = columns.map(\.isReal)
    let found = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    func place(_ column: Int?) -> Int? { column.flatMap { found[declared.columns[$0].name] } }
    let ownerColumn = isInverse ? elements.reference ?? elements.owner : elements.owner
    guard let owner = place(ownerColumn) else { return nil }
    self.owner = owner
    ownerName = declared.columns[ownerColumn].name
    let positionColumn = isInverse ? elements.inversePosition : elements.position
    position = place(positionColumn)
    positionName = positionColumn.map { declared.columns[$0].name }
    reference = place(isInverse ? elements.owner : elements.reference)
    inversePosition = isInverse ? nil : place(elements.inversePosition)
    key = place(elements.key)
    keyReference = place(elements.keyReference)
    keyType = place(elements.keyType)
    value = place(elements.value)
    referenceType = place(elements.referenceType)
    let own = Set(declared.declaredColumns.map(\.name))
    others = columns.enumerated().filter { !own.contains($1.name) }.map { ($1.name, $0) }
  }

  /// The statement that reads the rows with owners behind one and up to another, in order.
  var sql: String {
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let owner = SQL.quoted(ownerName)
    let order = ([owner] + (positionName.map { [SQL.quoted($0)] } ?? []) + ["rowid"])
      .joined(separator: ", ")
    return """
      SELECT \(list) FROM \(SQL.quoted(table)) WHERE \(owner) > ? AND \(owner) <= ?
        ORDER BY \(order)
      """
  }
}
