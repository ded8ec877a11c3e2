import ArchiveReader

/// Attributes of rows written straight from the archive whose values are converted, checked, or
/// replaced by a default.
extension ArchiveImporter {
  /// The value of an attribute that is not in the row yet.
  enum PendingValue {
    /// It is in the row, or there is none.
    case done
    /// A value, or nothing, that is to become one of the attribute's type.
    case value(ImportValue?)
    /// The value cannot be converted, which was noted as an error.
    case refused
  }

  /// Sets the columns of transformed attributes.
  ///
  /// As in an `ImportSession`, all values are converted before any is checked, so that what is
  /// noted comes in the same order.
  func applyTransforms(
    _ object: GraphObject, _ id: Int64, _ recipe: RowRecipe, _ shapePlan: Int
  ) throws {
    while pendingValues.count < recipe.transforms.count { pendingValues.append(.done) }
    var isComplete = true
    let usualValues = recipe.usualValues
    let positions = shapePlans.plans[shapePlan].transforms
    for index in usualValues.indices {
      let value = positions[index] < 0 ? .null : values[positions[index]]
      let usual = usualValues[index]
      switch value {
      case .null, .nsNull:
        if usual.mayBeNothing { continue }
      case .object, .collection:
        break
      default:
        guard usual.isPassed, usual.type.takesAsItIs(value) else { break }
        if try !bind(usual.column, usual.runs, to: value) {
          noteLoss(of: value, object, recipe.transforms[index].key ?? "")
        }
        continue
      }
      let pending = try pendingValue(value, recipe.transforms[index], object, recipe)
      if case .done = pending { continue }
      pendingValues[index] = pending
      isComplete = false
    }
    guard !isComplete else { return }
    let shape = context.entities[recipe.entity]
    for index in recipe.preparationOrder {
      let stored = recipe.transforms[index].stored
      let value: ImportValue?
      var isRefused = false
      switch pendingValues[index] {
      case .done: continue
      case .value(let found): value = found
      case .refused: (value, isRefused) = (nil, true)
      }
      pendingValues[index] = .done
      let prepared = context.prepared(
        value, stored, of: shape, row: id, isRefused: isRefused, at: location(of: object))
      guard let prepared, let column = stored.column else { continue }
      if case .foundation(let found) = prepared {
        row.set(column, runs: stored.runs, to: found)
      } else {
        row.set(column, prepared)
      }
    }
  }

  /// Converts a value, which may be in the row then.
  private func pendingValue(
    _ value: GraphValue, _ transform: RowRecipe.AttributeTransform, _ object: GraphObject,
    _ recipe: RowRecipe
  ) throws -> PendingValue {
    let stored = transform.stored
    switch value {
    case .null, .nsNull:
      if transform.plan.givesNothingForNothing { return .value(nil) }
    case .object, .collection:
      break
    default:
      if value.hasUnpairedSurrogates { noteLoss(of: value, object, transform.key ?? "") }
      if let writer = transform.writer, write(value, writer, transform, object) { return .done }
    }
    let found: ImportValue =
      if case .constant(let constant) = transform.plan.source { constant } else {
        graph.importValue(ofPlain: value)
      }
    switch context.converted(
      found, transform.plan, stored.attribute, entity: recipe.name, notes: true,
      at: location(of: object))
    {
    case .value(let converted): return .value(converted)
    case .absent: return .value(nil)
    case .refused: return .refused
    }
  }

  /// Writes a value as a text, without a detour; returns false where that cannot be done.
  private func write(
    _ value: GraphValue, _ writer: any TextWritingStep,
    _ transform: RowRecipe.AttributeTransform, _ object: GraphObject
  ) -> Bool {
    guard let column = transform.stored.column else { return false }
    return row.set(column, textUpTo: WrittenText.maxBytes) { span in
      guard let written = writer.write(value, into: &span) else { return false }
      // What was lost is to be listed with the value before and after, up to a number.
      if let loss = written.loss {
        let isCounted = context.report.countUnlistedLoss(
          loss.reason, graph.classes[object.class.index].name, key: transform.sourceName,
          at: location(of: object))
        guard isCounted else { return false }
      }
      return true
    }
  }

  /// The place at which errors and losses of an object are noted.
  private func location(of object: GraphObject) -> ImportFindings.Location {
    ImportFindings.Location(
      archive: path, uid: graph.source.reportedNumber(ofObject: object.uid),
      className: graph.classes[object.class.index].name)
  }

  // MARK: Rows of parts

  /// Links a row to those that the parts of its texts find or make.
  func relateParts(
    _ object: GraphObject, _ id: Int64, _ recipe: RowRecipe, _ shapePlan: Int
  ) throws {
    let owner = RowReference(entity: recipe.entity, id: id)
    for index in recipe.splits.indices {
      let position = shapePlans.plans[shapePlan].splits[index]
      guard position >= 0 else { continue }
      let plan = recipe.splits[index]
      guard let split = plan.split else { continue }
      let value = try graph.value(of: object, at: position)
      if case .null = value { continue }
      if case .text(let text) = value,
        context.parts.find(text, split, plan.relationship)
      {
        context.relate(plan.relationship, of: owner, toMany: context.parts.found)
        continue
      }
      try relateParts(of: object, owner, plan, by: split)
    }
  }
}
