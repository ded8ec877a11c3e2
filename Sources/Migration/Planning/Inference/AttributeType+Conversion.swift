import DataModel
import Foundation

extension AttributeType {
  /// The conversion of mapping files that makes values of another type out of those of this one, as
  /// the file spells it; nil where that takes more than a name.
  func conversion(to type: AttributeType) -> String? {
    switch (self, type) {
    case (.string, .decimal): "number"
    case (.string, .integer16), (.string, .integer32), (.string, .integer):
      "{number: {type: integer}}"
    case (.string, .float), (.string, .double): "{number: {type: double}}"
    case (.string, .boolean): "boolean"
    case (.string, .date): "date"
    case (.string, .uuid), (.binary, .uuid): "uuid"
    case (.string, .uri): "url"
    case (.date, .string): "dateText"
    case (.date, .double): "dateNumber"
    case (.uuid, .string), (.uri, .string), (.boolean, .string): "text"
    case (_, .string) where numberRange != nil: "text"
    default: nil
    }
  }
}

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

extension Attribute {
  /// Its default value as a constant of an expression; nil if it has none, or one that the model
  /// does not tell.
  var defaultConstant: ImportValue? {
    guard case .string(let text) = defaultValue else { return defaultValue?.importValue }
    return switch type {
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .url(text)
    default: .text(text)
    }
  }
}
