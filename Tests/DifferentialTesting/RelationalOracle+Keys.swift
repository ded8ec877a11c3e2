/// What the objects of a class have under a key.
extension RelationalOracle {
  /// Where the members of the collections under a key may be.
  private enum Members {
    /// A table of elements, with the column of the owner.
    case table(StoreTables.StoredTable)
    /// The rows of a table, by their reference to the owner, whose table a column may name; in
    /// order by another column.
    case reference(StoreTables.StoredTable, column: Int, owner: Owner?, position: Int?)
    /// The join table of the inverse.
    case inverse(StoreTables.StoredTable, column: Int, position: Int?)
    case none
  }

  /// The table of an owner, and the column that names it.
  private struct Owner {
    var column: Int
    var table: String
  }

  /// The columns that lead to rows of a table: those that are declared to, and those beside which
  /// another column names it.
  private func references(
    of table: StoreTables.StoredTable, to name: String
  ) -> [(column: Int, owner: Owner?)] {
    table.columns.indices.compactMap { column in
      if table.references[column] == name { return (column, nil) }
      let own = table.columns[column]
      guard table.references[column] == nil, own.hasSuffix("_id"),
        let type = table.column("\(own.dropLast(3))_type")
      else { return nil }
      return (column, Owner(column: type, table: name))
    }
  }

  private func candidates(_ className: String, _ key: String) -> [Members] {
    let name = CaseGraph.entityName(className)
    var found: [Members] = []
    for table in store.tables.values.sorted(by: {
      ($0.name.count, $0.name) < ($1.name.count, $1.name)
    })
    where StoreTables.StoredTable.isName(table.name, "\(name)_\(self.name(of: key))")
      && table.columns.first != "id"
    {
      found.append(.table(table))
    }
    // The table may be that of another key, and a run that adds to a store may have another form
    // than the one before.
    found.append(.none)
    for table in store.tables.values.sorted(by: { $0.name < $1.name }) {
      let isEntity = table.columns.first == "id" && !table.name.hasPrefix("_")
      for (column, owner) in references(of: table, to: name) {
        let positions = table.columns(self.name(of: key), ending: "_position").map { Optional($0) }
        for position in positions.isEmpty ? [nil] : positions {
          if isEntity {
            found.append(.reference(table, column: column, owner: owner, position: position))
          } else if owner == nil, column > 0, !table.name.hasPrefix("_") {
            found.append(.inverse(table, column: column, position: position))
          }
        }
      }
    }
    return found
  }

  private func members(
    _ place: Members, _ row: Int64, isOrdered: Bool, isKeyed: Bool
  ) -> [String] {
    switch place {
    case .none: return []
    case .table(let table):
      let found = table.rows.filter { $0[0].integer == row }
      return words(found, table, owner: 0, isOrdered: isOrdered, isKeyed: isKeyed, 1)
    case .reference(let table, let column, let owner, let position):
      let found = table.rows.filter { cells in
        cells[column].integer == row && owner.map { cells[$0.column].text == $0.table } ?? true
          && position.map { !cells[$0].isNull } ?? true
      }
      return inOrder(found, position, isOrdered).map {
        words(.null, Reference(table: table.name, row: $0[0].integer), 0)
      }
    case .inverse(let table, let column, let position):
      let found = table.rows.filter { $0[column].integer == row }
      return inOrder(found, position, isOrdered).map {
        words(.null, Reference(table: table.references[0], row: $0[0].integer), 0)
      }
    }
  }

  private func inOrder(_ rows: [[Cell]], _ position: Int?, _ isOrdered: Bool) -> [[Cell]] {
    guard isOrdered, let position else { return rows }
    return rows.sorted { ($0[position].integer ?? -1) < ($1[position].integer ?? -1) }
  }

  /// The columns of a key in the table of its entity.
  private struct Columns {
    var value: Int?
    var reference: Int?
    var type: Int?
  }

