import Converter
import TestSupport

/// What a report counts, and what SQL counts of the same: a line for each entity and property.
///
/// Entities must not inherit from each other, and names of properties must be those of columns.
extension StoreQuery {
  /// The lines of the store.
  func tally(_ report: ConversionReport) throws -> [String] {
    try report.entities.flatMap { entity in
      var lines = ["\(entity.name): \(try value("SELECT count(*) FROM \(entity.name)")) rows"]
      for attribute in entity.attributes {
        let inRows = try count(attribute.name, in: entity.name)
        let inElements = try count("value", in: "\(entity.name)_\(attribute.name)")
        lines.append("\(entity.name).\(attribute.name): \(inRows + inElements) values")
      }
      for relationship in entity.relationships {
        lines.append(
          "\(entity.name).\(relationship.name) \(relationship.isToMany ? "to many" : "to one"): "
            + "\(try links(relationship, of: entity.name)) links")
      }
      return lines
    }
  }

  private func links(_ relationship: ConversionReport.Relationship, of entity: String) throws -> Int
  {
    guard relationship.isToMany else {
      return try count("\(relationship.name)_id", in: entity)
    }
    let table = "\(entity)_\(relationship.name)"
    // The first is the key, the second leads to the owner.
    let columns = try names(ofColumnsIn: table).dropFirst(2)
    if let column = columns.first(where: {
      $0.hasSuffix("_id") && $0 != "key_id" || $0.hasSuffix("_id_2")
    }) {
      return try count(column, in: table)
    }
    guard let inverse = relationship.inverse else { return 0 }
    let inMembers = try count("\(inverse)_id", in: relationship.destination)
    return try inMembers + count("\(entity)_id", in: "\(relationship.destination)_\(inverse)")
  }

  /// How many rows of a table have something in a column; none if there is no such column.
  private func count(_ column: String, in table: String) throws -> Int {
    guard try names(ofColumnsIn: table).contains(column) else { return 0 }
    return Int(try value("SELECT count(\"\(column)\") FROM \"\(table)\"")) ?? -1
  }

  private func names(ofColumnsIn table: String) throws -> [String] {
    try lines("SELECT name FROM pragma_table_info('\(table)')")
  }
}

extension ConversionReport {
  /// The lines of the report.
  var tally: [String] {
    entities.flatMap { entity in
      ["\(entity.name): \(entity.rows) rows"]
        + entity.attributes.map { "\(entity.name).\($0.name): \($0.values) values" }
        + entity.relationships.map {
          "\(entity.name).\($0.name) \($0.isToMany ? "to many" : "to one"): \($0.links) links"
        }
    }
  }
}
