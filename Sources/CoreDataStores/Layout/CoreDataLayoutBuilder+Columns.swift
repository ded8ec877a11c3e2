import DataModel
import Support

extension CoreDataLayout.Builder {
  /// The types whose columns stand together, after those of integers and relationships.
  private static let groups: [Set<AttributeType>] = [
    [.date, .double, .float], [.decimal], [.string], [.uri], [.uuid], [.transformable], [.binary],
  ]

  /// Adds the columns of a table in the order of Core Data.
  mutating func addColumns(_ table: Int, _ unpaired: [(entity: Int, relationship: String)]) {
    let storages = layout.members[table].map { layout.entities[$0 - 1] }
    for storage in storages {
      for attribute in storage.entity.storedAttributes where attribute.type.isInteger {
        addColumn(of: attribute, storage)
      }
      for relationship in storage.entity.references { addReference(relationship, storage) }
    }
    for (entity, name) in unpaired {
      let columnName = "Z\(storeNumber(entity))\(name.uppercased())"
      let column = add(columnName, .integer, table)
      layout.entities[entity - 1].relationships[name] = .memberColumn(table: table, column: column)
    }
    addOrderColumns(storages)
    for group in Self.groups {
      for storage in storages {
        for attribute in storage.entity.storedAttributes where group.contains(attribute.type) {
          addColumn(of: attribute, storage)
        }
      }
    }
  }

  private mutating func addColumn(of attribute: Attribute, _ storage: CoreDataLayout.EntityStorage)
  {
    guard let type = attribute.type.coreDataColumnType,
      let name = columnNames[storage.number - 1][attribute.name]
    else { return }
    layout.entities[storage.number - 1].attributes[attribute.name] = add(name, type, storage.table)
  }

  private mutating func addReference(
    _ relationship: Relationship, _ storage: CoreDataLayout.EntityStorage
  ) {
    guard let destination = destination(of: relationship),
      let name = columnNames[storage.number - 1][relationship.name]
    else { return }
    var reference = CoreDataLayout.ReferenceColumns(
      destination: destination, column: add(name, .integer, storage.table),
      inverse: relationship.inverse)
    if layout.entities[destination - 1].hasSubentities {
      reference.entityColumn = add(
        "Z\(storeNumber(destination))_\(name.dropFirst())", .integer, storage.table)
    }
    layout.entities[storage.number - 1].relationships[relationship.name] = .column(reference)
  }

  /// For each table, the to-many relationships that lead to its rows and have no inverse.
  func unpairedRelationships() -> [Int: [(entity: Int, relationship: String)]] {
    var found: [Int: [(entity: Int, relationship: String)]] = [:]
    for storage in layout.entities {
      for relationship in storage.entity.storedRelationships
      where relationship.isToMany && relationship.inverse == nil {
        guard let destination = destination(of: relationship) else { continue }
        found[layout.entities[destination - 1].table, default: []]
          .append((storage.number, relationship.name))
      }
    }
    return found
  }

  /// Adds the columns of the places in ordered collections.
  private mutating func addOrderColumns(_ storages: [CoreDataLayout.EntityStorage]) {
    var ordered: [(inverse: String, name: String, entity: Int, relationship: String)] = []
    for storage in storages {
      for relationship in storage.entity.references {
        guard let inverse = inverse(of: relationship)?.relationship, inverse.isToMany,
          inverse.isOrdered, !inverse.isTransient,
          let name = columnNames[storage.number - 1][relationship.name]
        else { continue }
        ordered.append(
          (inverse.name, "Z_FOK_\(name.dropFirst())", storage.number, relationship.name))
      }
    }
    ordered.sort { one, other in
      one.inverse == other.inverse
        ? one.name.precedesInBytes(other.name) : other.inverse.precedesInBytes(one.inverse)
    }
    for (_, name, entity, relationship) in ordered {
      guard
        case .column(var reference) = layout.entities[entity - 1].relationships[relationship]
      else { continue }
      reference.orderColumn = add(name, .integer, layout.entities[entity - 1].table)
      layout.entities[entity - 1].relationships[relationship] = .column(reference)
    }
  }

  /// Adds a column to a table; returns its place there.
  private mutating func add(
    _ name: String, _ type: CoreDataTable.ColumnType, _ table: Int
  ) -> Int {
    layout.tables[table].columns.append(.init(name: name, type: type))
    return layout.tables[table].columns.count - 1
  }
}

extension AttributeType {
  /// True if Core Data keeps its values as integers.
  var isInteger: Bool {
    switch self {
    case .boolean, .integer16, .integer32, .integer: true
    default: false
    }
  }

  /// How Core Data declares a column of the type; nil where it has none.
  var coreDataColumnType: CoreDataTable.ColumnType? {
    switch self {
    case .boolean, .integer16, .integer32, .integer: .integer
    case .date: .timestamp
    case .double, .float: .float
    case .decimal: .decimal
    case .string, .uri: .varchar
    case .uuid, .transformable, .binary: .blob
    case .objectID, .composite, .undefined, .json, .attributedText, .mixed, .unknown: nil
    }
  }
}
