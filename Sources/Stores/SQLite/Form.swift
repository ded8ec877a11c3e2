/// The form in which a column keeps the values of a property.
package enum Form: Sendable, Equatable {
  /// Dates, decimals and UUIDs as texts, all others as they are.
  case plain
  /// Dates as seconds since 2001.
  case seconds
  /// Decimals as the nearest double.
  case double
  /// UUIDs as 16 bytes.
  case uuid
  /// Data in the row itself, after a byte that says so.
  case data
  /// A keyed archive, as the default transformer of Core Data writes it.
  ///
  /// Data may be one already: what was archived under a key is one, and data that a hook set is
  /// taken for one. Where external data is allowed, one byte says that it is in the row itself.
  case archive(isArchived: Bool, isPrefixed: Bool)
  /// Numbers without NaN and the sign of zero.
  case real
  /// Positions in a collection as the keys that Core Data orders members by: from 2048 in steps of
  /// 1024.
  case order
  /// Seconds, doubles and reals of a temporary store: a value that they lose is a blob of its text.
  indirect case exact(Form)

  /// The form of values of which nothing is lost.
  package var usual: Form { if case .exact(let form) = self { form } else { self } }

  /// The order key of a position, in SQL.
  package static func orderKey(_ position: String) -> String {
    "min(\(position), \(maxPosition)) * 1024 + 2048"
  }

  /// The order key of a position.
  package static func orderKey(_ position: Int64) -> Int64 {
    min(position, maxPosition) * 1024 + 2048
  }

  private static let maxPosition = (Int64.max - 2_048) / 1_024
}

extension Table.Column {
  /// The position that the column keeps, in SQL.
  package var position: String {
    form == .order ? "(\(SQL.quoted(name)) - 2048) / 1024" : SQL.quoted(name)
  }

  /// What the column keeps of a position, in SQL.
  package func stored(position: String) -> String {
    form == .order ? Form.orderKey(position) : position
  }
}
