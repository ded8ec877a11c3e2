package import CSQLite
import Foundation

/// A value as SQLite keeps it.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// Copies a value out of a row.
  package init(_ value: csq_value) {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: value.bytes, count: value.bytes == nil ? 0 : value.count)
    switch unsafe value.kind {
    case csq_kind_integer: self = unsafe .integer(value.integer)
    case csq_kind_real: self = unsafe .real(value.real)
    case csq_kind_text: self = unsafe .text(String(decoding: bytes, as: UTF8.self))
    case csq_kind_blob: self = unsafe .blob(Data(bytes))
    default: self = .null
    }
  }

  /// True if two values are stored alike: texts are compared by their bytes, not as Unicode
  /// compares them.
  package static func == (one: StoredValue, other: StoredValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }

  /// Binds the value to a parameter of a statement; returns whether SQLite took it.
  package func bind(to statement: OpaquePointer, _ parameter: Int) -> Bool {
    // SQLite copies the bytes while it binds them.
    unsafe withValue { unsafe csq_bind(statement, Int32(parameter), $0) == 0 }
  }

  /// Calls a function with the value as SQLite takes it, whose bytes are valid until it returns.
  func withValue<Result>(_ body: (csq_value) -> Result) -> Result {
    var value = unsafe csq_value()
    switch self {
    case .null:
      unsafe value.kind = csq_kind_null
    case .integer(let integer):
      unsafe value.kind = csq_kind_integer
      unsafe value.integer = integer
    case .real(let real):
      unsafe value.kind = csq_kind_real
      unsafe value.real = real
    case .text(var text):
      return text.withUTF8 { bytes in
        unsafe value.kind = csq_kind_text
        unsafe value.bytes = unsafe UnsafeRawPointer(bytes.baseAddress)
        unsafe value.count = bytes.count
        return unsafe body(value)
      }
    case .blob(let data):
      return unsafe data.withUnsafeBytes { bytes in
        unsafe value.kind = csq_kind_blob
        unsafe value.bytes = bytes.baseAddress
        unsafe value.count = bytes.count
        return unsafe body(value)
      }
    }
    return unsafe body(value)
  }
}

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
