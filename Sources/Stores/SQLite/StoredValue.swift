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
