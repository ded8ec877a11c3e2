import ArchiveWriter
import Foundation

extension CoreDataProjection {
  /// A column that is copied from one layout to the other.
  private struct CopiedColumn {
    enum Kind {
      case value(Attribute)
      /// The key of another row.
      case reference
      /// The place in an ordered collection, which Core Data counts from 2048 in steps of 1024.
      case order
    }

    /// The table in the relational layout, and the columns in both.
    var table: Int
    var source: Int
    var target: Int
    var kind: Kind
    var entity: String
  }

  private static let pageSize = 1_000

  /// Copies the rows of a table.
  func copyRows(
    of table: Int, _ database: Database, _ losses: inout [Loss]
  ) throws(StoreError) {
    guard let root = layout.members[table].first else { return }
    let relational = plan.layout.table(of: entities[root - 1])
    let columns = copiedColumns(of: table)
    let discriminator = plan.layout.entities[entities[root - 1]].discriminator
    let names = columns.map { SQL.quoted(relational.columns[$0.source].name) }
    let kind = discriminator.map { SQL.quoted(relational.columns[$0].name) } ?? "NULL"
    let reading = try database.prepare(
      """
      SELECT \((["id", kind] + names).joined(separator: ", ")) FROM main.\(SQL.quoted(relational.name))
        WHERE id > ? ORDER BY id LIMIT \(Self.pageSize)
      """)
    let declared = layout.tables[table]
    let targets =
      [CoreDataLayout.keyColumn, CoreDataLayout.entityColumn, CoreDataLayout.counterColumn]
      + columns.map { SQL.quoted(declared.columns[$0.target].name) }
    let marks = ["?", "?", "1"] + columns.map { _ in "?" }
    let writing = try database.prepare(
      "INSERT INTO \(target(declared.name)) (\(targets.joined(separator: ", "))) "
        + "VALUES (\(marks.joined(separator: ", ")))")
    var numbers: [String: Int64] = [:]
    for number in layout.members[table] {
      numbers[layout.entities[number - 1].entity.name] = Int64(number)
    }
    var last = Int64.min
    while true {
      let page = try reading.rows([.integer(last)])
      for row in page {
        guard case .integer(let id) = row[0] else { continue }
        last = id
        var number = Int64(root)
        if case .text(let name) = row[1] { number = numbers[name] ?? number }
        var values: [StoredValue] = [.integer(id), .integer(number)]
        for (column, value) in zip(columns, row.dropFirst(2)) {
          values.append(converted(value, column, id, &losses))
        }
        _ = try writing.rows(values)
      }
      guard page.count == Self.pageSize else { return }
    }
  }

  /// The columns of a table, each property once, where it is declared.
  private func copiedColumns(of table: Int) -> [CopiedColumn] {
    var columns: [CopiedColumn] = []
    for number in layout.members[table] {
      let place = layout.entities[number - 1]
      let relational = plan.layout.entities[entities[number - 1]]
      func add(_ source: Int?, _ target: Int?, _ kind: CopiedColumn.Kind) {
        guard let source, let target else { return }
        columns.append(
          CopiedColumn(
            table: relational.table, source: source, target: target, kind: kind,
            entity: place.entity.name))
      }
      for attribute in place.entity.storedAttributes {
        add(
          relational.properties[attribute.name]?.value, place.attributes[attribute.name],
          .value(attribute))
      }
      for relationship in place.entity.references {
        guard case .column(let reference) = place.relationships[relationship.name] else { continue }
        add(
          relational.properties[relationship.name]?.reference, reference.column, .reference)
        let owner = entities[reference.destination - 1]
        let collection = reference.inverse.flatMap {
          plan.layout.entities[owner].properties[$0]?.members
        }
        add(collection?.position, reference.orderColumn, .order)
      }
    }
    return columns
  }

  // MARK: Values

  /// A value as Core Data stores it.
  private func converted(
    _ value: StoredValue, _ column: CopiedColumn, _ row: Int64, _ losses: inout [Loss]
  ) -> StoredValue {
    switch column.kind {
    case .reference:
      return value
    case .order:
      guard case .integer(let position) = value else { return .null }
      return .integer(Self.orderKey(position))
    case .value(let attribute):
      func lost(_ before: String, _ after: StoredValue, _ words: String) -> StoredValue {
        losses.append(
          Loss(
            entity: column.entity, attribute: attribute.name, table: column.table, row: row,
            before: before, after: words))
        return after
      }
      switch (attribute.type, value) {
      case (.date, .text(let text)):
        guard let date = ISO8601Text.date(text) else { return lost(text, .null, "nothing") }
        return .real(date.timeIntervalSinceReferenceDate)
      case (.decimal, .text(let text)):
        guard let number = Double(text), number.isFinite else {
          return lost(text, .null, "nothing")
        }
        let isExact = ExactNumber(text: "\(number)") == ExactNumber(text: text)
        return isExact ? .real(number) : lost(text, .real(number), "\(number)")
      case (.uuid, .text(let text)):
        guard let uuid = UUID(uuidString: text) else { return lost(text, .null, "nothing") }
        return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
      case (.binary, .blob(let data)) where attribute.allowsExternalBinaryDataStorage:
        // In the row itself, which is always legal.
        return .blob([1] + data)
      case (.transformable, _):
        return Self.transformable(value)
      default:
        return value
      }
    }
  }

  /// The key of a place in an ordered collection.
  static func orderKey(_ position: Int64) -> Int64 {
    let (scaled, overflow) = position.multipliedReportingOverflow(by: 1_024)
    return overflow ? .max - 2_048 : min(scaled, .max - 2_048) + 2_048
  }

  /// A value as the default transformer stores it: a keyed archive.
  ///
  /// What was archived under a key is one already, and data that a hook set is taken for one.
  private static func transformable(_ value: StoredValue) -> StoredValue {
    var archive = KeyedArchiveBuilder()
    let root: PropertyListValue
    switch value {
    case .null, .blob: return value
    case .integer(let number): root = archive.add(.integer(number))
    case .real(let number): root = archive.add(.real(number))
    case .text(let text): root = archive.string(text)
    }
    archive.setTop("root", root)
    return .blob(archive.binary())
  }
}
