import Importer
import Stores
import Support

/// Declarative classes for SQLAlchemy 2, with relationships in the order of the archive.
///
/// Views are tables without a class.
struct SQLAlchemyCode {
  private let outline: StoreOutline

  init(_ outline: StoreOutline) { self.outline = outline }

  func files() -> [CodeFile] {
    var text = "\"\"\"\(CodeFile.mark), which replaces this file.\"\"\"\n" + Self.values
    for entity in outline.entities {
      text += "\n\n" + (entity.key == nil ? view(entity) : type(entity)) + "\n"
    }
    return [
      CodeFile(name: "_store.py", text: text, isForHumans: false),
      CodeFile(
        name: "store.py",
        text: "\"\"\"A place for your own code: this file is written once.\"\"\"\n\n"
          + "from _store import *  # noqa: F403\n", isForHumans: true),
    ]
  }

  /// The words that members and types may not be called.
  static let reservedWords = SwiftSource.words(
    """
    False None True and as assert async await break class continue def del elif else except finally
    for from global if import in is lambda match nonlocal not or pass raise return try type while
    with yield Any AnyValue Base Boolean Column DeclarativeBase Float ForeignKey Instant ExactDecimal
    Integer JSON LargeBinary Mapped String Table TypeDecorator UUIDText UserDefinedType bool bytes
    datetime decimal float int list mapped_column metadata ordering_list registry relationship str
    uuid
    """)

  // MARK: Columns

  private func view(_ entity: StoreOutline.Entity) -> String {
    let columns = entity.columns.map { "    Column(\(literal($0.name)), \(type($0.kind).sql))," }
    return """
      \(entity.name) = Table(
          \(literal(entity.table)),
          Base.metadata,
      \(columns.joined(separator: "\n"))
          info={"is_view": True},
      )
      """
  }

  private func type(_ entity: StoreOutline.Entity) -> String {
    var lines = ["class \(entity.name)(Base):"]
    if !entity.classes.isEmpty {
      let classes = entity.classes.map { literal($0).dropFirst().dropLast() }
      lines.append("    \"\"\"An archived \(classes.joined(separator: " or ")).\"\"\"\n")
    }
    lines += ["    __tablename__ = \(literal(entity.table))", ""]
    for column in entity.columns {
      let type = type(column.kind)
      var parts = [literal(column.name), type.sql]
      if let target = reference(column.name, of: entity) {
        parts.append("ForeignKey(\(literal("\(target.table).\(target.key ?? "id")")))")
      }
      if column.name == entity.key { parts.append("primary_key=True") }
      if let computed = column.computed { parts.append("Computed(\(literal(computed)))") }
      let annotation = column.isOptional ? "\(type.python) | None" : type.python
      lines.append(
        "    \(column.member): Mapped[\(annotation)] = "
          + "mapped_column(\(parts.joined(separator: ", ")))")
    }
    let links = entity.links.flatMap { self.lines($0, of: entity) }
    if !links.isEmpty { lines += [""] + links }
    return lines.joined(separator: "\n")
  }

  private func reference(
    _ column: String, of entity: StoreOutline.Entity
  ) -> StoreOutline.Entity? {
    guard case .reference(_, let table)? = entity.reference(column)?.route else { return nil }
    return outline.entity(table)
  }

  private func type(_ kind: StoreOutline.Kind) -> (sql: String, python: String) {
    switch kind {
    case .boolean: ("Boolean", "bool")
    case .integer: ("Integer", "int")
    case .real: ("Float", "float")
    case .text, .url: ("String", "str")
    case .date: ("Instant", "datetime.datetime")
    case .decimal: ("ExactDecimal", "decimal.Decimal")
    case .uuid: ("UUIDText", "uuid.UUID")
    case .data: ("LargeBinary", "bytes")
    case .json: ("JSON(none_as_null=True)", "Any")
    case .any: ("AnyValue", "int | float | str | bytes")
    }
  }

  // MARK: Relationships

