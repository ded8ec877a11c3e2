/// A table of a Core Data store, as Core Data declares it.
struct CoreDataTable: Sendable, Equatable {
  /// The types that Core Data declares.
  enum ColumnType: String, Sendable {
    case integer = "INTEGER"
    case float = "FLOAT"
    case timestamp = "TIMESTAMP"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"
  }

  struct Column: Sendable, Equatable {
    var name: String
    var type: ColumnType
    var isPrimaryKey = false

    var declaration: String {
      "\(SQL.quoted(name)) \(type.rawValue)\(isPrimaryKey ? " PRIMARY KEY" : "")"
    }
  }

  var name: String
  var columns: [Column]
  /// The columns that together are the primary key, if it is not one column.
  var primaryKey: [String] = []

  /// The statement that makes the table, spelled as Core Data does.
  var creation: String {
    var parts = columns.map(\.declaration)
    if !primaryKey.isEmpty {
      parts.append("PRIMARY KEY (\(primaryKey.map(SQL.quoted).joined(separator: ", ")))")
    }
    return "CREATE TABLE \(SQL.quoted(name)) ( \(parts.joined(separator: ", ")) )"
  }
}

/// An index of a Core Data store.
struct CoreDataIndex: Sendable, Equatable {
  struct Column: Sendable, Equatable {
    var name: String
    /// Whether small values come first; nil where Core Data does not say.
    var isAscending: Bool?

    var declaration: String {
      guard let isAscending else { return SQL.quoted(name) }
      return "\(SQL.quoted(name)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
    }
  }

  var name: String
  var table: String
  var columns: [Column]
  var isUnique = false

  /// The statement that makes the index, spelled as Core Data does.
  var creation: String {
    let list = columns.map(\.declaration).joined(separator: ", ")
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    return "CREATE \(kind) \(SQL.quoted(name)) ON \(SQL.quoted(table)) (\(list))"
  }
}