  private func columns(_ key: String, _ table: StoreTables.StoredTable) -> [Columns] {
    let name = name(of: key)
    func places(_ ending: String = "") -> [Int?] {
      let found = table.columns(name, ending: ending).filter { $0 > 0 }
      return found.isEmpty ? [nil] : found
    }
    // The key `id` gives way to that of the table.
    let usual = Columns(
      value: table.column(name == "id" ? "id_2" : name), reference: table.column("\(name)_id"),
      type: table.column("\(name)_type"))
    var others: [Columns] = []
    for value in [nil] + places() {
      for reference in [nil] + places("_id") {
        for type in places("_type") {
          others.append(Columns(value: value, reference: reference, type: type))
        }
      }
    }
    return [usual] + others
  }

  /// Compares what some objects of a class have under a key: in whichever columns and tables, but
  /// in the same for all of them.
  mutating func check(_ className: String, _ key: String, _ objects: [Place]) {
    let name = CaseGraph.entityName(className)
    guard let table = store[name] else { return }
    var best: [String]?
    let candidates = candidates(className, key)
    search: for columns in columns(key, table) {
      for place in candidates {
        let found = differences(objects, key, table, columns, place)
        if found.count < best?.count ?? .max { best = found }
        if found.isEmpty { break search }
      }
    }
    for words in best ?? [] { note(words) }
    checkCount(objects, className, key, table)
  }

  private func differences(
    _ objects: [Place], _ key: String, _ table: StoreTables.StoredTable, _ columns: Columns,
    _ place: Members
  ) -> [String] {
    var differences: [String] = []
    for object in objects {
      guard let id = rows[object], let row = table.rows.first(where: { $0[0].integer == id })
      else { continue }
      func cell(_ column: Int?) -> Cell { column.map { row[$0] } ?? .null }
      let content = graph.content(object, key)
      var collection: ArchivedCollection?
      var expected = words(content, object.file, 0)
      if case .collection(let number) = content {
        let found = graph.collection(number, object.file)
        collection = found
        expected = list(elements(of: found, object.file, 1), found.kind.isOrdered)
        if found.elements.isEmpty { expected = "nothing" }
      }
      let type = columns.reference.flatMap { table.references[$0] } ?? cell(columns.type).text
      let reference = Reference(table: type, row: cell(columns.reference).integer)
      var found = words(cell(columns.value), reference, 0)
      let isOrdered = collection?.kind.isOrdered == true
      let members = members(
        place, id, isOrdered: isOrdered, isKeyed: collection?.kind.isKeyed == true)
      if !members.isEmpty {
        found = (found == "nothing" ? "" : "\(found) and ") + list(members, isOrdered)
      }
      if found != expected {
        differences.append("\(table.name) \(id).\(key): expected \(expected), found \(found)")
      }
    }
    return differences
  }

  /// An empty collection is told from none at all, from the run on that has both.
  private mutating func checkCount(
    _ objects: [Place], _ className: String, _ key: String, _ table: StoreTables.StoredTable
  ) {
    let counts = graph.counts(ofCollections: objects, key)
    if Set(counts.values).isSuperset(of: [0, nil]) {
      counted.insert([className, key])
    } else {
      // In another run, a key that differs only in case may have taken the property's name.
      let isAlone = !graph.keys(of: className).contains {
        $0 != key && $0.lowercased() == key.lowercased()
      }
      guard isAlone, counted.contains([className, key]) else { return }
    }
    for object in objects {
      guard let id = rows[object], let row = table.rows.first(where: { $0[0].integer == id })
      else { continue }
      let found = table.columns(name(of: key), ending: "_count").map {
        row[$0].integer.map(Int.init) ?? -1
      }
      let expected = (counts[object] ?? nil) ?? -1
      if !found.contains(expected) {
        note("\(table.name) \(id).\(key)_count: expected \(expected), found \(found)")
      }
    }
  }
}
