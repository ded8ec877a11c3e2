import Foundation

/// A value copied out of an archive, whole: plain values, collections, and values of Foundation's
/// other classes.
///
/// It stands for what may be inside of a `FoundationValue`, such as the attributes of a text or the
/// user info of an error, where any object could have been encoded.
public enum UnarchivedValue: Sendable, Hashable {
  /// Nil.
  case null
  /// A boolean.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// An integer beyond `Int64`.
  case wideInteger(Int128)
  /// A floating-point number.
  case real(Double)
  /// An instant.
  case date(ArchivedDate)
  /// A text.
  case text(String)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A decimal number as exact text: "-12.3", "NaN".
  case decimal(String)
  /// A URL, absolute.
  case url(String)
  /// An NSNull, which is not nil.
  case nsNull
  /// A class that was encoded as a value, by its archived name.
  case className(String)
  /// The elements of an NSArray.
  case array([UnarchivedValue])
  /// The elements of an NSSet, in the order of the archive.
  case set([UnarchivedValue])
  /// The elements of an NSOrderedSet.
  case orderedSet([UnarchivedValue])
  /// The elements of an NSCountedSet, each with its count.
  case countedSet([Pair])
  /// The pairs of an NSDictionary, in the order of the archive.
  case dictionary([Pair])
  /// A value of another class of Foundation.
  indirect case foundation(FoundationValue)

  /// A key of a dictionary with its value, or an element of a counted set with its count.
  public struct Pair: Sendable, Hashable {
    /// The key or the element.
    public var key: UnarchivedValue
    /// The value or the count.
    public var value: UnarchivedValue

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - key: The key or the element.
    ///   - value: The value or the count.
    public init(_ key: UnarchivedValue, _ value: UnarchivedValue) {
      self.key = key
      self.value = value
    }
  }
}

extension UnarchivedValue {
  /// The text, if it is one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The value of a Foundation class, if it is one.
  public var foundationValue: FoundationValue? {
    if case .foundation(let value) = self { value } else { nil }
  }

  /// The values of a dictionary by its keys, if it is one whose keys are different texts.
  public var valuesByKey: [String: UnarchivedValue]? {
    guard case .dictionary(let pairs) = self else { return nil }
    var values: [String: UnarchivedValue] = [:]
    for pair in pairs {
      guard let key = pair.key.text, values.updateValue(pair.value, forKey: key) == nil else {
        return nil
      }
    }
    return values
  }
}
