import Foundation

/// One random change of a finished store, and where a verification has to notice it.
package struct StoreMutation {
  /// The statement that makes the change.
  package let sql: String
  /// The table or entity that has to be named.
  package let entity: String
  /// The rows of which one has to be named, as text; none if any row may be.
  package let rows: Set<String>
  /// The column that has to be named, or that begins with it; empty if the row is enough.
  package let property: String

  /// A table of the store.
  private struct Table {
    var name: String
    var columns: [StoreQuery.Column]
    /// The entity that the rows of a table of elements belong to.
    var owner: String?
    /// The entity of the members, where the table has their positions in the collections of both
    /// sides; and the column that names them.
    var member: (entity: String, column: String)?

    var quoted: String { "\"\(name.replacing("\"", with: "\"\""))\"" }
  }

  /// What a verification at a later time cannot compare: when it was, and where files were.
  private static let incomparable: Set<String> = ["_archive.path", "_archive.converted"]

  /// Makes a random change; nil if the one that came up cannot be made.
  package init?(of store: StoreQuery, using generator: inout SeededGenerator) throws {
    let tables = try Self.tables(of: store)
    guard let table = tables.randomElement(using: &generator) else { return nil }
    let count = Int(try store.value("SELECT count(*) FROM \(table.quoted)")) ?? 0
    guard count > 0 else { return nil }
    func rowid() throws -> String {
      let place = Int.random(in: 0..<count, using: &generator)
      return try store.value(
        "SELECT rowid FROM \(table.quoted) ORDER BY rowid LIMIT 1 OFFSET \(place)")
    }
    let row = try rowid()
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: try self.init(deleting: row, from: table, store)
    case 1: try self.init(duplicating: row, of: table, store)
    case 2: try self.init(swapping: row, try rowid(), of: table, store, &generator)
    default: try self.init(changing: row, of: table, store, &generator)
    }
  }

  private static func tables(of store: StoreQuery) throws -> [Table] {
    let names = try store.lines(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> '_run' ORDER BY name
      """)
    return try names.map { name in
      let literal = "'\(name.replacing("'", with: "''"))'"
      let columns = try store.columnsWithContent(of: name)
      var table = Table(name: name, columns: columns)
      if !columns.contains(where: \.isKey), name == "_collection_element" || !name.hasPrefix("_") {
        table.owner = try store.value(
          """
          SELECT "table" FROM pragma_foreign_key_list(\(literal))
            WHERE "from" = '\(columns[0].name)' LIMIT 1
          """)
        let others = try store.rows(
          """
          SELECT "table", "from" FROM pragma_foreign_key_list(\(literal))
            WHERE "from" <> '\(columns[0].name)'
          """)
        table.member = others.first.map { ($0[0], $0[1]) }
      }
      return table
    }
  }

  private init(sql: String, entity: String, rows: Set<String>, property: String) {
    self.sql = sql
    self.entity = entity
    self.rows = rows
    self.property = property
  }

  private init(
    _ sql: String, _ table: Table, _ rows: Set<String>, _ property: String = ""
  ) {
    self.init(sql: sql, entity: table.owner ?? table.name, rows: rows, property: property)
  }

  /// The row that is named where a row of a table is concerned: that of its owner, if it has one.
  private static func named(
    _ row: String, of table: Table, _ store: StoreQuery
  ) throws -> String {
    guard table.owner != nil else { return row }
    return try store.value(
      "SELECT \(table.columns[0].quoted) FROM \(table.quoted) WHERE rowid = \(row)")
  }

  private init(deleting row: String, from table: Table, _ store: StoreQuery) throws {
    let named = try Self.named(row, of: table, store)
    // Of a row that is gone, the tables that keep account do not know the number.
    let isCounted = table.owner != nil || !table.name.hasPrefix("_") || table.name == "_collection"
    self.init(
      "DELETE FROM \(table.quoted) WHERE rowid = \(row)", table, isCounted ? [named] : [])
  }

  private init(duplicating row: String, of table: Table, _ store: StoreQuery) throws {
    let named = try Self.named(row, of: table, store)
    let others = table.columns.filter { !$0.isKey }.map(\.quoted).joined(separator: ", ")
    let last = try store.value("SELECT max(rowid) + 1 FROM \(table.quoted)")
    self.init(
      """
      INSERT INTO \(table.quoted) (rowid, \(others))
        SELECT \(last), \(others) FROM \(table.quoted) WHERE rowid = \(row)
      """, table, [table.owner == nil ? last : named])
  }

  private init?(
    swapping first: String, _ second: String, of table: Table, _ store: StoreQuery,
    _ generator: inout SeededGenerator
  ) throws {
    let columns = table.columns.filter {
      !$0.isKey && $0.type == "INTEGER" && !(table.owner != nil && $0.name.hasSuffix("_position"))
        && !Self.incomparable.contains("\(table.name).\($0.name)")
    }
    guard let column = columns.randomElement(using: &generator) else { return nil }
    func value(_ row: String) throws -> String {
      try store.value("SELECT \(column.quoted) FROM \(table.quoted) WHERE rowid = \(row)")
    }
    let values = (try value(first), try value(second))
    guard values.0 != values.1 else { return nil }
    let own = try Self.named(first, of: table, store)
    let other = try Self.named(second, of: table, store)
    // Where elements change places within a collection without an order, nothing has changed.
    if table.owner != nil {
      let rest = table.columns.filter { $0.name != column.name }.map(\.quoted)
      let same = try store.rows(
        """
        SELECT DISTINCT \(rest.joined(separator: ", ")) FROM \(table.quoted)
          WHERE rowid IN (\(first), \(second))
        """)
      guard same.count > 1 else { return nil }
    }
    self.init(
      """
      UPDATE \(table.quoted) SET \(column.quoted) = CASE rowid
          WHEN \(first) THEN \(values.1) ELSE \(values.0) END
        WHERE rowid IN (\(first), \(second))
      """, table, [own, other])
  }

  private init?(
    changing row: String, of table: Table, _ store: StoreQuery, _ generator: inout SeededGenerator
  ) throws {
    let columns = table.columns.filter {
      !$0.isKey && !Self.incomparable.contains("\(table.name).\($0.name)")
    }
    guard let column = columns.randomElement(using: &generator) else { return nil }
    let named = try Self.named(row, of: table, store)
    let found = try store.rows(
      "SELECT typeof(\(column.quoted)), \(column.quoted) FROM \(table.quoted) WHERE rowid = \(row)")
    guard let found = found.first else { return nil }
    let isCleared = !column.isRequired && Int.random(in: 0..<4, using: &generator) == 0
    guard
      let literal = isCleared && found[0] != "null"
        ? "NULL" : Self.literal(found[0], found[1], column.type, using: &generator)
    else { return nil }
    if let member = table.member, column.name.hasSuffix("_position") {
      // That is what the collection of the other side says.
      let named = try store.value(
        "SELECT \(member.column) FROM \(table.quoted) WHERE rowid = \(row)")
      self.init(
        sql: "UPDATE \(table.quoted) SET \(column.quoted) = \(literal) WHERE rowid = \(row)",
        entity: member.entity, rows: [named], property: "")
      return
    }
    let isOwner = table.owner != nil && column.name == table.columns[0].name
    var rows: Set<String> = [named]
    if isOwner { rows.insert(literal) }
    // Of archives and the tables that keep account of them, the row is enough.
    let isEntity = table.owner == nil && !table.name.hasPrefix("_")
    // What is said of another archive is missing here.
    if column.name == "archive_id" || table.name == "_class" { rows = [] }
    self.init(
      "UPDATE \(table.quoted) SET \(column.quoted) = \(literal) WHERE rowid = \(row)", table, rows,
      isEntity ? column.name : "")
  }

  /// Another value of the same kind: as little another as can be.
  private static func literal(
    _ kind: String, _ text: String, _ type: String, using generator: inout SeededGenerator
  ) -> String? {
    switch kind {
    case "null":
      switch type {
      case "REAL": return "1.5"
      case "TEXT": return "'x'"
      case "BLOB": return "x'00'"
      default: return "7"
      }
    case "integer":
      return Int64(text).map { "\($0 &+ 1)" }
    case "real":
      guard let value = Double(text), value.isFinite else { return nil }
      return String(format: "%.17g", value.nextUp)
        + (value.nextUp == value.nextUp.rounded() ? ".0" : "")
    case "text":
      var scalars = Array(text.unicodeScalars)
      guard !scalars.isEmpty else { return "'x'" }
      let place = Int.random(in: scalars.indices, using: &generator)
      switch scalars[place] {
      case "0"..."8": scalars[place] = Unicode.Scalar(scalars[place].value + 1) ?? "x"
      case "9": scalars[place] = "8"
      case "x": scalars[place] = "y"
      default: scalars[place] = "x"
      }
      var changed = String.UnicodeScalarView()
      changed.append(contentsOf: scalars)
      return "'\(String(changed).replacing("'", with: "''"))'"
    case "blob":
      var digits = Array(text.dropFirst(2).dropLast())
      guard !digits.isEmpty else { return "x'00'" }
      let place = Int.random(in: digits.indices, using: &generator)
      guard let digit = digits[place].hexDigitValue else { return nil }
      let bit = 1 << Int.random(in: 0..<4, using: &generator)
      digits[place] = Character(String(digit ^ bit, radix: 16))
      return "x'\(String(digits))'"
    default:
      return nil
    }
  }
}
