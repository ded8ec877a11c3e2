import Importer

/// Records for GRDB 7: a structure for each table, with associations in the order of the archive.
struct GRDBCode {
  private let outline: StoreOutline

  init(_ outline: StoreOutline) { self.outline = outline }

  func files() -> [CodeFile] {
    SwiftCode.files(
      outline, importing: "GRDB", for: "For GRDB 7 and a store in the relational layout.",
      values: Self.values, lines)
  }

  /// The words that members and types may not be called.
  static let reservedWords = SwiftCode.reservedWords(
    """
    CodingKey CodingKeys Columns Database ForeignKey GRDB InsertionSuccess MutablePersistableRecord
    QueryInterfaceRequest Row belongsTo databaseTableName didInsert hasMany request
    """, using: values
  ).union(SwiftCode.reservedWords)

  // MARK: Types

  private func lines(_ entity: StoreOutline.Entity) -> [String] {
    let stored = entity.columns.filter { $0.computed == nil }
    let isTable = entity.key != nil
    var lines = [
      entity.swiftDocumentation,
      "struct \(entity.name): Codable, \(isTable ? "Identifiable, " : "")Hashable, Sendable {",
    ]
    lines += entity.swiftMembers { column in
      // SQLite numbers rows that have no number yet.
      let isOptional = column.isOptional || column.name == entity.key
      return column.computed == nil
        ? ["var \(column.member): \(column.kind.swiftType)\(isOptional ? "?" : "")"] : []
    }
    lines += ["", "  enum CodingKeys: String, CodingKey {"]
    lines += stored.map { column in
      column.member == column.name
        ? "    case \(column.member)"
        : "    case \(column.member) = \(SwiftSource.literal(column.name))"
    }
    lines += ["  }", "", "  enum Columns {"]
    lines += entity.columns.map {
      "    static let \($0.member) = Column(\(SwiftSource.literal($0.name)))"
    }
    lines += [
      "  }", "}", "",
      "extension \(entity.name): \(isTable ? "MutablePersistableRecord, " : "")StoreRecord {",
      "  static let databaseTableName = \(SwiftSource.literal(entity.table))",
    ]
    if let key = entity.key {
      let member = entity.member(key)
      if member != "id" { lines.append("  var id: Int64? { \(member) }") }
      lines += [
        "",
        "  mutating func didInsert(_ inserted: InsertionSuccess) { \(member) = inserted.rowID }",
      ]
    }
    lines.append("}")
    let links = entity.links.flatMap { self.lines($0, of: entity) }
    if !links.isEmpty { lines += ["", "extension \(entity.name) {"] + links.dropFirst() + ["}"] }
    return lines
  }

  // MARK: Associations

  private func lines(_ link: StoreOutline.Link, of entity: StoreOutline.Entity) -> [String] {
    let comment = ["", "  \(link.route.swiftDocumentation)"]
    switch link.route {
    case .reference(let column, let table):
      guard let target = outline.entity(table) else { return [] }
      return comment
        + [
          "  static let \(link.member) = belongsTo(",
          "    \(target.name).self, key: \(SwiftSource.literal(link.member)), "
            + "using: \(foreignKey(column)))",
          request(link.member, target),
        ]
    case .members(let table, let column, let position):
      guard let members = outline.entity(table) else { return [] }
      return comment + many(link.member, members, column, position)
    case .links(let table, let owner, let column, let target, _, let position):
      guard let links = outline.entity(table), let rows = link.rows,
        let members = target.flatMap(outline.entity), let end = links.reference(column)
      else { return [] }
      return comment + many(rows, links, owner, position)
        + [
          "",
          "  static let \(link.member) = hasMany(",
          "    \(members.name).self, through: \(rows), using: \(links.name).\(end.member),",
          "    key: \(SwiftSource.literal(link.member)))",
          request(link.member, members),
        ]
    }
  }

  private func many(
    _ member: String, _ members: StoreOutline.Entity, _ column: String, _ position: String?
  ) -> [String] {
    let order = position.map { ".order(\(members.name).Columns.\(members.member($0)))" } ?? ""
    return [
      "  static let \(member) = hasMany(",
      "    \(members.name).self, key: \(SwiftSource.literal(member)), "
        + "using: \(foreignKey(column))",
      "  )\(order)",
      request(member, members),
    ]
  }

  private func request(_ member: String, _ target: StoreOutline.Entity) -> String {
    "  var \(member): QueryInterfaceRequest<\(target.name)> { request(for: Self.\(member)) }"
  }

  private func foreignKey(_ column: String) -> String {
    "ForeignKey([\(SwiftSource.literal(column))])"
  }
}
