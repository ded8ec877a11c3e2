import Stores

/// Links to what Datasette does not link itself: the rows of relationships to several rows.
extension DatasetteMetadata.Content {
  /// A link for each relationship of an entity to several rows: to a query for these, each with the
  /// row that it belongs to, in order.
  func relationshipLinks(of entity: ConversionReport.Entity) -> [String] {
    guard let table = tables.table(of: entity.name) else { return [] }
    return entity.relationships.compactMap { relationship in
      guard relationship.isToMany, let path = path(of: relationship, from: entity, table) else {
        return nil
      }
      let sql = Self.encoded(sql(path, from: table, entity.name), "%")
      return link(relationship.name, to: "?sql=\(sql)&_hide_sql=1")
    }
  }

  /// A link to a page of the database.
  ///
  /// It begins at the root of the server: a table and its rows, at another depth, have one
  /// description.
  func link(_ text: String, to page: String) -> String {
    let address = HTMLText.escaped("/\(Self.encoded(name, "~"))\(page)")
    return "<a href=\"\(address)\">\(HTMLText.escaped(text))</a>"
  }

  /// A text as part of an address, in which a sign and two digits stand for a byte: `%` in queries,
  /// and `~` in Datasette's paths.
  private static func encoded(_ text: String, _ sign: String) -> String {
    text.utf8.reduce(into: "") { address, byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || character == "_" {
        address.append(character)
      } else {
        address += sign + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// The way from the rows of one table to those of another, in SQL.
  private struct Path {
    /// The SQL after `FROM table AS owner`.
    var join: String
    /// The columns that are selected beside the owner.
    var columns: String
    var order: [String]
  }

  private func sql(_ path: Path, from table: String, _ entity: String) -> String {
    let key = SQL.quoted(tables.key(of: table))
    let label = labels[table].map { "owner.\(SQL.quoted($0))" } ?? "owner.\(key)"
    let condition = table == entity ? "" : "\n  AND " + condition(entity, of: table)
    return """
      SELECT \(label) AS \(SQL.quoted("\(entity) (owner)")), \(path.columns)
      FROM \(SQL.quoted(table)) AS owner
      \(path.join)
      WHERE (:owner_id = '' OR owner.\(key) = :owner_id)\(condition)
      ORDER BY \((["owner.\(key)"] + path.order).joined(separator: ", "))
      """
  }

  /// The condition for the rows of a view, in the table that it shows.
  private func condition(_ entity: String, of table: String) -> String {
    let key = SQL.quoted(tables.key(of: table))
    return "owner.\(key) IN (SELECT \(key) FROM \(SQL.quoted(entity)))"
  }

  private func path(
    of relationship: ConversionReport.Relationship, from entity: ConversionReport.Entity,
    _ table: String
  ) -> Path? {
    switch tables.route(of: relationship, from: entity) {
    case .members(let members, let column, let position):
      let order = position.map { ["member.\(SQL.quoted($0))"] } ?? []
      return Path(
        join: "JOIN \(SQL.quoted(members)) AS member ON member.\(SQL.quoted(column)) = "
          + "owner.\(SQL.quoted(tables.key(of: table)))",
        columns: "member.*", order: order + ["member.\(SQL.quoted(tables.key(of: members)))"])
    case .links(let links, let owner, let column, let target, let typeColumn, let position):
      let order = [position, tables.key(of: links)].compactMap(\.self)
      var path = Path(
        join: "JOIN \(SQL.quoted(links)) AS link ON link.\(SQL.quoted(owner)) = "
          + "owner.\(SQL.quoted(tables.key(of: table)))",
        columns: "member.*", order: order.map { "link.\(SQL.quoted($0))" })
      let reference = "link.\(SQL.quoted(column))"
      if let target {
        path.join +=
          "\nJOIN \(SQL.quoted(target)) AS member ON member.\(SQL.quoted(tables.key(of: target))) = "
          + reference
      } else {
        // Rows of several tables have no columns in common.
        path.columns = "link.\(SQL.quoted(typeColumn)), \(reference)"
      }
      return path
    case .reference, nil: return nil
    }
  }
}
