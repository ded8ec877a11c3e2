import ArchiveWriter
import Foundation

extension CoreDataProjection {
  /// Rows of the relational layout that are copied into a table.
  struct CopiedRows {
    /// The table in the relational layout: its name, and its place there; -1 for the bookkeeping.
    var name: String
    var table: Int
    /// What tells its rows apart.
    var key: String
    /// What names the entity of a row; nil where all are of one.
    var kind: String?
    var columns: [CopiedColumn] = []
  }

  /// A column that is copied from one layout to the other.
  struct CopiedColumn {
    enum Kind {
      case value(Attribute)
      /// The key of another row.
      case reference
      /// The place in an ordered collection, which Core Data counts from 2048 in steps of 1024.
      case order
    }

    /// What the relational layout has for it, in SQL.
    var source: String
    /// The column in the layout of Core Data.
    var target: Int
    var kind: Kind
    var entity: String
    /// The name of the property.
    var property: String
  }

  private static let pageSize = 1_000

  /// Copies the rows of a table.
  func copyRows(
    of table: Int, _ database: Database, _ onLoss: (Loss) -> Void
  ) throws(StoreError) {
    guard let root = layout.members[table].first, let copied = copiedRows(of: table) else { return }
    let sources = [copied.key, copied.kind ?? "NULL"] + copied.columns.map(\.source)
    let reading = try database.prepare(
      """
      SELECT \(sources.joined(separator: ", ")) FROM main.\(SQL.quoted(copied.name))
        WHERE \(copied.key) > ? ORDER BY \(copied.key) LIMIT \(Self.pageSize)
      """)
    let declared = layout.tables[table]
    let targets =
      [CoreDataLayout.keyColumn, CoreDataLayout.entityColumn, CoreDataLayout.counterColumn]
      + copied.columns.map { SQL.quoted(declared.columns[$0.target].name) }
    let marks = ["?", "?", "1"] + copied.columns.map { _ in "?" }
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
        for (column, value) in zip(copied.columns, row.dropFirst(2)) {
          values.append(converted(value, column, copied.table, id, onLoss))
        }
        _ = try writing.rows(values)
      }
      guard page.count == Self.pageSize else { return }
    }
  }

  // MARK: Values

  /// A value as Core Data stores it.
  private func converted(
    _ value: StoredValue, _ column: CopiedColumn, _ table: Int, _ row: Int64,
    _ onLoss: (Loss) -> Void
  ) -> StoredValue {
    switch column.kind {
    case .reference:
      return value
    case .order:
      guard case .integer(let position) = value else { return .null }
      return .integer(Self.orderKey(position))
    case .value(let attribute):
      func lost(_ before: String, _ after: StoredValue, _ words: String) -> StoredValue {
        onLoss(
          Loss(
            entity: column.entity, attribute: attribute.name, table: table, row: row,
            before: before, after: words))
        return after
      }
      switch (attribute.type, value) {
      case (.date, .text(let text)):
        guard let date = ISO8601Text.date(text) else { return lost(text, .null, "nothing") }
        return .real(date.timeIntervalSinceReferenceDate)
      // As Core Data keeps it.
      case (.decimal, .text("NaN")):
        return value
      case (.decimal, .text(let text)):
        guard let number = Double(text), number.isFinite else {
          return lost(text, .null, "nothing")
        }
        let isExact = ExactNumber(text: "\(number)") == ExactNumber(text: text)
        return isExact ? .real(number) : lost(text, .real(number), "\(number)")
      case (.double, .real(let number)) where number == 0 && number.sign == .minus,
        (.float, .real(let number)) where number == 0 && number.sign == .minus:
        // A column of real numbers keeps no sign of zero.
        return lost("-0.0", .real(0), "0.0")
      case (.uuid, .text(let text)):
        guard let uuid = UUID(uuidString: text) else { return lost(text, .null, "nothing") }
        return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
      case (.binary, .blob(let data)) where attribute.allowsExternalBinaryDataStorage:
        // In the row itself, which is always legal.
        return .blob([1] + data)
      case (.transformable, _):
        return Self.transformable(value, isArchived: attribute.archivedType == nil)
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
  /// - Parameters:
  ///   - value: The value.
  ///   - isArchived: Whether data is an archive already: what was archived under a key is one, and
  ///     data that a hook set is taken for one.
  /// - Returns: The archive; data that is one already is returned as it is.
  private static func transformable(_ value: StoredValue, isArchived: Bool) -> StoredValue {
    var archive = KeyedArchiveBuilder()
    let root: PropertyListValue
    switch value {
    case .null: return value
    case .blob(let data):
      guard !isArchived else { return value }
      root = archive.add(.data(data))
    case .integer(let number): root = archive.add(.integer(number))
    case .real(let number): root = archive.add(.real(number))
    case .text(let text): root = archive.string(text)
    }
    archive.setTop("root", root)
    return .blob(archive.binary())
  }
}
