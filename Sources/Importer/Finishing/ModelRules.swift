import DataModel
import Stores

/// The rules of a model for relationships and uniqueness, checked when all rows are there.
struct ModelRules {
  let model: Model
  let rows: StoredRows

  /// Takes what is broken: the error, the row, and its table.
  typealias Report = (ValidationError, _ row: Int64, _ table: Int) -> Void

  /// Checks all of it.
  ///
  /// - Parameter report: Takes what is broken.
  /// - Throws: `StoreError` if the store cannot be read.
  func validate(_ report: Report) throws(StoreError) {
    try validateRelationships(report)
    try validateUniqueness(report)
  }

  /// Checks that relationships lead to as many rows as they must and may.
  private func validateRelationships(_ report: Report) throws(StoreError) {
    for (index, stored) in rows.relationships.enumerated() {
      guard let declared = stored.declaration(in: model) else { continue }
      let least = declared.requiredCount
      let most = declared.isToMany ? declared.maximumCount : 1
      guard least > 0 || declared.isToMany && most > 0 else { continue }
      if !declared.isToMany, isFilled(stored) { continue }
      // An optional relationship may be empty whatever its least count is.
      let empty = declared.isOptional ? "count > 0 AND " : ""
      var conditions: [String] = []
      if least > 0 { conditions.append("(\(empty)count < \(least))") }
      if declared.isToMany, most > 0 { conditions.append("count > \(most)") }
      for row in try rows.store.query(
        "SELECT id, count FROM (\(rows.counting(index))) WHERE "
          + conditions.joined(separator: " OR "))
      {
        guard case .integer(let id) = row[0], case .integer(let count) = row[1] else { continue }
        let isTooFew = count < least
        report(
          ValidationError(
            count == 0 && !declared.isToMany
              ? .missingValue : isTooFew ? .tooFewRows : .tooManyRows,
            entity: rows.entities[stored.entity].name, row: id, property: stored.name,
            detail: isTooFew ? "at least \(least)" : "at most \(most)"),
          id, stored.table)
      }
    }
  }

  /// True if every row of an entity is known to lead somewhere by a to-one relationship.
  private func isFilled(_ stored: StoredRelationship) -> Bool {
    guard rows.entities[stored.entity].discriminator == nil, let reference = stored.reference,
      let count = rows.store.filled(0, ofTable: stored.table)
    else { return false }
    return rows.store.filled(reference, ofTable: stored.table) == count
  }

  /// Checks what the model says is unique.
  private func validateUniqueness(_ report: Report) throws(StoreError) {
    for (index, entity) in model.entities.enumerated() {
      let table = rows.layout.table(of: index)
      for names in entity.uniquenessConstraints {
        guard let groups = repetitions(of: names, index) else { continue }
        for row in try rows.store.query("SELECT max(\(table.quotedKey)), count(*) \(groups)") {
          guard case .integer(let id) = row[0], case .integer(let count) = row[1] else { continue }
          report(
            ValidationError(
              .notUnique, entity: entity.name, row: id, property: names.joined(separator: ", "),
              detail: "\(count) rows have it"),
            id, rows.entities[index].table)
        }
      }
    }
  }

  /// The groups of rows that are alike in some properties of an entity, as they stand after the
  /// columns of a query; nil if not all of the properties have a column.
  private func repetitions(of names: [String], _ entity: Int) -> String? {
    let table = rows.layout.table(of: entity)
    let columns = names.compactMap { name in
      rows.layout.entities[entity].properties[name].flatMap { $0.value ?? $0.reference }
    }
    guard !columns.isEmpty, columns.count == names.count else { return nil }
    let list = columns.map { SQL.quoted(table.columns[$0].name) }
    let filled = list.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let kinds = rows.kindCondition(entity).map { " AND " + $0 } ?? ""
    return "FROM \(SQL.quoted(table.name)) WHERE \(filled)\(kinds) "
      + "GROUP BY \(list.joined(separator: ", ")) HAVING count(*) > 1"
  }

  /// The rows that are alike in what the model of the inputs says is unique, which is no rule of this
  /// one.
  ///
  /// - Parameter declared: The model of the inputs.
  /// - Returns: The number of such rows, for each such constraint.
  /// - Throws: `StoreError` if the store cannot be read.
  func repetitions(against declared: Model) throws(StoreError) -> [LayoutOmission] {
    var found: [LayoutOmission] = []
    for entity in declared.entities {
      guard let index = rows.hierarchy.index(of: entity.name) else { continue }
      for names in entity.uniquenessConstraints
      where !model.entities[index].uniquenessConstraints.contains(names) {
        guard let groups = repetitions(of: names, index) else { continue }
        let counted = try rows.store.query(
          "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n \(groups))")
        guard case .integer(let count) = counted.first?.first, count > 0 else { continue }
        found.append(
          LayoutOmission(repeated: names, of: entity.name, rows: Int(clamping: count)))
      }
    }
    return found
  }
}
