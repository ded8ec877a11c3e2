/// What a cell of a store holds.
package enum Cell: Hashable, Sendable {
  case null
  case integer(Int64)
  /// By its bits, so that the two zeros differ.
  case realBits(UInt64)
  case text(String)
  case blob([UInt8])

  static func real(_ value: Double) -> Cell { .realBits(value.bitPattern) }

  var isNull: Bool { self == .null }

  var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// Strings are equal only scalar by scalar.
  package static func == (one: Cell, other: Cell) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.realBits(let one), .realBits(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }
}

extension Cell: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .realBits(let bits): "\(Double(bitPattern: bits))"
    case .text(let text): "'\(text)'"
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
