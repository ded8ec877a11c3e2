// The number under a key, with an error that names the place.
extension ArchivedField {
  package func bool(
    _ taker: NumberCoercion, _ number: ArchivedNumber
  ) throws(ArchiveError) -> NumberCoercion.Coerced<Bool> {
    do { return try taker.bool(number, isReference: isReference) } catch {
      throw self.error(error, "a boolean")
    }
  }

  package func integer<Value: FixedWidthInteger>(
    _ taker: NumberCoercion, _ number: ArchivedNumber
  ) throws(ArchiveError) -> NumberCoercion.Coerced<Value> {
    do { return try taker.integer(number, isReference: isReference) } catch {
      throw self.error(error, "an integer of \(Value.bitWidth) bits")
    }
  }

  package func real(
    _ taker: NumberCoercion, _ number: ArchivedNumber
  ) throws(ArchiveError) -> NumberCoercion.Coerced<Double> {
    do { return try taker.real(number, isReference: isReference) } catch {
      throw self.error(error, "a real number")
    }
  }

  package func float(
    _ taker: NumberCoercion, _ number: ArchivedNumber
  ) throws(ArchiveError) -> NumberCoercion.Coerced<Float> {
    do { return try taker.float(number, isReference: isReference) } catch {
      throw self.error(error, "a real number of single precision")
    }
  }

  private func error(_ misfit: NumberCoercion.Misfit, _ expected: String) -> ArchiveError {
    ArchiveError(misfit == .outOfRange ? .outOfRange : .wrongKind, at: place, name: expected)
  }
}
