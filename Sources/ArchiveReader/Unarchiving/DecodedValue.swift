import Foundation

/// The decoded value under a key: a value of Foundation, a collection, or an object of one's own.
public enum DecodedValue {
  /// Nil, as an element of a collection.
  case null
  /// An `NSNull`, which is not nil.
  case nsNull
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond 64 bits with a sign.
  case wideInteger(Int128)
  /// A real number.
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
  /// A class that was archived as a value, by its name.
  case className(String)
  /// The elements of an array.
  case array([DecodedValue])
  /// The elements of an ordered set.
  case orderedSet([DecodedValue])
  /// The elements of a set, in the order of the archive.
  case set([DecodedValue])
  /// The pairs of a dictionary, in the order of the archive; for a counted set, the elements and
  /// their counts.
  case dictionary([Pair])
  /// A value of one of Foundation's other classes: a colour, an attributed text.
  indirect case foundation(FoundationValue)
  /// An object of a class that the unarchiver knows.
  case object(any KeyedDecodable)

  /// A key and the value that a dictionary has for it.
  public struct Pair {
    /// The key.
    public var key: DecodedValue
    /// The value.
    public var value: DecodedValue

    /// Creates a pair.
    public init(_ key: DecodedValue, _ value: DecodedValue) {
      self.key = key
      self.value = value
    }
  }

  /// True if the value is nil.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
