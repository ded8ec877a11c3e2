import DataModel

extension AttributeType {
  /// Which numbers a type of attribute can hold exactly.
  struct NumberRange {
    /// How many bits of a whole number, with its sign.
    var wholeBits: Int
    /// How many bits of the mantissa of a real number; 0 for whole numbers, 1 for decimal
    /// fractions.
    var mantissaBits: Int

    /// Whether another range holds all numbers of this one.
    func fits(into other: NumberRange) -> Bool {
      wholeBits <= other.wholeBits && mantissaBits <= other.mantissaBits
    }
  }

  /// Which numbers it can hold; nil for types that are not numbers.
  ///
  /// A decimal number holds 38 digits, which are all those of an integer of 64 bits, but not every
  /// double; and a double not every decimal number.
  var numberRange: NumberRange? {
    switch self {
    case .boolean: NumberRange(wholeBits: 1, mantissaBits: 0)
    case .integer16: NumberRange(wholeBits: 16, mantissaBits: 0)
    case .integer32: NumberRange(wholeBits: 32, mantissaBits: 0)
    case .integer: NumberRange(wholeBits: 64, mantissaBits: 0)
    case .float: NumberRange(wholeBits: 25, mantissaBits: 24)
    case .double: NumberRange(wholeBits: 54, mantissaBits: 53)
    case .decimal: NumberRange(wholeBits: 126, mantissaBits: 1)
    default: nil
    }
  }
}
