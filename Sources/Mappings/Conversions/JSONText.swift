import ArchiveReader
import DataModel
import Foundation

/// Values as JSON text.
///
/// Numbers are JSON's numbers, decimals with all their digits; `NaN`, `Infinity` and `-Infinity`
/// are texts, and so are dates (ISO 8601), UUIDs and URLs. Data is `{"base64": "…"}`. Arrays and
/// sets are arrays, in the order of the archive. A dictionary whose keys are texts, each a
/// different one, is an object, any other an array of `{"key": …, "value": …}`. Values of
/// Foundation's other classes are the objects of Documentation/values.md.
package enum JSONText {
  /// The deepest nesting of collections.
  static let maxLevels = 256

  /// The text of a value.
  package static func text(of value: ImportValue) throws(ConversionFailure) -> String {
    var text = ""
    try append(value, to: &text, level: 0)
    return text
  }

  private static func append(
    _ value: ImportValue, to text: inout String, level: Int
  ) throws(ConversionFailure) {
    guard level <= maxLevels else {
      throw ConversionFailure(.tooDeep, name: "\(maxLevels)", kind: value.kind)
    }
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .real(let real) where real.isFinite: text += "\(real)"
    case .decimal(let decimal):
      if let digits = ExactNumber(decimal) { text += digits.text } else { text += "\"NaN\"" }
    case .real, .text, .date, .uuid, .url:
      append(quoted: ValueText.text(of: value) ?? "", to: &text)
    case .data(let data): text += "{\"base64\":\"\(data.base64EncodedString())\"}"
    case .foundation(let found): text += found.json
    case .row: throw ConversionFailure(.wrongKind, name: "JSON", kind: value.kind)
    case .list(let values), .set(let values):
      try append(values, between: "[", "]", to: &text) { value, text throws(ConversionFailure) in
        try append(value, to: &text, level: level + 1)
      }
    case .dictionary(let pairs):
      try append(pairs, to: &text, level: level + 1)
    }
  }

  private static func append(
    _ pairs: [ImportValue.Pair], to text: inout String, level: Int
  ) throws(ConversionFailure) {
    guard let keys = textKeys(of: pairs) else {
      return try append(pairs, between: "[", "]", to: &text) {
        pair, text throws(ConversionFailure) in
        text += "{\"key\":"
        try append(pair.key, to: &text, level: level)
        text += ",\"value\":"
        try append(pair.value, to: &text, level: level)
        text += "}"
      }
    }
    try append(Array(zip(keys, pairs)), between: "{", "}", to: &text) {
      member, text throws(ConversionFailure) in
      append(quoted: member.0, to: &text)
      text += ":"
      try append(member.1.value, to: &text, level: level)
    }
  }

  /// The keys of an object; nil if they are not all texts, each a different one.
  private static func textKeys(of pairs: [ImportValue.Pair]) -> [String]? {
    var keys: [String] = []
    for pair in pairs {
      guard case .text(let key) = pair.key else { return nil }
      keys.append(key)
    }
    return Set(keys).count == keys.count ? keys : nil
  }

  private static func append<Element>(
    _ elements: [Element], between opening: String, _ closing: String, to text: inout String,
    _ body: (Element, inout String) throws(ConversionFailure) -> Void
  ) throws(ConversionFailure) {
    text += opening
    for (place, element) in elements.enumerated() {
      if place > 0 { text += "," }
      try body(element, &text)
    }
    text += closing
  }

  private static func append(quoted value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{c}": text += "\\f"
      case "\0"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
