import ArchiveReader

extension ImportContext {
  /// Gives an attribute its default, converts its value to the attribute's type and checks it.
  func prepare(_ index: Int, of instance: RowInstance, _ entity: EntityShape) {
    let stored = entity.attributes[index]
    let value: ImportValue?
    switch instance.slots[index] {
    case .unset:
      if stored.attribute.isOptional, stored.defaultValue == nil { return }
      value = nil
    case .archived(let archived):
      if stored.acceptsAllValues, stored.type.takesAsItIs(archived),
        stored.acceptsEverything || !archived.isNothing
      {
        return
      }
      value = session?.exactValue(of: archived, under: stored.attribute.key) ?? .null
    case .value(let set):
      if stored.acceptsAllValues, stored.type.isType(of: set) { return }
      value = set
    }
    let prepared = prepared(
      value, stored, of: entity, row: instance.reference.id,
      isRefused: instance.refused.contains(index), at: location)
    instance.slots[index] = prepared.map { .value($0) } ?? .unset
  }

  /// The value that an attribute holds: the value that was set, as one of its type and checked, or
  /// its default.
  ///
  /// - Parameters:
  ///   - value: The value; nil where nothing was set.
  ///   - stored: The attribute.
  ///   - entity: The entity of the row.
  ///   - row: The row.
  ///   - isRefused: True if there was a value that could not be taken, which was noted.
  ///   - location: The place that the row comes from, for errors and losses.
  /// - Returns: The value; nil for none.
  func prepared(
    _ value: ImportValue?, _ stored: EntityShape.StoredAttribute, of entity: EntityShape,
    row: Int64, isRefused: Bool, at location: @autoclosure () -> ImportFindings.Location
  ) -> ImportValue? {
    let attribute = stored.attribute
    func fail(
      _ code: ValidationError.Code, kind: String?, detail: String?, remedy: String? = nil
    ) {
      report.add(
        ValidationError(
          code, entity: entity.name, row: row, property: attribute.name, kind: kind,
          detail: detail, remedy: remedy), at: location())
    }
    guard let value = value ?? stored.defaultValue else {
      if !attribute.isOptional, !isRefused { fail(.missingValue, kind: nil, detail: nil) }
      return nil
    }
    var prepared: ImportValue
    switch ValueCoercion.coerce(value, to: stored.type) {
    case .value(let coerced):
      prepared = coerced
    case .lossy(let coerced, let reason):
      var location = location()
      location.key = attribute.name
      report.addLoss(at: location, before: value, after: coerced, reason: reason)
      prepared = coerced
    case .refused:
      fail(
        .wrongKind, kind: value.kind, detail: "its type is \(stored.type.rawValue)",
        remedy: isMapped ? value.conversion(to: stored.type).map { "add 'convert: \($0)'" } : nil)
      return nil
    }
    if stored.isReal, case .real(let number) = prepared, RealColumn.changes(number) {
      let kept = RealColumn.kept(of: number)
      if kept.value.isNull, !attribute.isOptional {
        fail(.wrongKind, kind: prepared.kind, detail: "NaN, but a value is required")
        return nil
      }
      var location = location()
      location.key = attribute.name
      report.addLoss(at: location, before: prepared, after: kept.value, reason: kept.reason)
      prepared = kept.value
    }
    if prepared.isNull, !attribute.isOptional, let defaultValue = stored.defaultValue {
      prepared = defaultValue
    }
    guard !stored.acceptsEverything || prepared.isNull,
      let error = stored.validator.error(for: prepared)
    else { return prepared }
    fail(error.code, kind: prepared.kind, detail: error.detail)
    return nil
  }

  /// True if the values of the current object are set as a mapping says, and not by a hook.
  var isMapped: Bool {
    guard let session, let name = session.location.className else { return true }
    if case .hook = session.pass.plan(ofClass: name) { return false }
    return true
  }
}
