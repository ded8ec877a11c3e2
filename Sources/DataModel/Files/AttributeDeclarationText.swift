import ArchiveReader
import Foundation

extension Attribute {
  /// The default value and the limits of an attribute, from the texts in which Xcode's editor keeps
  /// them.
  ///
  /// Xcode compiles any text. What it makes of one that is no value of the type is the value here,
  /// and there is a note.
  struct DeclarationText {
    /// The default value of the attribute.
    private(set) var defaultValue: AttributeDefault?
    /// The least number, or the least length of a text.
    private(set) var minimum: Double?
    /// The greatest number, or the greatest length of a text.
    private(set) var maximum: Double?
    /// The codes of texts that Xcode compiles in a way of its own: `otherDefault` and `otherLimit`.
    private(set) var notes: [ModelError.Code] = []

    /// Reads the texts of an attribute; nil and, but for a default text, empty ones say nothing.
    init(type: AttributeType, defaultValue: String?, minimum: String?, maximum: String?) {
      // Only a string can be empty.
      if let text = defaultValue, type == .string || !text.isEmpty {
        self.defaultValue = ValueText.defaultValue(text, of: type)
        if self.defaultValue == nil {
          self.defaultValue = ValueText.compiledDefault(text, of: type)
          notes.append(.otherDefault)
        }
      }
      guard type.hasLimits else { return }
      self.minimum = limit(minimum)
      self.maximum = limit(maximum)
    }

    /// Reads the default value and the limits of a date, which are seconds since 2001.
    mutating func readDates(defaultValue: String?, minimum: String?, maximum: String?) {
      if let text = defaultValue, !text.isEmpty {
        if let seconds = ValueText.number(text) {
          self.defaultValue = .date(seconds)
        } else {
          notes.append(.otherDefault)
        }
      }
      self.minimum = limit(minimum)
      self.maximum = limit(maximum)
    }

    private mutating func limit(_ text: String?) -> Double? {
      guard let text, !text.isEmpty else { return nil }
      if let number = ValueText.number(text) { return number }
      notes.append(.otherLimit)
      return ValueText.leadingNumber(text)
    }
  }
}

extension AttributeType {
  /// True if a model can limit the numbers, or the lengths of texts, of the type.
  fileprivate var hasLimits: Bool {
    switch self {
    case .integer16, .integer32, .integer, .decimal, .double, .float, .string: true
    default: false
    }
  }
}

extension Attribute {
  /// Reads values of attributes from the text of an XML model.
  enum ValueText {
    /// The default value of an attribute, or nil if the text is not one of its type.
    static func defaultValue(_ text: String, of type: AttributeType) -> AttributeDefault? {
      switch type {
      case .boolean: boolean(text).map { .boolean($0) }
      case .integer16, .integer32, .integer: integer(text).map { .integer($0) }
      case .double: number(text).map { .double($0) }
      case .float: number(text).map { .double(single($0)) }
      case .decimal: decimal(text).map { .decimal($0) }
      case .string, .uri: .string(text)
      case .uuid: UUID(uuidString: text).map { .string($0.uuidString) }
      // A date in words, and what only transformers understand.
      default: .other
      }
    }

    /// Xcode's default value for a text that is no value of the type: numbers are read as far as
    /// there are digits, so that "NO" is 0; nil where that gives no value.
    static func compiledDefault(_ text: String, of type: AttributeType) -> AttributeDefault? {
      switch type {
      case .boolean: .boolean(text.first.map { "YyTt123456789".contains($0) } ?? false)
      case .integer16, .integer32, .integer: .integer(leadingNumber(text).flatMap(wholePart) ?? 0)
      case .double: .double(leadingNumber(text) ?? 0)
      case .float: .double(single(leadingNumber(text) ?? 0))
      default: nil
      }
    }

    /// The number that a text begins with.
    static func leadingNumber(_ text: String) -> Double? {
      let text = text.drop(while: \.isWhitespace)
      let sign = text.first.map { "+-".contains($0) } == true ? text.prefix(1) : ""
      var rest = text.dropFirst(sign.count)
      let whole = rest.prefix { "0123456789".contains($0) }
      rest = rest.dropFirst(whole.count)
      var fraction = ""
      if rest.first == "." {
        fraction = "." + rest.dropFirst().prefix { "0123456789".contains($0) }
      }
      guard !whole.isEmpty || fraction.count > 1 else { return nil }
      return number("\(sign)\(whole.isEmpty ? "0" : whole)\(fraction.count > 1 ? fraction : "")")
    }

    private static func wholePart(_ number: Double) -> Int64? {
      Int64(exactly: number.rounded(.towardZero))
    }

    /// "YES" or "NO"; other tools write other words.
    static func boolean(_ text: String) -> Bool? {
      switch text.lowercased() {
      case "yes", "true", "1": true
      case "no", "false", "0": false
      default: nil
      }
    }

    /// A whole number; "1.0" is one too.
    static func integer(_ text: String) -> Int64? {
      Int64(text) ?? number(text).flatMap { Int64(exactly: $0) }
    }

    /// A finite number.
    static func number(_ text: String) -> Double? {
      // "0x1p4", "nan" and "inf" are numbers to Swift only.
      guard text.utf8.allSatisfy({ (0x2B...0x39).contains($0) || $0 == 0x65 || $0 == 0x45 }),
        let number = Double(text), number.isFinite
      else { return nil }
      return number
    }

    /// The number as an attribute of type Float holds it.
    static func single(_ number: Double) -> Double {
      let single = Double(Float(number))
      return single.isFinite ? single : number
    }

    /// A decimal number in its canonical form: "-12.3", "1000", "0".
    ///
    /// As in `NSDecimalNumber` there are at most 38 digits, and powers of ten from -128 to 127.
    static func decimal(_ text: String) -> String? {
      guard let exact = ExactNumber(text: text), exact.digits.count <= 38,
        (-128...127).contains(exact.power)
      else { return nil }
      return exact.text
    }
  }
}
