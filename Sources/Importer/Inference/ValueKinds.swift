import ArchiveReader
import DataModel

/// The kinds of value that were met in one place.
package struct ValueKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package static let null = ValueKinds(rawValue: 1 << 0)
  static let bool = ValueKinds(rawValue: 1 << 1)
  static let integer = ValueKinds(rawValue: 1 << 2)
  static let wideInteger = ValueKinds(rawValue: 1 << 3)
  static let real = ValueKinds(rawValue: 1 << 4)
  /// NaN, which no number column holds.
  static let notANumber = ValueKinds(rawValue: 1 << 5)
  /// -0.0, whose sign SQLite drops in columns of type REAL.
  static let negativeZero = ValueKinds(rawValue: 1 << 6)
  package static let text = ValueKinds(rawValue: 1 << 7)
  static let date = ValueKinds(rawValue: 1 << 8)
  static let data = ValueKinds(rawValue: 1 << 9)
  static let uuid = ValueKinds(rawValue: 1 << 10)
  static let decimal = ValueKinds(rawValue: 1 << 11)
  static let url = ValueKinds(rawValue: 1 << 12)
  package static let object = ValueKinds(rawValue: 1 << 13)
  package static let collection = ValueKinds(rawValue: 1 << 14)
  /// A value of one of Foundation's other classes.
  package static let foundation = ValueKinds(rawValue: 1 << 15)
  static let attributedText = ValueKinds(rawValue: 1 << 16)

  static let references: ValueKinds = [.object, .collection]
  /// Plain values of several kinds.
  static let anything: ValueKinds = [.text, .integer, .real]

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The kind of a value that a graph gave.
  @inline(__always)
  init(_ value: GraphValue, _ graph: any ObjectGraph) {
    switch value {
    case .null, .nsNull: self = .null
    case .bool: self = .bool
    case .integer: self = .integer
    case .wideInteger: self = .wideInteger
    case .real(let value):
      self = value.isNaN ? .notANumber : value == 0 && value.sign == .minus ? .negativeZero : .real
    case .date: self = .date
    case .text, .className: self = .text
    case .foundation(_, let id): self = Self.kind(ofClass: id, graph)
    case .data: self = .data
    case .uuid: self = .uuid
    case .decimal: self = .decimal
    case .url, .relativeURL: self = .url
    case .object: self = .object
    case .collection: self = .collection
    }
  }

  @inline(never)
  private static func kind(ofClass id: ClassID, _ graph: any ObjectGraph) -> ValueKinds {
    graph.classes[id.index].isAttributedText ? .attributedText : .foundation
  }

  /// The type of an attribute that holds all plain values among these; nil where there are none.
  var attributeType: AttributeType? {
    switch subtracting([.null, .object, .collection]) {
    case []: nil
    case .bool: .boolean
    case .integer, [.integer, .bool]: .integer
    case .real, .negativeZero, [.real, .negativeZero]: .double
    case .text: .string
    case .date: .date
    case .data: .binary
    case .uuid: .uuid
    case .decimal: .decimal
    case .url: .uri
    case .foundation, [.foundation, .attributedText]: .json
    case .attributedText, [.attributedText, .text]: .attributedText
    default: .mixed
    }
  }

  /// The type of elements that hold all plain values among these.
  var elementType: AttributeType? { attributeType?.ofElements(withPlainTexts: contains(.text)) }
}
