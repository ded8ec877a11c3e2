import Foundation

extension KeyedArchiveBuilder {
  /// Adds an `NSMutableString`.
  public mutating func mutableString(_ text: String) -> PropertyListValue {
    instance(of: "NSMutableString", ["NS.string": .string(text)])
  }

  /// Adds a whole number as an object.
  public mutating func number(_ value: Int) -> PropertyListValue {
    add(.integer(Int64(value)))
  }

  /// Adds a real number as an object.
  public mutating func number(_ value: Double) -> PropertyListValue {
    add(.real(value))
  }

  /// Adds a boolean as an object.
  public mutating func number(_ value: Bool) -> PropertyListValue {
    add(.bool(value))
  }

  /// Adds plain data.
  public mutating func data(_ bytes: Data) -> PropertyListValue {
    add(.data(bytes))
  }

  /// Adds an `NSMutableData`.
  public mutating func mutableData(_ bytes: Data) -> PropertyListValue {
    instance(of: "NSMutableData", ["NS.data": .data(bytes)])
  }

  /// Adds an `NSDate`.
  public mutating func date(secondsSince2001 seconds: Double) -> PropertyListValue {
    instance(of: "NSDate", ["NS.time": .real(seconds)])
  }

  /// Adds an `NSUUID`.
  public mutating func uuid(_ uuid: UUID) -> PropertyListValue {
    unsafe instance(
      of: "NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { unsafe Data($0) })])
  }

  /// Adds an `NSURL`; its base is the reference to another one.
  public mutating func url(
    _ relative: String, base: PropertyListValue = .none
  ) -> PropertyListValue {
    instance(of: "NSURL", ["NS.base": base, "NS.relative": string(relative)])
  }

  /// Adds an `NSNull`, which is not the same as nil.
  public mutating func null() -> PropertyListValue {
    instance(of: "NSNull")
  }

  /// Adds a decimal number from text such as "-12.30", "1e3" or "NaN".
  public mutating func decimal(
    _ text: String
  ) throws(PropertyListWritingError) -> PropertyListValue {
    let parts = try DecimalParts(text)
    return decimal(words: parts.words, exponent: parts.exponent, isNegative: parts.isNegative)
  }

  /// Adds a decimal number from its words, the least significant first.
  ///
  /// No words and negative is "not a number". More than eight words give an oversized mantissa.
  public mutating func decimal(
    words: [UInt16], exponent: Int = 0, isNegative: Bool = false, isCompact: Bool = true
  ) -> PropertyListValue {
    instance(
      of: "NSDecimalNumberPlaceholder",
      Self.decimalPairs(words, exponent, isNegative: isNegative, isCompact: isCompact))
  }

  /// The keys of a decimal number.
  package static func decimalPairs(
    _ text: String
  ) throws(PropertyListWritingError) -> [KeyValue] {
    let parts = try DecimalParts(text)
    return decimalPairs(
      parts.words, parts.exponent, isNegative: parts.isNegative, isCompact: true)
  }

  private static func decimalPairs(
    _ words: [UInt16], _ exponent: Int, isNegative: Bool, isCompact: Bool
  ) -> [KeyValue] {
    let padded = words + Array(repeating: 0, count: max(0, 8 - words.count))
    return [
      KeyValue(
        "NS.mantissa", .data(Data(padded.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))),
      KeyValue("NS.mantissa.bo", 1), KeyValue("NS.length", .integer(Int64(words.count))),
      KeyValue("NS.exponent", .integer(Int64(exponent))),
      KeyValue("NS.negative", .bool(isNegative)), KeyValue("NS.compact", .bool(isCompact)),
    ]
  }
}
