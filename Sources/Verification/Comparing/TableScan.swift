import Importer
import RelationalStores
import SQLite

/// How the rows of a table of entities are read to be compared: the columns that they must have,
/// and those that they have beside them.
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
    /// Its index in the table, and its place in the rows that are read.
    var index: Int
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
  /// The statement that reads the rows with ids after one and up to another, in order.
  let sql: String

  init?(_ index: Int, _ plan: ImportPlan, _ store: VerifiedStore) {
    table = plan.layout.tables[index]
    guard let declared = store.columns(of: table.name) else { return nil }
    var uses = Array(repeating: Use.other, count: table.columns.count)
    for entity in plan.layout.entities where entity.table == index {
      for place in entity.properties.values {
        if let column = place.value { uses[column] = .value }
        if let column = place.reference { uses[column] = .link }
      }
    }
    let names = declared.map(\.name)
    let found = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    places = table.columns.map { found[$0.name] }
    columns = places.enumerated().dropFirst().compactMap { index, place in
      place.map {
        Column(index: index, place: $0, use: uses[index], isReal: declared[$0].isReal)
      }
    }
    let own = Set(table.columns.map(\.name))
    others = declared.enumerated().filter { !own.contains($1.name) }.map { ($1.name, $0) }
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let key = table.quotedKey
    sql =
      "SELECT \(list) FROM \(SQL.quoted(table.name)) "
      + "WHERE \(key) > ? AND \(key) <= ? ORDER BY \(key)"
  }

  /// Where the id stands in the rows that are read.
  var id: Int? { places[0] }
}
