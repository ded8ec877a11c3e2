import Foundation

/// A value of an expected reading, written as JSON in the order in which it was made.
enum JSON {
  case null
  case bool(Bool)
  /// The digits of a number.
  case number(String)
  case string(String)
  case array([JSON])
  case members([Member])

  /// A key and its value.
  struct Member {
    let key: String
    let value: JSON
  }

  static func object(_ pairs: [(key: String, value: JSON)]) -> JSON {
    .members(pairs.map { Member(key: $0.key, value: $0.value) })
  }

  /// A real number, which JSON would not tell from an integer.
  static func real(_ value: Double) -> JSON {
    if value.isNaN { return ["real": "NaN"] }
    if value.isInfinite { return ["real": value < 0 ? "-Infinity" : "Infinity"] }
    return ["real": .number("\(value)")]
  }

  /// An integer; one that a double cannot hold is text.
  static func integer(_ value: some BinaryInteger) -> JSON {
    value.magnitude <= 1 << 53 ? .number("\(value)") : ["integer": .string("\(value)")]
  }

  static func data(_ bytes: some Sequence<UInt8>) -> JSON {
    ["data": .string(Data(bytes).base64EncodedString())]
  }

  static func date(_ seconds: Double) -> JSON { ["date": .number("\(seconds)")] }

  static func ref(_ id: Int) -> JSON { ["ref": .number("\(id)")] }

  static func set(_ elements: JSON...) -> JSON { ["set": .array(elements)] }

  static func dictionary(_ pairs: (JSON, JSON)...) -> JSON {
    ["dictionary": .array(pairs.map { [$0.0, $0.1] })]
  }

  /// The text; values down to `level` have their entries on lines of their own.
  func text(level: Int = 0, indent: String = "\n") -> String {
    let inner = level > 0 ? indent + "  " : ""
    func list(_ open: String, _ entries: [String], _ close: String) -> String {
      entries.isEmpty
        ? open + close
        : open + inner + entries.joined(separator: level > 0 ? "," + inner : ", ")
          + (level > 0 ? indent : "") + close
    }
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let digits): return digits
    case .string(let text): return Self.quoted(text)
    case .array(let elements):
      return list("[", elements.map { $0.text(level: level - 1, indent: inner) }, "]")
    case .members(let entries):
      return list(
        "{",
        entries.map {
          "\(Self.quoted($0.key)): \($0.value.text(level: level - 1, indent: inner))"
        }, "}")
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 0x20:
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .members(elements.map { Member(key: $0.0, value: $0.1) })
  }
}
