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
