import Importer

/// Records for GRDB 7: a structure for each table, with associations in the order of the archive.
struct GRDBCode {
  private let outline: StoreOutline

  init(_ outline: StoreOutline) { self.outline = outline }

  func files() -> [StoreCode.File] {
    var files = [
      StoreCode.File(name: "_StoreValues.swift", text: head + Self.values, isForHumans: false)
    ]
    for entity in outline.entities {
      files.append(
        StoreCode.File(
          name: "_\(entity.name).swift", text: head + text(entity), isForHumans: false))
      files.append(
        StoreCode.File(
          name: "\(entity.name).swift",
          text: "// A place for your own code: this file is written once.\n\nextension "
            + "\(entity.name) {\n}\n", isForHumans: true))
    }
    return files.sorted { $0.name.precedesInBytes($1.name) }
  }

  private var head: String {
    "// \(StoreCode.mark), which replaces this file.\nimport Foundation\nimport GRDB\n\n"
  }

  /// The words that members and types may not be called.
  static let reservedWords = SwiftSource.reservedWords.union(
    SwiftSource.words(
      """
      Bool CodingKeys Codable Column Columns Data Database DatabaseValue Date Decimal Double Encoder
      FetchableRecord ForeignKey Foundation GRDB Hashable ID Identifiable InsertionSuccess Int Int64
      JSONValue MutablePersistableRecord QueryInterfaceRequest Row Sendable StoreRecord StoreValue
      String TableRecord URL UUID belongsTo databaseTableName didInsert hasMany hashValue request
      """))

  // MARK: Types

  private func text(_ entity: StoreOutline.Entity) -> String {
    let stored = entity.columns.filter { $0.computed == nil }
    let isTable = entity.key != nil
    var lines = [
      "/// A row of the \(isTable ? "table" : "view") \(code(entity.table))"
        + (entity.classes.isEmpty
          ? "." : ": an archived \(entity.classes.map(code).joined(separator: " or "))."),
      "struct \(entity.name): Codable, \(isTable ? "Identifiable, " : "")Hashable, Sendable {",
    ]
    for column in stored {
      if let key = column.key, key != column.member { lines.append("  /// The key \(code(key)).") }
      if column.kind == .json { lines.append("  /// JSON: see values.md for the fields.") }
      lines.append("  var \(column.member): \(type(of: column, entity))")
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
    return lines.joined(separator: "\n") + "\n"
  }

  private func type(of column: StoreOutline.Column, _ entity: StoreOutline.Entity) -> String {
    let type =
      switch column.kind {
      case .boolean: "Bool"
      case .integer: "Int64"
      case .real: "Double"
      case .text: "String"
      case .date: "Date"
      case .decimal: "Decimal"
      case .uuid: "UUID"
      case .url: "URL"
      case .data: "Data"
      case .json: "JSONValue"
      case .any: "StoreValue"
      }
    // SQLite numbers rows that have no number yet.
    return column.isOptional || column.name == entity.key ? "\(type)?" : type
  }

  // MARK: Associations

  private func lines(_ link: StoreOutline.Link, of entity: StoreOutline.Entity) -> [String] {
    switch link.route {
    case .reference(let column, let table):
      guard let target = outline.entity(table) else { return [] }
      return [
        "",
        "  /// The row that \(code(column)) leads to.",
        "  static let \(link.member) = belongsTo(",
        "    \(target.name).self, key: \(SwiftSource.literal(link.member)), "
          + "using: \(foreignKey(column)))",
        "  var \(link.member): QueryInterfaceRequest<\(target.name)> "
          + "{ request(for: Self.\(link.member)) }",
      ]
    case .members(let table, let column, let position):
      guard let members = outline.entity(table) else { return [] }
      return [""]
        + many(
          link.member, members, column, position, of: "The rows whose \(code(column)) leads here")
    case .links(let table, let owner, let column, let target, _, let position):
      guard let links = outline.entity(table), let rows = link.rows,
        let members = target.flatMap(outline.entity),
        let end = links.links.first(where: {
          if case .reference(column, _) = $0.route { true } else { false }
        })
      else { return [] }
      return [""]
        + many(rows, links, owner, position, of: "The rows of \(code(table)) that lead from here")
        + [
          "",
          "  static let \(link.member) = hasMany(",
          "    \(members.name).self, through: \(rows), using: \(links.name).\(end.member),",
          "    key: \(SwiftSource.literal(link.member)))",
          "  var \(link.member): QueryInterfaceRequest<\(members.name)> "
            + "{ request(for: Self.\(link.member)) }",
        ]
    }
  }

  private func many(
    _ member: String, _ members: StoreOutline.Entity, _ column: String, _ position: String?,
    of words: String
  ) -> [String] {
    let order = position.map { ".order(\(members.name).Columns.\(members.member($0)))" } ?? ""
    return [
      "  /// \(words)\(position == nil ? "" : ", in their order").",
      "  static let \(member) = hasMany(",
      "    \(members.name).self, key: \(SwiftSource.literal(member)), "
        + "using: \(foreignKey(column))",
      "  )\(order)",
      "  var \(member): QueryInterfaceRequest<\(members.name)> "
        + "{ request(for: Self.\(member)) }",
    ]
  }

  private func foreignKey(_ column: String) -> String {
    "ForeignKey([\(SwiftSource.literal(column))])"
  }

  /// A name in a comment, which it cannot end.
  private func code(_ name: String) -> String {
    "`\(SwiftSource.literal(name).dropFirst().dropLast())`"
  }
}
