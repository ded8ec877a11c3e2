import DataModel

extension CoreDataLayout.Builder {
  /// A relationship of two to-many sides, by the entity that declares it.
  private struct Side: Hashable {
    var entity: Int
    var name: String
  }

  /// One side with the name of the column of the rows that have it.
  private struct Half {
    var side: Side
    var relationship: Relationship
    var column: String
  }

  /// The second column of a many-to-many relationship that is its own inverse; `StoreLayout` reads
  /// any other.
  private static let reflexiveColumn = "REFLEXIVE"

  /// Adds the tables of many-to-many relationships, and the places of the other to-many ones.
  ///
  /// A pair of inverses has one table, which is named after the side that is met first.
  mutating func addJoinTables() {
    let columns = joinColumns()
    var done: Set<Side> = []
    for storage in layout.entities {
      for relationship in storage.entity.storedRelationships where relationship.isToMany {
        guard let inverse = inverse(of: relationship), !inverse.relationship.isTransient else {
          continue
        }
        let side = Side(entity: storage.number, name: relationship.name)
        let other = Side(entity: inverse.entity, name: inverse.relationship.name)
        guard inverse.relationship.isToMany else {
          layout.entities[storage.number - 1].relationships[relationship.name] =
            .members(entity: inverse.entity, relationship: inverse.relationship.name)
          continue
        }
        guard !done.contains(side), let own = columns[side], let theirs = columns[other] else {
          continue
        }
        done.formUnion([side, other])
        let first = Half(side: side, relationship: relationship, column: own)
        let second = Half(
          side: other, relationship: inverse.relationship,
          column: side == other ? Self.reflexiveColumn : theirs)
        guard side != other else {
          if isTemporary, relationship.isSymmetric(in: storage.entity.name) {
            addJoinTable(first, second)
          }
          continue
        }
        guard side.entity == other.entity else {
          addJoinTable(first, second)
          continue
        }
        // Which of the two names the table cannot be told from the model, though it mostly is the
        // later name. A second table harms nobody, and Core Data finds the one that it looks for.
        addJoinTable(second, first)
        addJoinTable(first, second, isAlternative: true)
      }
    }
  }

  /// For each many-to-many relationship, the name of the column with the rows that have it: named
  /// after the inverse.
  private func joinColumns() -> [Side: String] {
    var columns: [Side: String] = [:]
    for storage in layout.entities {
      var taken: [String: Int] = [:]
      for relationship in storage.entity.storedRelationships where relationship.isToMany {
        guard let inverse = inverse(of: relationship)?.relationship, inverse.isToMany,
          !inverse.isTransient
        else { continue }
        columns[Side(entity: storage.number, name: relationship.name)] = Self.claim(
          "Z_\(storage.storeNumber)\(inverse.name.uppercased())", &taken)
      }
    }
    return columns
  }

  private mutating func addJoinTable(
    _ own: Half, _ other: Half, isAlternative: Bool = false
  ) {
    let storage = layout.entities[own.side.entity - 1]
    let name = "Z_\(storage.storeNumber)\(own.side.name.uppercased())"
    guard take(name) else {
      if !isAlternative { refuse("its table \(name) is used by another", storage, own.side.name) }
      return
    }
    guard let destination = self.destination(of: own.relationship),
      let otherDestination = self.destination(of: other.relationship)
    else { return }
    var table = CoreDataTable(
      name: name,
      columns: [
        .init(name: own.column, type: .integer), .init(name: other.column, type: .integer),
      ], primaryKey: [own.column, other.column])
    func addOrderColumn(_ relationship: Relationship, _ column: String) -> Int? {
      guard relationship.isOrdered else { return nil }
      table.columns.append(.init(name: "Z_FOK_\(column.dropFirst(2))", type: .integer))
      return table.columns.count - 1
    }
    // The first column has the rows that own the members in the second one: the members of the
    // inverse.
    let first = CoreDataLayout.JoinSide(
      owner: other.side.entity, relationship: other.side.name, destination: otherDestination,
      column: 0, orderColumn: addOrderColumn(other.relationship, own.column))
    let second = CoreDataLayout.JoinSide(
      owner: own.side.entity, relationship: own.side.name, destination: destination, column: 1,
      orderColumn: addOrderColumn(own.relationship, other.column))
    layout.joinTables.append(
      .init(
        table: table, owner: storage.table, first: first, second: second,
        isAlternative: isAlternative))
    for side in [own.side, other.side] {
      var numbers: [Int] = []
      if case .join(let known) = layout.entities[side.entity - 1].relationships[side.name] {
        numbers = known
      }
      layout.entities[side.entity - 1].relationships[side.name] =
        .join(tables: numbers + [layout.joinTables.count - 1])
    }
  }
}
