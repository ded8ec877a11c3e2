import DataModel
import Support

extension CoreDataLayout {
  /// Lays out the tables of a model as Core Data does.
  struct Builder {
    var layout = CoreDataLayout()
    /// The numbers of the entities, by their names.
    var numbers: [String: Int] = [:]
    /// True for a store that Core Data does not open.
    var isTemporary = false
    /// For each entity, the names of the columns of its own properties.
    var columnNames: [[String: String]] = []
    /// For each entity, its own relationships by their names.
    private let relationships: [[String: Relationship]]
    /// The names of all tables and indexes, in small letters, as SQLite compares them.
    private var takenNames: Set<String> = []

    init(_ model: Model, _ storeNumbers: [String: Int]) {
      let numbered = model.numberedEntities(inOrderOf: storeNumbers)
      relationships = numbered.map { numbered in
        Dictionary(
          numbered.entity.relationships.map { ($0.name, $0) },
          uniquingKeysWith: { first, _ in first }
        )
      }
      numbers = Dictionary(
        numbered.map { ($0.entity.name, $0.number) }, uniquingKeysWith: { first, _ in first })
      for (number, entity) in numbered.map({ ($0.number, $0.entity) }) {
        let parent = entity.parent.flatMap { numbers[$0] } ?? 0
        layout.entities.append(
          .init(
            entity: entity, number: number, storeNumbers: [storeNumbers[entity.name] ?? number],
            parent: parent, last: number, table: 0))
      }
      if !storeNumbers.isEmpty { numberRest(model, storeNumbers) }
      // Subentities follow their parent, so that each knows its last one when its turn comes.
      for index in layout.entities.indices.reversed() where layout.entities[index].parent > 0 {
        let parent = layout.entities[index].parent - 1
        layout.entities[parent].last = max(
          layout.entities[parent].last, layout.entities[index].last)
      }
      for index in layout.entities.indices {
        let subentities = layout.entities[index].numbers.dropFirst()
        layout.entities[index].storeNumbers += subentities.map {
          layout.entities[$0 - 1].storeNumber
        }
      }
      let unnumbered = Set(model.entities.map(\.name)).subtracting(numbers.keys)
      for name in unnumbered.sorted(by: { $0.precedesInBytes($1) }) {
        layout.gaps.append(ModelError(.parentCycle, entity: name))
      }
      takenNames = [
        CoreDataLayout.primaryKeyTable.folded, CoreDataLayout.metadataTable.folded,
        CoreDataLayout.modelCacheTable.folded,
      ]
    }

    /// Numbers the entities that a store has no number for.
    private mutating func numberRest(_ model: Model, _ storeNumbers: [String: Int]) {
      let taken = Set(storeNumbers.values)
      let usual = Dictionary(
        model.numberedEntities.map { ($0.entity.name, $0.number) },
        uniquingKeysWith: { first, _ in first })
      var free = -1
      for index in layout.entities.indices {
        let name = layout.entities[index].entity.name
        guard storeNumbers[name] == nil else { continue }
        if let number = usual[name], !taken.contains(number) {
          layout.entities[index].storeNumbers = [number]
          continue
        }
        while taken.contains(free) { free -= 1 }
        layout.entities[index].storeNumbers = [free]
        free -= 1
      }
    }

    /// The number that the store has for an entity, by that of the layout.
    func storeNumber(_ number: Int) -> Int { layout.entities[number - 1].storeNumber }

    /// Makes the layout: once.
    mutating func build() -> CoreDataLayout {
      refuseWhatHasNoPlace()
      addTables()
      nameColumns()
      let unpaired = unpairedRelationships()
      for table in layout.tables.indices { addColumns(table, unpaired[table] ?? []) }
      addJoinTables()
      addInheritedPlaces()
      refuseSharedColumns()
      refuseWideTables()
      addIndexes()
      return layout
    }

    // MARK: Tables

    /// Begins a table for each root; the others share those.
    private mutating func addTables() {
      for storage in layout.entities {
        guard storage.isRoot else {
          let table = layout.entities[storage.parent - 1].table
          layout.entities[storage.number - 1].table = table
          layout.members[table].append(storage.number)
          continue
        }
        let name = "Z\(storage.entity.name.uppercased())"
        if !take(name) { refuse("its table \(name) is used by another", storage) }
        layout.tables.append(
          CoreDataTable(
            name: name,
            columns: [
              .init(name: CoreDataLayout.keyColumn, type: .integer, isPrimaryKey: true),
              .init(name: CoreDataLayout.entityColumn, type: .integer),
              .init(name: CoreDataLayout.counterColumn, type: .integer),
            ]))
        layout.entities[storage.number - 1].table = layout.tables.count - 1
        layout.members.append([storage.number])
      }
      layout.indexes = layout.tables.map { _ in [] }
    }

    /// Takes a name of a table or an index; returns whether it was free.
    mutating func take(_ name: String) -> Bool { takenNames.insert(name.folded).inserted }

    /// What is inherited has the place that it has in the parent.
    private mutating func addInheritedPlaces() {
      for storage in layout.entities where !storage.isRoot {
        let parent = layout.entities[storage.parent - 1]
        layout.entities[storage.number - 1].attributes
          .merge(parent.attributes) { own, _ in own }
        layout.entities[storage.number - 1].relationships
          .merge(parent.relationships) { own, _ in own }
      }
    }

    // MARK: Names of columns

    /// Gives each column of a property its name: they are told apart within a table.
    ///
    /// A name that a sibling has gets 1, 2 and so on.
    private mutating func nameColumns() {
      columnNames = layout.entities.map { _ in [:] }
      var taken: [[String: Int]] = layout.tables.map { _ in [:] }
      for storage in layout.entities {
        let names =
          storage.entity.storedAttributes.map(\.name) + storage.entity.references.map(\.name)
        for name in names {
          let wanted = "Z\(name.uppercased())"
          columnNames[storage.number - 1][name] = Self.claim(wanted, &taken[storage.table])
        }
      }
    }

    /// A name that is not taken yet: the one that is wanted, or that with a number.
    ///
    /// - Parameters:
    ///   - wanted: The name.
    ///   - taken: The names that are taken, each with the last number that was tried after it.
    /// - Returns: The name to use, which is taken then.
    static func claim(_ wanted: String, _ taken: inout [String: Int]) -> String {
      var name = wanted
      if var number = taken[wanted.folded] {
        repeat {
          number += 1
          name = "\(wanted)\(number)"
        } while taken[name.folded] != nil
        taken[wanted.folded] = number
      }
      taken[name.folded] = 0
      return name
    }

    // MARK: Relationships

    /// The inverse of a relationship, and the number of the entity that declares it.
    func inverse(of relationship: Relationship) -> (entity: Int, relationship: Relationship)? {
      guard let name = relationship.inverse, let destination = destination(of: relationship) else {
        return nil
      }
      var number = destination
      while number > 0 {
        if let found = relationships[number - 1][name] { return (number, found) }
        number = layout.entities[number - 1].parent
      }
      return nil
    }

    /// The number of the one entity that a relationship leads to.
    func destination(of relationship: Relationship) -> Int? {
      guard relationship.destinations.count == 1 else { return nil }
      return relationship.destinations.first.flatMap { numbers[$0] }
    }

    // MARK: Gaps

    mutating func refuse(
      _ reason: String, _ storage: CoreDataLayout.EntityStorage, _ property: String? = nil
    ) {
      layout.gaps.append(
        ModelError(.unstorable, entity: storage.entity.name, property: property, name: reason))
    }
  }
}
