import Foundation

/// One value of a property list, with the differences that the binary form can express.
///
/// Containers may be nested freely, but Swift releases and compares nested values recursively:
/// keep the nesting of one value below a few thousand levels. Deeper lists can be made with
/// ``BinaryPropertyListWriter/ObjectTable``.
public enum PropertyListValue: Sendable, Equatable {
  /// The null marker; only the binary form has one.
  case null
  /// True or false.
  case bool(Bool)
  /// A signed integer.
  case integer(Int64)
  /// An unsigned integer; above `Int64.max` the binary form uses 16 bytes.
  case unsigned(UInt64)
  /// An 8-byte real.
  case real(Double)
  /// A 4-byte real.
  case float(Float)
  /// A string.
  case string(String)
  /// A string given as raw UTF-16 code units, so that lone surrogates can be written.
  case utf16([UInt16])
  /// Bytes.
  case data(Data)
  /// An instant, in seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  /// A reference to an entry of `$objects`.
  case uid(UInt32)
  /// A list of values.
  case array([PropertyListValue])
  /// A set of values, in the order in which they are written; only the binary form has one.
  case set([PropertyListValue])
  /// A dictionary, in the order in which it is written.
  case dictionary([KeyValue])

  /// Makes a dictionary that keeps the order of its literal.
  public static func dictionary(
    pairs: KeyValuePairs<String, PropertyListValue>
  ) -> PropertyListValue {
    .dictionary(pairs.map { KeyValue($0.key, $0.value) })
  }

  /// The reference to nothing: `$objects` begins with `$null`.
  public static let none = PropertyListValue.uid(0)
}

extension PropertyListValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Makes an integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// Makes an 8-byte real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }

  /// Makes a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Makes an array.
  public init(arrayLiteral elements: PropertyListValue...) {
    self = .array(elements)
  }

  /// Makes a dictionary that keeps the order of the literal.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(elements.map { KeyValue($0.0, $0.1) })
  }
}

/// One entry of a property list's dictionary.
public struct KeyValue: Sendable, Equatable {
  /// The entry's key.
  public var key: String
  /// The entry's value.
  public var value: PropertyListValue

  /// Makes an entry.
  public init(_ key: String, _ value: PropertyListValue) {
    self.key = key
    self.value = value
  }
}

/// A string that is equal only to a string of the same code units.
///
/// Swift's strings are equal when they look the same ("é" in one or two scalars); to write such
/// two as one object would change one of them.
struct ExactString: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactString, right: ExactString) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: .init($0)) }
  }
}

/// Tells why a value cannot be written.
public enum PropertyListWritingError: Error, Equatable, CustomStringConvertible {
  /// The XML form has nothing for this kind of value.
  case noXMLForm(of: String)
  /// The text is not a decimal number of at most 38 digits.
  case notADecimal(String)

  /// The error in words.
  public var description: String {
    switch self {
    case .noXMLForm(let kind): "The XML form cannot express \(kind)."
    case .notADecimal(let text): "\"\(text)\" is not a decimal number that fits."
    }
  }
}
