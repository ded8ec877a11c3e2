extension ImportContext {
  /// The result of evaluating the source of an attribute.
  enum EvaluatedAttribute {
    /// A value, converted.
    case value(ImportValue)
    /// There is nothing under the key: the default stays.
    case absent
    /// The value cannot be converted, which was noted as an error.
    case refused

    /// The value, if there is one.
    var value: ImportValue {
      if case .value(let value) = self { value } else { .null }
    }
  }
}

extension ImportContext {
  /// Converts the value from the source of an attribute.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - plan: The plan of the attribute.
  ///   - attribute: The attribute.
  ///   - entity: The name of the entity.
  ///   - notes: True if errors and losses are noted.
  ///   - location: The place to note them at.
  /// - Returns: The result for the attribute.
  func converted(
    _ value: ImportValue, _ plan: ImportPlan.AttributePlan, _ attribute: Attribute, entity: String,
    notes: Bool, at location: @autoclosure () -> ImportFindings.Location
  ) -> EvaluatedAttribute {
    func locationOfKey() -> ImportFindings.Location {
      var location = location()
      if case .keyPath(let path) = plan.source { location.key = path.joined(separator: ".") }
      return location
    }
    func refuse(
      _ code: ValidationError.Code, _ value: ImportValue?, _ detail: String?
    ) -> EvaluatedAttribute {
      guard notes else { return .refused }
      report.add(
        ValidationError(
          code, entity: entity, property: attribute.name, kind: value?.kind, detail: detail),
        at: locationOfKey())
      return .refused
    }
    var converted = ConvertedValue(value)
    do {
      if let conversion = plan.conversion { converted = try conversion.convert(value) }
    } catch {
      return refuse(.conversionFailed, value, "\(error)")
    }
    if converted.value.isNull {
      // An absent key leaves the default, which is not for what a conversion replaced by nothing.
      if value.isNull, plan.source.keyPath != nil { return .absent }
      if !value.isNull, !attribute.isOptional { return refuse(.missingValue, nil, nil) }
    }
    if notes, let loss = converted.loss {
      var location = locationOfKey()
      // An expression has no key, and a constant no object.
      location.key = location.key ?? attribute.name
      location.className = location.className ?? entity
      report.addLoss(at: location, before: value, after: converted.value, reason: loss.reason)
    }
    return .value(converted.value)
  }
}
