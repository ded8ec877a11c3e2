import ArchiveWriter
import Foundation

/// A value to be archived, as Foundation does it: numbers and booleans in the object, texts, data
/// and collections behind references.
indirect enum Sketch: Sendable {
  /// A value in the object.
  case inline(PropertyListValue)
  /// A plain value behind a reference.
  case entry(PropertyListValue)
  /// An object, with its keys and with values that have none.
  case object(String, KeyValuePairs<String, Sketch>, unkeyed: [Sketch] = [])
  case array([Sketch])
  case dictionary([(Sketch, Sketch)])
  /// What the builder makes of it.
  case made(@Sendable (inout KeyedArchiveBuilder) -> PropertyListValue)

  /// Nil.
  static let none = Sketch.inline(.none)

  /// Data in the object.
  static func bytes(_ bytes: [UInt8]) -> Sketch { .inline(.data(Data(bytes))) }

  /// ASCII in the object.
  static func ascii(_ text: String) -> Sketch { .inline(.data(Data(text.utf8))) }

  /// Data behind a reference.
  static func data(_ bytes: [UInt8]) -> Sketch { .entry(.data(Data(bytes))) }

  /// A number behind a reference.
  static func number(_ value: Int64) -> Sketch { .entry(.integer(value)) }

  static func date(_ seconds: Double) -> Sketch {
    .object("NSDate", ["NS.time": .inline(.real(seconds))])
  }

  static func url(_ text: String) -> Sketch { .made { $0.url(text) } }

  static func classReference(_ name: String) -> Sketch { .made { $0.classRecord(name) } }

  /// Adds the value to an archive.
  func add(to builder: inout KeyedArchiveBuilder) -> PropertyListValue {
    switch self {
    case .inline(let value): return value
    case .entry(.string(let text)): return builder.string(text)
    case .entry(let value): return builder.add(value)
    case .object(let name, let pairs, let unkeyed):
      let slot = builder.reserve()
      let content = pairs.map { KeyValue($0.key, $0.value.add(to: &builder)) }
      let values = unkeyed.map { $0.add(to: &builder) }
      return builder.fill(slot, className: name, content, unkeyed: values)
    case .array(let elements):
      let references = elements.map { $0.add(to: &builder) }
      return builder.array(references)
    case .dictionary(let pairs):
      let keys = pairs.map { $0.0.add(to: &builder) }
      let values = pairs.map { $0.1.add(to: &builder) }
      return builder.dictionary(keys: keys, values: values)
    case .made(let make): return make(&builder)
    }
  }
}

extension Sketch: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  init(booleanLiteral value: Bool) { self = .inline(.bool(value)) }
  init(integerLiteral value: Int64) { self = .inline(.integer(value)) }
  init(floatLiteral value: Double) { self = .inline(.real(value)) }
  init(stringLiteral value: String) { self = .entry(.string(value)) }
  init(arrayLiteral elements: Sketch...) { self = .array(elements) }
  init(dictionaryLiteral elements: (Sketch, Sketch)...) { self = .dictionary(elements) }
}
