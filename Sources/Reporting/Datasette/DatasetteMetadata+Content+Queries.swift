import RelationalStores
import SQLite

/// Links to what Datasette does not link itself: the rows of relationships to several rows.
extension DatasetteMetadata.Content {
  /// A link for each relationship of an entity to several rows: to a query for these, each with the
  /// row that it belongs to, in order.
  func relationshipLinks(of entity: ConversionReport.Entity) -> [String] {
    guard let table = table(of: entity.name) else { return [] }
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
    /// What stands after `FROM table AS owner`.
    var join: String
    /// What is selected beside the owner.
    var columns: String
    var order: [String]
  }

  private func sql(_ path: Path, from table: String, _ entity: String) -> String {
    let key = SQL.quoted(key(of: table))
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

  /// Which rows of the table that a view shows are those of the view.
  private func condition(_ entity: String, of table: String) -> String {
    let key = SQL.quoted(key(of: table))
    return "owner.\(key) IN (SELECT \(key) FROM \(SQL.quoted(entity)))"
  }

  private func path(
    of relationship: ConversionReport.Relationship, from entity: ConversionReport.Entity,
    _ table: String
  ) -> Path? {
    let name = relationship.name
    // A table of links of its own, or that of the inverse.
    if let path = links("\(entity.name)_\(name)", from: table, isInverse: false, name) {
      return path
    }
    guard let inverse = relationship.inverse, let members = self.table(of: relationship.destination)
    else { return nil }
    if let path = links(
      "\(relationship.destination)_\(inverse)", from: table, isInverse: true, name)
    {
      return path
    }
    guard has(inverse + "_id", in: members) else { return nil }
    let position = name + "_position"
    let order = has(position, in: members) ? ["member.\(SQL.quoted(position))"] : []
    return Path(
      join: "JOIN \(SQL.quoted(members)) AS member ON member.\(SQL.quoted(inverse + "_id")) = "
        + "owner.\(SQL.quoted(key(of: table)))",
      columns: "member.*", order: order + ["member.\(SQL.quoted(key(of: members)))"])
  }

  /// The way by a column of references; nil if there is none.
  private func reference(
    _ column: String, _ type: String, in place: String, _ table: String
  ) -> Path? {
    guard let found = schema.tables[table]?.columns.first(where: { $0.name == column }) else {
      return nil
    }
    let reference = "\(place).\(SQL.quoted(column))"
    guard let target = found.references else {
      // Rows of several tables have no columns in common.
      return Path(
        join: "", columns: "\(place).\(SQL.quoted(type)), \(reference)", order: [])
    }
    return Path(
      join: "JOIN \(SQL.quoted(target)) AS member ON member.\(SQL.quoted(key(of: target))) = "
        + reference,
      columns: "member.*", order: [])
  }

  /// The way by a table of links; nil if there is none of that name.
  private func links(
    _ name: String, from table: String, isInverse: Bool, _ relationship: String
  ) -> Path? {
    guard let form = schema.tables[name] else { return nil }
    let references = form.columns.filter { $0.references != nil }
    guard let first = references.first else { return nil }
    let owner = isInverse ? references.dropFirst().first : first
    guard let owner, owner.references == table else { return nil }
    let target: Path?
    if isInverse {
      target = reference(first.name, "", in: "link", name)
    } else if let second = references.dropFirst().first {
      target = reference(second.name, "", in: "link", name)
    } else {
      target = reference("value_id", "value_type", in: "link", name)
    }
    guard var path = target else { return nil }
    let position = isInverse ? relationship + "_position" : "position"
    if has(position, in: name) { path.order.append("link.\(SQL.quoted(position))") }
    path.order.append("link.\(SQL.quoted(key(of: name)))")
    path.join =
      "JOIN \(SQL.quoted(name)) AS link ON link.\(SQL.quoted(owner.name)) = "
      + "owner.\(SQL.quoted(key(of: table)))" + (path.join.isEmpty ? "" : "\n\(path.join)")
    return path
  }
}
