import Stores

/// A table of a Core Data store, as Core Data declares it.
package struct CoreDataTable: Sendable, Equatable {
  /// The types that Core Data declares.
  package enum ColumnType: String, Sendable {
    case integer = "INTEGER"
    case float = "FLOAT"
    case timestamp = "TIMESTAMP"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"
  }

  package struct Column: Sendable, Equatable {
    package var name: String
    package var type: ColumnType
    package var isPrimaryKey = false

    package init(name: String, type: ColumnType, isPrimaryKey: Bool = false) {
      self.name = name
      self.type = type
      self.isPrimaryKey = isPrimaryKey
    }

    package var declaration: String {
      "\(SQL.quoted(name)) \(type.rawValue)\(isPrimaryKey ? " PRIMARY KEY" : "")"
    }
  }

  package var name: String
  package var columns: [Column]
  /// The columns that together are the primary key, if it is not one column.
  var primaryKey: [String] = []

  /// The statement that makes the table, spelled as Core Data does.
  package var creation: String {
    var parts = columns.map(\.declaration)
    if !primaryKey.isEmpty {
      parts.append("PRIMARY KEY (\(primaryKey.map(SQL.quoted).joined(separator: ", ")))")
    }
    return "CREATE TABLE \(SQL.quoted(name)) ( \(parts.joined(separator: ", ")) )"
  }
}

extension CoreDataTable {
  /// An index of a Core Data store.
  package struct StoredIndex: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
      package var name: String
      /// True if small values come first; nil where Core Data does not say.
      package var isAscending: Bool?

      package var declaration: String {
        guard let isAscending else { return SQL.quoted(name) }
        return "\(SQL.quoted(name)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
      }
    }

    package var name: String
    package var table: String
    package var columns: [Column]
    package var isUnique = false
    /// What the model says is unique; nil for any other index.
    package var constraint: Constraint?

    /// The properties that no two rows have alike.
    package struct Constraint: Sendable, Equatable {
      package var entity: String
      package var properties: [String]
    }

    /// The rows that are alike in all columns of the index, none of which is empty: those that a
    /// unique index refuses.
    ///
    /// - Parameter schema: The name of the database among those of a connection; nil for its own.
    /// - Returns: A condition on the rows of the table, which is called `t`.
    package func repetition(in schema: String? = nil) -> String {
      let list = columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
      let filled = columns.map { "\(SQL.quoted($0.name)) IS NOT NULL" }.joined(separator: " AND ")
      let prefix = schema.map { "\($0)." } ?? ""
      let own = columns.map { "t.\(SQL.quoted($0.name))" }.joined(separator: ", ")
      return "(\(own)) IN (SELECT \(list) FROM \(prefix)\(SQL.quoted(table)) WHERE \(filled) "
        + "GROUP BY \(list) HAVING count(*) > 1)"
    }

    /// The statement that makes the index, spelled as Core Data does.
    ///
    /// - Parameter schema: The name of the database among those of a connection; nil for its own.
    /// - Returns: The statement.
    package func creation(in schema: String? = nil) -> String {
      let list = columns.map(\.declaration).joined(separator: ", ")
      let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
      let prefix = schema.map { "\($0)." } ?? ""
      return "CREATE \(kind) \(prefix)\(SQL.quoted(name)) ON \(SQL.quoted(table)) (\(list))"
    }
  }
}