  private func lines(_ link: StoreOutline.Link, of entity: StoreOutline.Entity) -> [String] {
    let back = link.inverse.map { ["back_populates=\(literal($0))"] } ?? []
    switch link.route {
    case .reference(let column, let table):
      guard let target = outline.entity(table) else { return [] }
      let (own, key) = (entity.member(column), target.member(target.key ?? "id"))
      let parts = [
        "foreign_keys=\"\(entity.name).\(own)\"", "remote_side=\"\(target.name).\(key)\"",
      ]
      return [line(link.member, "\(target.name) | None", target, parts + back)]
    case .members(let table, let column, let position):
      guard let members = outline.entity(table) else { return [] }
      return [many(link.member, members, column, position, back)]
    case .links(let table, let owner, let column, let target, _, let position):
      guard let links = outline.entity(table), let rows = link.rows,
        let members = target.flatMap(outline.entity)
      else { return [] }
      var parts = ["secondary=\(literal(table))"]
      parts += [
        "primaryjoin=\"\(entity.name).\(entity.member(entity.key ?? "id")) == "
          + "\(links.name).\(links.member(owner))\"",
        "secondaryjoin=\"\(members.name).\(members.member(members.key ?? "id")) == "
          + "\(links.name).\(links.member(column))\"",
      ]
      if let position { parts.append("order_by=\"\(links.name).\(links.member(position))\"") }
      let rowsBack = links.reference(owner).map { ["back_populates=\(literal($0.member))"] } ?? []
      return [
        many(rows, links, owner, position, rowsBack),
        line(link.member, "list[\(members.name)]", members, parts + ["viewonly=True"]),
      ]
    }
  }

  private func many(
    _ member: String, _ members: StoreOutline.Entity, _ column: String, _ position: String?,
    _ back: [String]
  ) -> String {
    var parts = ["foreign_keys=\"\(members.name).\(members.member(column))\""] + back
    if let position {
      let place = members.member(position)
      parts.append("order_by=\"\(members.name).\(place)\"")
      parts.append("collection_class=ordering_list(\(literal(place)))")
    }
    return line(member, "list[\(members.name)]", members, parts)
  }

  private func line(
    _ member: String, _ annotation: String, _ target: StoreOutline.Entity, _ parts: [String]
  ) -> String {
    let arguments = (["\"\(target.name)\""] + parts).joined(separator: ", ")
    return "    \(member): Mapped[\(annotation)] = relationship(\(arguments))"
  }

  /// A name as a literal, which it cannot end.
  private func literal(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F:
        text.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x1_0000:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default:
        let digits = String(scalar.value, radix: 16)
        text += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    } + "\""
  }

  /// The imports, and the values of a store that SQLAlchemy has no form for.
  private static let values = #"""

    from __future__ import annotations

    import datetime
    import decimal
    import uuid
    from typing import Any

    from sqlalchemy import (
        JSON, Boolean, Column, Computed, Float, ForeignKey, Integer, LargeBinary, String, Table,
    )
    from sqlalchemy.ext.orderinglist import ordering_list
    from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
    from sqlalchemy.types import TypeDecorator, UserDefinedType


    class Base(DeclarativeBase):
        """The base of all tables of the store."""


    class Instant(TypeDecorator):
        """A date in ISO 8601 in UTC. Digits beyond a microsecond are cut off, and a date that no
        calendar reaches is the text of its seconds since 2001."""

        impl = String
        cache_ok = True

        def process_bind_param(self, value, dialect):
            if not isinstance(value, datetime.datetime):
                return value
            value = value.astimezone(datetime.timezone.utc)
            digits = "milliseconds" if value.microsecond % 1000 == 0 else "microseconds"
            text = value.isoformat(timespec=digits).removesuffix("+00:00")
            return f"{text}Z" if digits == "milliseconds" else f"{text}000Z"

        def process_result_value(self, value, dialect):
            if value is None or not value.endswith("Z"):
                return value
            whole, _, fraction = value[:-1].partition(".")
            try:
                return datetime.datetime.fromisoformat(
                    f"{whole}.{fraction[:6]:0<6}+00:00"
                )
            except ValueError:
                return value


    class ExactDecimal(TypeDecorator):
        """A decimal number, as exact text."""

        impl = String
        cache_ok = True

        def process_bind_param(self, value, dialect):
            return None if value is None else format(value, "f")

        def process_result_value(self, value, dialect):
            return None if value is None else decimal.Decimal(value)


    class UUIDText(TypeDecorator):
        """A UUID in capital letters."""

        impl = String
        cache_ok = True

        def process_bind_param(self, value, dialect):
            return None if value is None else str(value).upper()

        def process_result_value(self, value, dialect):
            return None if value is None else uuid.UUID(value)


    class AnyValue(UserDefinedType):
        """A value of any of SQLite's types."""

        cache_ok = True

        def get_col_spec(self, **options):
            return "ANY"

    """#
}
