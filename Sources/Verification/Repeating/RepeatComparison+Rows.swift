internal import CSQLite
import Foundation
import Stores

extension RepeatComparison {
  /// A cell as it is stored: texts count by their bytes, real numbers by their bits.
  enum Cell: Hashable {
    case null
    case integer(Int64)
    case real(UInt64)
    case text(Data)
    case blob(Data)

    init(_ value: csq_value) {
      var bytes: Data {
        guard let start = unsafe value.bytes, unsafe value.count > 0 else { return Data() }
        return unsafe Data(bytes: start, count: value.count)
      }
      switch unsafe value.kind {
      case csq_kind_integer: self = unsafe .integer(value.integer)
      case csq_kind_real: self = unsafe .real(value.real.bitPattern)
      case csq_kind_text: self = .text(bytes)
      case csq_kind_blob: self = .blob(bytes)
      default: self = .null
      }
    }

    /// The value in words, as differences have it.
    var words: String {
      switch self {
      case .null: StoredValue.null.words
      case .integer(let value): StoredValue.integer(value).words
      case .real(let bits): StoredValue.real(Double(bitPattern: bits)).words
      case .text(let bytes): StoredValue.text(String(decoding: bytes, as: UTF8.self)).words
      case .blob(let bytes): StoredValue.blob(bytes).words
      }
    }
  }
}

/// In the order in which SQLite sorts.
extension RepeatComparison.Cell: Comparable {
  static func < (one: RepeatComparison.Cell, other: RepeatComparison.Cell) -> Bool {
    guard one.rank == other.rank else { return one.rank < other.rank }
    switch (one, other) {
    case (.integer(let one), .integer(let other)): return one < other
    case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)):
      return one.lexicographicallyPrecedes(other)
    default: return one.number < other.number
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let bits): Double(bitPattern: bits)
    default: 0
    }
  }
}

extension RepeatComparison {
  /// The rows of one of the stores that are compared, in the order of their keys.
  final class Rows {
    let cursor: RowCursor
    /// The number of columns that make the key.
    private let keyCount: Int

    init(_ cursor: RowCursor, keyCount: Int) {
      self.cursor = cursor
      self.keyCount = keyCount
    }

    var isAtRow: Bool { cursor.isAtRow }

    /// The key of the row; nil if there is none.
    var key: [Cell]? {
      unsafe isAtRow ? cursor.row.prefix(keyCount).map { unsafe Cell($0) } : nil
    }

    /// True if the row is that of another store, byte by byte.
    func isEqual(to other: Rows) -> Bool {
      guard isAtRow, other.isAtRow else { return false }
      return unsafe zip(cursor.row, other.cursor.row).allSatisfy { one, other in
        guard unsafe one.kind == other.kind else { return false }
        switch unsafe one.kind {
        case csq_kind_integer: return unsafe one.integer == other.integer
        case csq_kind_real: return unsafe one.real.bitPattern == other.real.bitPattern
        case csq_kind_null: return true
        default:
          guard unsafe one.count == other.count else { return false }
          guard let bytes = unsafe one.bytes, let others = unsafe other.bytes else { return true }
          return unsafe memcmp(bytes, others, one.count) == 0
        }
      }
    }

    /// Takes the rows that have a key, and goes after them.
    func take(_ key: [Cell]) throws(StoreError) -> [[Cell]] {
      var rows: [[Cell]] = []
      while self.key == key {
        unsafe rows.append(cursor.row.map { unsafe Cell($0) })
        try cursor.advance()
      }
      return rows
    }
  }
}
