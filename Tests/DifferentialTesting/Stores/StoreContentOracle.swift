import DataModel

/// Says whether a store in the relational layout holds the objects of a Core Data store, by
/// Documentation/layouts.md alone.
struct StoreContentOracle {
  private let content: StoreContent
  private let store: StoreTables
  private(set) var differences: [String] = []
  /// For each object, its row.
  private var rows: [Int: [Cell]] = [:]
  /// For each table, the object that each row is.
  private var objects: [String: [Int64: Int]] = [:]

  init(_ content: StoreContent, _ store: StoreTables) {
    self.content = content
    self.store = store
    for entity in content.model.entities where entity.parent == nil { findRows(entity.name) }
    for number in rows.keys.sorted() {
      checkValues(number)
      for relationship in content.whole(content.objects[number].entity).relationships {
        guard let found = links(number, relationship) else { continue }
        let members = (content.objects[number].links[relationship.name] ?? [])
          .filter { rows[$0] != nil }.map { content.objects[$0].tag }
        let expected = relationship.isOrdered ? members : members.sorted()
        if found != expected {
          note(number, "\(relationship.name): expected \(expected), found \(found)")
        }
      }
    }
  }

  private mutating func note(_ object: Int, _ words: String) {
    differences.append("\(content.objects[object].entity) \(content.objects[object].tag).\(words)")
  }

  private func table(of entity: String) -> StoreTables.StoredTable? {
    store[content.root(of: entity)]
  }

  // MARK: Rows

  private mutating func findRows(_ root: String) {
    guard let table = store[root], let tag = table.column(StoreContent.tag) else {
      return differences.append("\(root): no table with a tag")
    }
    let found = Dictionary(grouping: table.rows) { $0[tag] }
    var count = 0
    for number in content.objects(of: root) {
      let object = content.objects[number]
      let rows = found[.text(object.tag)] ?? []
      guard rows.count == 1, let id = rows[0][0].integer else {
        if !rows.isEmpty || !object.mayBeMissing { note(number, ": \(rows.count) rows") }
        continue
      }
      count += 1
      self.rows[number] = rows[0]
      objects[root, default: [:]][id] = number
      if let entity = table.column("_entity"), rows[0][entity] != .text(object.entity) {
        note(number, "_entity is \(rows[0][entity])")
      }
    }
    if count != table.rows.count {
      differences.append("\(root): \(table.rows.count) rows, expected \(count)")
    }
  }

  // MARK: Values

  private mutating func checkValues(_ number: Int) {
    let object = content.objects[number]
    guard let table = table(of: object.entity), let row = rows[number] else { return }
    for attribute in content.whole(object.entity).attributes
    where !object.unpredicted.contains(attribute.name) {
      let expected = object.values[attribute.name]?.cell ?? .null
      guard let column = table.column(attribute.name), row[column] == expected else {
        let found = table.column(attribute.name).map { "\(row[$0])" } ?? "no column"
        note(number, "\(attribute.name): expected \(expected), found \(found)")
        continue
      }
    }
  }

  // MARK: Links

  /// The tags of the objects that a relationship leads to, in order if it has one; nil where the
  /// inverse has them.
  private func links(_ number: Int, _ relationship: Relationship) -> [String]? {
    let entity = content.objects[number].entity
    guard let table = table(of: entity), let row = rows[number] else { return nil }
    let destination = relationship.destinations[0]
    if !relationship.isToMany {
      let id = table.cell("\(relationship.name)_id", row).integer
      return id.map { [tag($0, destination)] } ?? []
    }
    guard let inverse = content.inverse(of: relationship) else { return nil }
    var found: [(order: Int64, tag: String)]
    if inverse.isToMany {
      found = joined(row, entity, relationship, inverse, destination)
    } else {
      guard let members = self.table(of: destination),
        let owner = members.column("\(inverse.name)_id")
      else { return nil }
      let order = members.column("\(relationship.name)_position")
      found = members.rows.filter { $0[owner] == row[0] }.map { member in
        (order.flatMap { member[$0].integer } ?? 0, tag(member[0].integer ?? -1, destination))
      }
    }
    guard relationship.isOrdered else { return found.map(\.tag).sorted() }
    found.sort { $0.order < $1.order }
    let isCounted = found.map(\.order) == found.indices.map { Int64($0) }
    return isCounted ? found.map(\.tag) : ["positions \(found.map(\.order))"]
  }

  /// The links in a join table, which has the name of one side.
  private func joined(
    _ row: [Cell], _ entity: String, _ relationship: Relationship, _ inverse: Relationship,
    _ destination: String
  ) -> [(order: Int64, tag: String)] {
    func table(_ relationship: Relationship, of entity: String) -> StoreTables.StoredTable? {
      content.ancestors(of: entity).compactMap { store["\($0.name)_\(relationship.name)"] }.first
    }
    let own = table(relationship, of: entity)
    guard let join = own ?? table(inverse, of: destination) else {
      return [(0, "no table of \(relationship.name)")]
    }
    let columns = join.references.keys.sorted()
    guard columns.count == 2 else { return [(0, "\(columns.count) columns")] }
    let (owner, member) = own == nil ? (columns[1], columns[0]) : (columns[0], columns[1])
    let order = join.column(own == nil ? "\(relationship.name)_position" : "position")
    return join.rows.filter { $0[owner] == row[0] }.map { link in
      (order.flatMap { link[$0].integer } ?? 0, tag(link[member].integer ?? -1, destination))
    }
  }

  private func tag(_ id: Int64, _ entity: String) -> String {
    objects[content.root(of: entity)]?[id].map { content.objects[$0].tag } ?? "row \(id)"
  }
}
