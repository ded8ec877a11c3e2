import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

/// An object that keeps its coder, so that a test can ask it.
final class Probe: KeyedDecodable {
  static let archivedClassNames = ["Probe"]
  let coder: KeyedCoder

  init(coder: KeyedCoder) throws { self.coder = coder }

  /// A probe with some keys.
  static func with(
    _ options: UnarchivingOptions = UnarchivingOptions(), unkeyed: [PropertyListValue] = [],
    _ keys: (inout KeyedArchiveBuilder) throws -> KeyValuePairs<String, PropertyListValue> = { _ in
      [:]
    }
  ) throws -> Probe {
    let archive = try KeyedArchiveBuilder.archive { archive in
      let pairs = try keys(&archive).map { KeyValue($0.key, $0.value) }
      return archive.instance(of: "Probe", pairs, unkeyed: unkeyed)
    }
    var options = options
    options.types.append(Probe.self)
    let unarchiver = try KeyedUnarchiver(bytes: archive.binary(), options: options)
    return try #require(try unarchiver.decodeRoot(of: Probe.self))
  }

  /// What a way to decode gives: the value and what it was adjusted by, or the code of the error.
  func outcome<Value>(_ decode: (KeyedCoder) throws -> Value) -> String {
    do {
      let value = try decode(coder)
      let kinds = coder.unarchiver.adjustments.keys.map(\.kind.rawValue).sorted()
      return ([Self.text(value)] + kinds).joined(separator: " ~")
    } catch let error as ArchiveError {
      return "!\(error.code.rawValue)"
    } catch {
      return "!\(error)"
    }
  }

  static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return describe(value) }
    return mirror.children.first.map { describe($0.value) } ?? "nil"
  }

  private static func describe(_ value: Any) -> String {
    switch value {
    case let value as DecodedValue: value.text
    case let data as Data: "<\(data.map { "\($0)" }.joined(separator: " "))>"
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let point as CGPoint: "\(point.x) \(point.y)"
    case let size as CGSize: "\(size.width) \(size.height)"
    case let rect as CGRect:
      "\(rect.origin.x) \(rect.origin.y) \(rect.size.width) \(rect.size.height)"
    default: "\(value)"
    }
  }
}

extension DecodedValue {
  /// The value in short, for tests.
  var text: String {
    switch self {
    case .null: "nil"
    case .nsNull: "NSNull"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .wideInteger(let value): "wide \(value)"
    case .real(let value): "real \(value)"
    case .decimal(let value): "decimal \(value)"
    case .text(let text): "'\(text)'"
    case .date(let date): "date \(date.timeIntervalSinceReferenceDate)"
    case .data(let data): "<\(data.map { "\($0)" }.joined(separator: " "))>"
    case .uuid(let uuid): uuid.uuidString
    case .url(let text): "url \(text)"
    case .foundation(let value): value.json
    case .className(let name): "class \(name)"
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .orderedSet(let values): "ordered[\(values.map(\.text).joined(separator: ", "))]"
    case .set(let values): "set[\(values.map(\.text).joined(separator: ", "))]"
    case .dictionary(let pairs):
      "{\(pairs.map { "\($0.key.text): \($0.value.text)" }.joined(separator: ", "))}"
    case .object(let object): "\(type(of: object))"
    }
  }
}

/// A row of the coder's contract: what one way to decode gives of everything that can stand there.
struct ContractCase: Sendable, CustomTestStringConvertible {
  typealias Maker = @Sendable (inout KeyedArchiveBuilder) -> PropertyListValue

  var testDescription: String
  var decode: @Sendable (KeyedCoder) throws -> String
  /// What the method's own encoder writes, without the reference that objects stand behind.
  var own: PropertyListValue
  /// A value of another kind.
  var wrong: PropertyListValue
  /// What is expected of a lenient and a strict coder, cell by cell.
  var lenient: [String]
  var strict: [String]

  /// A row of a method whose own kind stands in its place.
  ///
  /// What is expected of a value of another kind is told for its place, and for a reference to it.
  static func inPlace<Value>(
    _ name: String, _ decode: @escaping @Sendable (KeyedCoder) throws -> Value,
    own: PropertyListValue, gives: String, nothing: String, wrong: PropertyListValue,
    lenient inPlace: String, _ referred: String, strict: String = "!wrongKind"
  ) -> ContractCase {
    let followed = "~followedReference"
    return ContractCase(
      testDescription: name, decode: { Probe.text(try decode($0)) }, own: own, wrong: wrong,
      lenient: [
        nothing, "\(nothing) \(followed)", gives, "\(gives) \(followed)", inPlace, referred,
        "\(nothing) \(followed)", "!danglingReference",
      ],
      strict: [
        nothing, "!wrongKind", gives, "!wrongKind", strict, "!wrongKind", "!wrongKind",
        "!danglingReference",
      ])
  }

  /// A row of a method whose own kind stands behind a reference.
  static func behindReference<Value>(
    _ name: String, _ decode: @escaping @Sendable (KeyedCoder) throws -> Value,
    own: PropertyListValue, gives: String, nothing: String = "nil", wrong: PropertyListValue,
    lenient inPlace: String, _ referred: String
  ) -> ContractCase {
    ContractCase(
      testDescription: name, decode: { Probe.text(try decode($0)) }, own: own, wrong: wrong,
      lenient: [
        nothing, nothing, "\(gives) ~inlineObject", gives, inPlace, referred, nothing,
        "!danglingReference",
      ],
      strict: [
        nothing, nothing, "!wrongKind", gives, "!wrongKind", referred, nothing,
        "!danglingReference",
      ])
  }

  /// What comes of each cell: absent, nil, the own kind in its place, the own kind as an object,
  /// another kind in its place, another kind as an object, the text "$null" as an object, a
  /// reference that leads nowhere.
  func outcomes(strict: Bool) throws -> [String] {
    let cells: [Maker] = [
      { _ in .none }, { _ in own }, { $0.add(own) }, { _ in wrong }, { $0.add(wrong) },
      { $0.add("$null") }, { _ in .uid(9999) },
    ]
    var options = UnarchivingOptions()
    options.decoding.isStrict = strict
    let absent = try Probe.with(options).outcome(decode)
    return try [absent]
      + cells.map { cell in try Probe.with(options) { ["key": cell(&$0)] }.outcome(decode) }
  }
}
