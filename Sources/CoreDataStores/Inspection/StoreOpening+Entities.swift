import DataModel
import GraphCore
import Stores

/// The entities of an SQLite store, as far as it tells without its model.
extension StoreOpening {
  /// The entities that the store has numbers for, and the tables of their rows.
  ///
  /// - Parameter limits: The limit on the number of entities.
  /// - Returns: The entities, and the names of the tables in small letters.
  /// - Throws: `ModelError`.
  /// - Complexity: Linear in the number of rows.
  func entities(
    _ limits: ReadingLimits
  ) throws(ModelError) -> (entities: [StoreInspection.Entity], tables: Set<String>) {
    let rows = try store.rows(
      """
      SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY NOT INDEXED
        WHERE typeof(Z_ENT) = 'integer' AND Z_ENT < \(CoreDataStore.firstOwnNumber)
          AND typeof(Z_NAME) = 'text' LIMIT \(limits.classes) + 1
      """)
    guard rows.count <= limits.classes else { throw ModelError(.tooMany, name: "entities") }
    var found: [Int64: (name: String, parent: Int64?)] = [:]
    for row in rows {
      guard case .integer(let number) = row[0], case .text(let name) = row[1] else { continue }
      if case .integer(let parent) = row[2], parent != 0 {
        found[number] = (name, parent)
      } else {
        found[number] = (name, nil)
      }
    }
    var counts: [Int64: Int] = [:]
    var tables: Set<String> = []
    for (root, members) in Self.hierarchies(found) {
      // All rows of a hierarchy are in the table of its root.
      guard let name = found[root]?.name, let table = schema.tables["Z\(name.uppercased())".folded]
      else { continue }
      tables.insert(table.name.folded)
      guard let own = self.counts(of: table) else { continue }
      for member in members { counts[member] = own[member] ?? 0 }
    }
    let entities = found.map { number, entity in
      StoreInspection.Entity(
        name: entity.name, parent: entity.parent.flatMap { found[$0]?.name },
        objects: counts[number])
    }
    return (entities, tables)
  }

  /// The entities that inherit from none, each with itself and all that inherit from it; those in a
  /// circle are left out.
  private static func hierarchies(
    _ entities: [Int64: (name: String, parent: Int64?)]
  ) -> [Int64: [Int64]] {
    let children = Dictionary(grouping: entities.keys) { number in
      entities[number]?.parent.flatMap { entities[$0] == nil ? nil : $0 }
    }
    var found: [Int64: [Int64]] = [:]
    for root in children[nil] ?? [] {
      var members = [root]
      var next = 0
      while next < members.count {
        members += children[members[next]] ?? []
        next += 1
      }
      found[root] = members
    }
    return found
  }

  /// The number of rows of a table with each number of an entity; nil if it is damaged.
  private func counts(of table: SQLiteSchema.Table) -> [Int64: Int]? {
    var counts: [Int64: Int] = [:]
    var scan = ObjectIndex.KeyScan(table.name, database)
    while let row = scan.next() {
      guard let number = row.number, (0..<CoreDataStore.firstOwnNumber).contains(number) else {
        continue
      }
      counts[number, default: 0] += 1
    }
    return scan.failure == nil ? counts : nil
  }

  /// The tables that hold neither objects nor links, as far as their names tell.
  ///
  /// - Parameter tables: The tables of objects, in small letters.
  /// - Returns: The other tables.
  /// - Throws: `ModelError` if one of them is damaged.
  func remainder(besides tables: Set<String>) throws(ModelError) -> [StoreRemainder] {
    let known = tables.union(Self.fixedTables)
    var found: [StoreRemainder] = []
    for (folded, table) in schema.tables.sorted(by: { $0.key < $1.key })
    where !known.contains(folded) && !folded.hasPrefix("sqlite_") {
      // A join table: Z_<number><NAME>.
      if folded.hasPrefix("z_"), folded.dropFirst(2).first?.isNumber == true { continue }
      found.append(
        StoreRemainder(
          Self.kind(folded), name: table.name, rows: try forEachRow(of: table.name, "1") { _ in }))
    }
    return found
  }
}
