import Foundation

/// A value in JSON.
indirect enum JSONTree: Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([JSONTree])
  case record([String: JSONTree])

  /// The value of a text; nil if the text is no JSON.
  init?(_ text: String) {
    guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)) else {
      return nil
    }
    self = tree
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  /// A number, or a text that stands for one that JSON has not.
  var real: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .text("NaN"): .nan
    case .text("Infinity"): .infinity
    case .text("-Infinity"): -.infinity
    default: nil
    }
  }

  var list: [JSONTree]? { if case .list(let list) = self { list } else { nil } }

  var record: [String: JSONTree]? { if case .record(let fields) = self { fields } else { nil } }
}

extension JSONTree: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The most frequent ones come first: to fail takes long.
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let fields = try? container.decode([String: JSONTree].self) {
      self = .record(fields)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else if let list = try? container.decode([JSONTree].self) {
      self = .list(list)
    } else {
      self = .bool(try container.decode(Bool.self))
    }
  }
}
