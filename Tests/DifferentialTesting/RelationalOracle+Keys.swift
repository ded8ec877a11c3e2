/// What the objects of a class have under a key.
extension RelationalOracle {
  /// Where the members of the collections under a key may be.
  private enum Members {
    /// A table of elements, with the column of the owner.
    case table(StoreTables.StoredTable)
    /// The rows of a table, by their reference to the owner; in order by another column.
    case reference(StoreTables.StoredTable, column: Int, position: Int?)
    /// The join table of the inverse.
    case inverse(StoreTables.StoredTable, column: Int, position: Int?)
    case none
  }

  private func candidates(_ className: String, _ key: String) -> [Members] {
    let name = CaseGraph.entityName(className)
    if let table = store["\(name)_\(key)"] { return [.table(table)] }
    var found: [Members] = [.none]
    for table in store.tables.values.sorted(by: { $0.name < $1.name }) {
      let isEntity = table.columns.first == "id" && !table.name.hasPrefix("_")
      for (column, destination) in table.references.sorted(by: { $0.key < $1.key })
      where destination == name {
        let position = table.column("\(key)_position")
        if isEntity {
          found.append(.reference(table, column: column, position: position))
        } else if column > 0, !table.name.hasPrefix("_") {
          found.append(.inverse(table, column: column, position: position))
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
    case .reference(let table, let column, let position):
      let found = table.rows.filter { cells in
        cells[column].integer == row && (position.map { !cells[$0].isNull } ?? true)
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

  mutating func check(_ className: String, _ key: String) {
    let name = CaseGraph.entityName(className)
    guard let table = store[name] else { return }
    var best: [String]?
    for place in candidates(className, key) {
      let found = differences(className, key, table, place)
      if found.count < best?.count ?? .max { best = found }
      if found.isEmpty { break }
    }
    for words in best ?? [] { note(words) }
    checkCount(className, key, table)
  }

  private func differences(
    _ className: String, _ key: String, _ table: StoreTables.StoredTable, _ place: Members
  ) -> [String] {
    var differences: [String] = []
    let column = Self.column(key)
    for object in graph.objects(of: className) {
      guard let id = rows[object], let row = table.rows.first(where: { $0[0].integer == id })
      else { continue }
      let content = graph.content(object, key)
      var collection: ArchivedCollection?
      var expected = words(content, object.file, 0)
      if case .collection(let number) = content {
        let found = graph.collection(number, object.file)
        collection = found
        expected = list(elements(of: found, object.file, 1), found.kind.isOrdered)
        if found.elements.isEmpty { expected = "nothing" }
      }
      let type =
        table.cell("\(key)_type", row).text
        ?? table.column("\(key)_id").flatMap { table.references[$0] }
      let reference = Reference(table: type, row: table.cell("\(key)_id", row).integer)
      var found = words(table.cell(column, row), reference, 0)
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

  /// An empty collection is told from none at all.
  private mutating func checkCount(
    _ className: String, _ key: String, _ table: StoreTables.StoredTable
  ) {
    var hasEmpty = false
    var hasNone = false
    var counts: [Place: Int] = [:]
    for object in graph.objects(of: className) {
      switch graph.content(object, key) {
      case .none, .null: hasNone = true
      case .collection(let number):
        counts[object] = graph.collection(number, object.file).elements.count
        if counts[object] == 0 { hasEmpty = true }
      default: break
      }
    }
    guard hasEmpty, hasNone else { return }
    for object in graph.objects(of: className) {
      guard let id = rows[object], let row = table.rows.first(where: { $0[0].integer == id })
      else { continue }
      let found = table.cell("\(key)_count", row).integer.map(Int.init)
      if found != counts[object] {
        note(
          "\(table.name) \(id).\(key)_count: expected \(counts[object] ?? -1), found \(found ?? -1)"
        )
      }
    }
  }
}
