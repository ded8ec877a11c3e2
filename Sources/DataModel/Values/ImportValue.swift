import ArchiveReader
import Foundation
import Support

/// A value on its way from an archive into a store.
///
/// What hooks, policies, conversions and expressions work with. Equality is exact: 1 and 1.0 are
/// two values, and so are texts of different bytes that look the same; a NaN equals nothing.
public enum ImportValue: Sendable, Hashable {
  /// Nothing: nil, an absent key, or an `NSNull`.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A real number, NaN and the infinities included.
  case real(Double)
  /// An exact decimal number.
  case decimal(Decimal)
  /// Text.
  case text(String)
  /// An instant.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A URL, as its absolute text.
  case url(String)
  /// A value of one of Foundation's other classes: a colour, an attributed text.
  indirect case foundation(FoundationValue)
  /// A row of the store.
  case row(RowReference)
  /// Several values in an order: an array, or an ordered set.
  case list([ImportValue])
  /// Several values without an order, in the order of the archive.
  case set([ImportValue])
  /// Pairs of a key and a value, in the order of the archive.
  case dictionary([Pair])

  /// A key and the value that a dictionary has for it.
  public struct Pair: Sendable, Hashable {
    /// The key.
    public var key: ImportValue
    /// The value.
    public var value: ImportValue

    /// Creates a pair.
    public init(_ key: ImportValue, _ value: ImportValue) {
      self.key = key
      self.value = value
    }
  }

  /// True if the value is nothing.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The kind of the value, in words for messages, such as "real number".
  public var kind: String {
    switch self {
    case .null: "nil"
    case .bool: "boolean"
    case .integer: "integer"
    case .real: "real number"
    case .decimal: "decimal number"
    case .text: "text"
    case .date: "date"
    case .data: "data"
    case .uuid: "UUID"
    case .url: "URL"
    case .foundation(let value): value.className
    case .row: "object"
    case .list: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

/// A reference to a row: a table of a store, and the row's id there.
///
/// Entities that inherit from one another share the ids of their root entity.
public struct RowReference: Sendable, Hashable {
  /// The number of the entity in the model.
  public let entity: Int
  /// The id of the row in the table of the entity.
  public let id: Int64

  package init(entity: Int, id: Int64) {
    self.entity = entity
    self.id = id
  }
}

extension ImportValue {
  /// The text with its attributes, if it is one.
  package var attributedText: ArchivedAttributedString? {
    if case .foundation(let found) = self { found.as(ArchivedAttributedString.self) } else { nil }
  }

  /// The type of an attribute that holds the value.
  package var archivedType: AttributeType {
    switch self {
    case .null: .unknown
    case .bool: .boolean
    case .integer: .integer
    case .real(let value): value.isNaN ? .mixed : .double
    case .decimal: .decimal
    case .text: .string
    case .date: .date
    case .data: .binary
    case .uuid: .uuid
    case .url: .uri
    case .foundation: attributedText == nil ? .json : .attributedText
    case .row, .list, .set, .dictionary: .transformable
    }
  }

  /// A whole number of any size: an exact decimal number where it has more than 64 bits, and a text
  /// where no decimal holds it.
  package init(_ number: Int128) {
    let text = String(number)
    self =
      Int64(exactly: number).map { .integer($0) } ?? ImportValue(decimalText: text) ?? .text(text)
  }

  /// The exact decimal number that a text writes; nil if it writes none that a decimal can hold.
  package init?(decimalText text: String) {
    guard let decimal = ExactNumber(text: text)?.decimal else { return nil }
    self = .decimal(decimal)
  }
}

extension ImportValue {
  /// True if two values are the same: of one kind, and texts byte for byte, not by what Unicode
  /// takes for the same.
  public static func == (one: ImportValue, other: ImportValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.text(let one), .text(let other)), (.url(let one), .url(let other)):
      one.hasSameBytes(as: other)
    case (.date(let one), .date(let other)): one == other
    case (.data(let one), .data(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.foundation(let one), .foundation(let other)):
      one == other && one.json.hasSameBytes(as: other.json)
    case (.row(let one), .row(let other)): one == other
    case (.list(let one), .list(let other)), (.set(let one), .set(let other)): one == other
    case (.dictionary(let one), .dictionary(let other)): one == other
    default: false
    }
  }
}

// Values in Swift code can be written as literals: `note["rank"] = 1`. There is none for nothing,
// which is `.null`: next to an optional, nil would have two meanings.
extension ImportValue: ExpressibleByBooleanLiteral {
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ImportValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension ImportValue: ExpressibleByFloatLiteral {
  /// A real number.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension ImportValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension ImportValue: ExpressibleByArrayLiteral {
  /// Several values in an order.
  public init(arrayLiteral elements: ImportValue...) { self = .list(elements) }
}
