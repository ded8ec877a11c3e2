extension StoredRows {
  /// The content of an attribute of a row in the store: its value, and the attributes of a text.
  struct AttributeContent {
    var value: StoredValue
    /// The attributes of a text, as JSON.
    var runs = StoredValue.null

    /// What the store has of an attribute.
    init(value: StoredValue, runs: StoredValue, _ attribute: EntityShape.StoredAttribute) {
      self.value = value
      self.runs = runs
      guard
        attribute.type == .double || attribute.type == .float || attribute.form.usual == .seconds
          || attribute.form.usual == .double, case .integer(let integer) = value
      else { return }
      // A column of another type keeps a whole number as an integer.
      self.value = .real(Double(integer))
    }

    /// The content that would be written of a value.
    init(_ value: ImportValue, _ attribute: EntityShape.StoredAttribute) {
      guard attribute.runs != nil, let text = value.attributedText else {
        if attribute.isReal, case .real(let number) = value, RealColumn.changes(number) {
          self.value = StoredValue(RealColumn.kept(of: number).value)
        } else {
          self.value = attribute.form.stored(value)
        }
        return
      }
      self.value = text.text.map { .text($0) } ?? .null
      runs = .text(text.runsJSON)
    }

    /// True if there is neither a value nor attributes.
    var isNothing: Bool { value == .null && runs == .null }

    /// True if another one is the same, each scalar of texts and the sign of zero counted.
    func isSame(as other: AttributeContent) -> Bool {
      value.isSame(as: other.value) && runs.isSame(as: other.runs)
    }
  }
}

extension StoredValue {
  fileprivate func isSame(as other: StoredValue) -> Bool {
    // Swift takes canonically equivalent texts for equal, and both zeros.
    switch (self, other) {
    case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
    case (.real(let one), .real(let two)): one.bitPattern == two.bitPattern
    default: self == other
    }
  }
}
