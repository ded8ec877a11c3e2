import Importer

/// Structures for SQLiteData 1, with queries for what leads from one to another.
struct SQLiteDataCode {
  private let outline: StoreOutline

  init(_ outline: StoreOutline) { self.outline = outline }

  func files() -> [CodeFile] {
    SwiftCode.files(
      outline, importing: "SQLiteData",
      for: "For SQLiteData 1 and a store in the relational layout.",
      values: Self.values, lines)
  }

  /// The words that members and types may not be called.
  static let reservedWords = SwiftCode.reservedWords.union(
    SwiftSource.words(
      """
      Draft From QueryBindable QueryBinding QueryDecoder QueryValue SQLiteData SelectStatement
      SelectStatementOf Selection Statement StoreText StoreTextConvertible Table TableColumns allColumns
      columns primaryKey queryFragment tableName writableColumns
      """))

  // MARK: Types

  private func lines(_ entity: StoreOutline.Entity) -> [String] {
    let isTable = entity.key != nil
    var lines = [
      entity.swiftDocumentation,
      "@Table(\(SwiftSource.literal(entity.table)))",
      "struct \(entity.name): \(isTable ? "Identifiable, " : "")Hashable, Sendable {",
    ]
    lines += entity.swiftMembers { declaration($0, of: entity) }
    lines.append("}")
    let key = entity.key.map(entity.member)
    if let key, key != "id" {
      lines += ["", "extension \(entity.name) {", "  var id: Int64 { \(key) }", "}"]
    }
    let links = key.map { key in entity.links.flatMap { self.lines($0, of: entity, key) } } ?? []
    if !links.isEmpty { lines += ["", "extension \(entity.name) {"] + links.dropFirst() + ["}"] }
    return lines
  }

  private func declaration(
    _ column: StoreOutline.Column, of entity: StoreOutline.Entity
  ) -> [String] {
    let isKey = column.name == entity.key
    var type = column.kind.swiftType
    var representation: String?
    switch column.kind {
    case .any:
      return ["// \(SwiftCode.quoted(column.name)) has no type that SQLiteData could read."]
    case .date, .decimal, .json: representation = "StoreText<\(type)>"
    case .uuid: representation = "UUID.UppercasedRepresentation"
    default: break
    }
    if column.isOptional, !isKey {
      type += "?"
      representation = representation.map { "\($0)?" }
    }
    var arguments: [String] = []
    if column.member != column.name { arguments.append(SwiftSource.literal(column.name)) }
    if let representation { arguments.append("as: \(representation).self") }
    if column.computed != nil { arguments.append("generated: .virtual") }
    if isKey, column.member != "id" { arguments.append("primaryKey: true") }
    let word = isKey || column.computed != nil ? "let" : "var"
    return (arguments.isEmpty ? [] : ["@Column(\(arguments.joined(separator: ", ")))"])
      + ["\(word) \(column.member): \(type)"]
  }

  // MARK: Queries

  private func lines(
    _ link: StoreOutline.Link, of entity: StoreOutline.Entity, _ key: String
  ) -> [String] {
    let comment = ["", "  \(link.route.swiftDocumentation)"]
    switch link.route {
    case .reference(let column, let table):
      guard let target = outline.entity(table), let targetKey = target.key else { return [] }
      return comment
        + [
          "  var \(link.member): some SelectStatementOf<\(target.name)> {",
          "    \(target.name).where { $0.\(target.member(targetKey))"
            + ".\(equals(column, of: entity))(self.\(entity.member(column))) }",
          "  }",
        ]
    case .members(let table, let column, let position):
      guard let members = outline.entity(table) else { return [] }
      return comment + many(link.member, members, column, position, key)
    case .links(let table, let owner, let column, let target, _, let position):
      guard let links = outline.entity(table), let rows = link.rows,
        let members = target.flatMap(outline.entity), let membersKey = members.key
      else { return [] }
      return comment + many(rows, links, owner, position, key)
        + [
          "",
          "  var \(link.member): some Statement<\(members.name)> {",
          "    \(members.name)",
          "      .join(\(links.name).all) { $0.\(members.member(membersKey))"
            + ".\(equals(column, of: links))($1.\(links.member(column))) }",
          "      .where { $1.\(links.member(owner)).eq(self.\(key)) }",
        ] + order(position, of: links, "$1")
        + [
          "      .select { member, _ in member }",
          "  }",
        ]
    }
  }

  /// The comparison with a column that may hold nothing.
  private func equals(_ column: String, of entity: StoreOutline.Entity) -> String {
    entity.columns.contains { $0.name == column && $0.isOptional } ? "is" : "eq"
  }

  private func many(
    _ member: String, _ members: StoreOutline.Entity, _ column: String, _ position: String?,
    _ key: String
  ) -> [String] {
    [
      "  var \(member): some SelectStatementOf<\(members.name)> {",
      "    \(members.name)",
      "      .where { $0.\(members.member(column)).eq(self.\(key)) }",
    ] + order(position, of: members, "$0") + ["  }"]
  }

  private func order(
    _ position: String?, of rows: StoreOutline.Entity, _ columns: String
  ) -> [String] {
    position.map { ["      .order { \(columns).\(rows.member($0)) }"] } ?? []
  }

  // MARK: Values

  /// The values of a store that SQLiteData has no form for, in Swift.
  private static let values = #"""
    /// A value that a store keeps as text.
    protocol StoreTextConvertible: Sendable {
      init?(storeText: String)
      var storeText: String { get }
    }

    /// The form of such a value in a query.
    struct StoreText<Value: StoreTextConvertible>: QueryBindable {
      var queryOutput: Value

      init(queryOutput: Value) { self.queryOutput = queryOutput }

      init?(queryBinding: QueryBinding) {
        guard case .text(let text) = queryBinding, let value = Value(storeText: text) else {
          return nil
        }
        self.init(queryOutput: value)
      }

      init(decoder: inout some QueryDecoder) throws {
        guard let value = Value(storeText: try String(decoder: &decoder)) else {
          throw StoreTextError()
        }
        self.init(queryOutput: value)
      }

      var queryBinding: QueryBinding { .text(queryOutput.storeText) }
    }

    /// A text that is no value of its column.
    struct StoreTextError: Error {}

    extension Date: StoreTextConvertible {
      init?(storeText text: String) {
        guard let date = StoreDate.date(text) else { return nil }
        self = date
      }

      var storeText: String { StoreDate.text(self) }
    }

    extension Decimal: StoreTextConvertible {
      init?(storeText text: String) { self.init(string: text) }
      var storeText: String { description }
    }

    extension JSONValue: StoreTextConvertible {}

    """#
}
