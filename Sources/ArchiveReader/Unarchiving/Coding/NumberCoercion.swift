extension NumberCoercion {
  /// A number, with what had to be done to get it.
  package struct Coerced<Value> {
    package var value: Value
    package var adjustments: [DecodingAdjustment.Kind]
  }
}

/// Takes the numbers under keys, strictly or leniently.
///
/// Strict is what each encoding method of an archiver writes: a boolean, an integer or a real, in
/// its place. A lenient one also takes numbers that were archived as objects, and numbers of
/// another kind, as long as no digit is lost.
package struct NumberCoercion: Sendable {
  package var isStrict: Bool

  package init(isStrict: Bool) {
    self.isStrict = isStrict
  }

  /// Why a number cannot be taken.
  package enum Misfit: Error {
    case wrongKind
    case outOfRange
  }

  /// True or false; to a lenient one, numbers other than 0 are true.
  package func bool(
    _ number: ArchivedNumber, isReference: Bool
  ) throws(Misfit) -> Coerced<Bool> {
    switch number {
    case .nothing: try taken(false, isReference, .followedReference)
    case .bool(let value): try taken(value, isReference)
    case .integer(let value): try taken(value != 0, isReference, .convertedNumber)
    case .wide: try taken(true, isReference, .convertedNumber)
    case .real(let value): try taken(value != 0, isReference, .convertedNumber)
    case .decimal(let digits): try taken(digits != "0", isReference, .convertedNumber)
    case .none: throw .wrongKind
    }
  }

  /// A whole number of any width.
  package func integer<Value: FixedWidthInteger>(
    _ number: ArchivedNumber, isReference: Bool, as type: Value.Type = Value.self
  ) throws(Misfit) -> Coerced<Value> {
    switch number {
    case .nothing: try taken(0, isReference, .followedReference)
    case .bool(let value): try taken(value ? 1 : 0, isReference, .convertedNumber)
    case .integer(let value): try taken(try exact(value), isReference)
    case .wide(let value): try taken(try exact(value), isReference)
    case .real(let value):
      // A real number may be as large as it likes: only one with a fraction is of another kind.
      if isStrict || value.rounded() != value {
        throw .wrongKind
      } else if let whole = Value(exactly: value) {
        try taken(whole, isReference, .convertedNumber)
      } else {
        throw .outOfRange
      }
    case .decimal(let digits):
      if isStrict || digits.contains(".") || digits == "NaN" {
        throw .wrongKind
      } else if let whole = Value(digits) {
        try taken(whole, isReference, .convertedNumber)
      } else {
        throw .outOfRange
      }
    case .none: throw .wrongKind
    }
  }

  /// A real number.
  package func real(
    _ number: ArchivedNumber, isReference: Bool
  ) throws(Misfit) -> Coerced<Double> {
    switch number {
    case .nothing: try taken(0, isReference, .followedReference)
    case .bool(let value): try taken(value ? 1 : 0, isReference, .convertedNumber)
    case .integer(let value):
      try taken(
        Double(value), isReference, .convertedNumber,
        isExact: Int64(exactly: Double(value)) == value)
    case .wide(let value):
      try taken(
        Double(value), isReference, .convertedNumber,
        isExact: Int128(exactly: Double(value)) == value)
    case .real(let value): try taken(value, isReference)
    case .decimal(let digits):
      if let value = Double(digits) {
        try taken(
          value, isReference, .convertedNumber,
          isExact: value.isNaN || DecimalText.canonical(value) == digits)
      } else {
        throw .wrongKind
      }
    case .none: throw .wrongKind
    }
  }

  /// A real number of single precision, the nearest one; one that is too large is infinite to a
  /// lenient coder.
  package func float(
    _ number: ArchivedNumber, isReference: Bool
  ) throws(Misfit) -> Coerced<Float> {
    let real = try real(number, isReference: isReference)
    let value = Float(real.value)
    var adjustments = real.adjustments
    if isStrict, value.isInfinite, real.value.isFinite { throw .outOfRange }
    if Double(value) != real.value, !value.isNaN, !adjustments.contains(.lostPrecision) {
      adjustments.append(.lostPrecision)
    }
    return Coerced(value: value, adjustments: adjustments)
  }

  private func exact<Value: FixedWidthInteger>(
    _ value: some FixedWidthInteger
  ) throws(Misfit) -> Value {
    guard let exact = Value(exactly: value) else { throw .outOfRange }
    return exact
  }

  private func taken<Value>(
    _ value: Value, _ isReference: Bool, _ kind: DecodingAdjustment.Kind? = nil,
    isExact: Bool = true
  ) throws(Misfit) -> Coerced<Value> {
    var adjustments: [DecodingAdjustment.Kind] = isReference ? [.followedReference] : []
    if let kind, !adjustments.contains(kind) { adjustments.append(kind) }
    if !isExact { adjustments.append(.lostPrecision) }
    guard !isStrict || adjustments.isEmpty else { throw .wrongKind }
    return Coerced(value: value, adjustments: adjustments)
  }
}
