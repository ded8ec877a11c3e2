import TestSupport

/// Reads a random graph back out of a store, with nothing but SQL and the rules of the layout.
struct GraphStore {
  private let store: StoreQuery
  private let graph: RandomGraph
  /// For each root entity, the object that each row is.
  private var tags: [Int: [Int: Int]] = [:]
  /// For each object, its row.
  private var rows: [Int: Int] = [:]
  /// What is wrong with the store.
  private(set) var differences: [String] = []

  /// Reads the graph, whose archives have some paths, and compares it with what it has to hold.
  init(
    _ store: StoreQuery, _ graph: RandomGraph, paths: [String], holds content: RandomGraph.Content
  )
    throws
  {
    self.store = store
    self.graph = graph
    for entity in graph.entities.indices where graph.entities[entity].parent == nil {
      try readRows(of: entity)
    }
    if rows.count != graph.objects.count { differences.append("\(rows.count) rows") }
    try checkEntities()
    try checkArchives(paths)
    for side in graph.declaredSides {
      check(side, found: try read(side), expected: content[side] ?? [:])
    }
  }

  /// The object that a row of an entity is.
  func tag(ofRow row: Int, _ entity: Int) -> Int? { tags[graph.root(of: entity)]?[row] }

  private mutating func note(_ words: String) { differences.append("\(graph.prefix): \(words)") }

  // MARK: Rows

  private func integers(_ sql: String) throws -> [[Int?]] {
    try store.rows(sql).map { row in row.map { Int($0) } }
  }

  private mutating func readRows(of root: Int) throws {
    tags[root] = [:]
    for row in try integers("SELECT id, tag FROM \(graph.entities[root].name)") {
      guard let id = row[0], let tag = row[1], graph.objects.indices.contains(tag) else {
        note("a row without a tag")
        continue
      }
      if rows[tag] != nil { note("object \(tag) has two rows") }
      tags[root]?[id] = tag
      rows[tag] = id
    }
  }

  /// Rows that inherit stand in the table of their root, and in the views of all between.
  private mutating func checkEntities() throws {
    for (entity, form) in graph.entities.enumerated() {
      let isAlone = !graph.entities.contains { $0.parent == entity }
      let root = graph.entities[graph.root(of: entity)].name
      let own = graph.objects.indices.filter { graph.objects[$0].entity == entity }
      if form.parent != nil || !isAlone {
        let found = try integers("SELECT tag FROM \(root) WHERE _entity = '\(form.name)'")
        if found.compactMap({ $0[0] }).sorted() != own { note("the rows of \(form.name)") }
      }
      let kinds = graph.objects.indices.filter {
        graph.isKind(graph.objects[$0].entity, of: entity)
      }
      let shown = try integers("SELECT tag FROM \(form.name)").compactMap { $0[0] }.sorted()
      if shown != kinds { note("\(form.name) shows \(shown), expected \(kinds)") }
    }
  }

  /// Each row is in the range that `_rows` gives for its archive.
  private mutating func checkArchives(_ paths: [String]) throws {
    let ranges = try store.rows(
      "SELECT path, entity, first, last FROM _rows JOIN _archive ON _archive.id = archive_id")
    for (tag, object) in graph.objects.enumerated() {
      let table = graph.entities[graph.root(of: object.entity)].name
      let found = ranges.filter { range in
        guard range[1] == table, let row = rows[tag], let first = Int(range[2]),
          let last = Int(range[3])
        else { return false }
        return first <= row && row <= last
      }
      if found.map({ $0[0] }) != [paths[object.archive]] { note("the archive of object \(tag)") }
    }
  }

  // MARK: Relationships

  private struct Link {
    var owner: Int?
    var member: Int?
    var position: Int?
  }

  /// The members of each object, in order where there is one.
  private mutating func read(_ side: RandomGraph.Side) throws -> [Int: [Int]] {
    let own = graph.end(side)
    let opposite = graph.opposite(side)
    let other = graph.end(opposite)
    func table(_ end: RandomGraph.End) -> String { graph.entities[graph.root(of: end.entity)].name }
    let sql: String
    if !own.isToMany {
      sql = "SELECT id, \(own.name)_id, NULL FROM \(table(own)) WHERE \(own.name)_id IS NOT NULL"
    } else if graph.pairs[side.pair].kind == .ownerAndMembers {
      let position = own.isOrdered ? "\(own.name)_position" : "NULL"
      sql =
        "SELECT \(other.name)_id, id, \(position) FROM \(table(other)) "
        + "WHERE \(other.name)_id IS NOT NULL"
    } else {
      sql = try joinQuery(side)
    }
    var links: [Int: [Link]] = [:]
    for row in try integers(sql) {
      let owner = row[0].flatMap { tag(ofRow: $0, own.entity) }
      let member = row[1].flatMap { tag(ofRow: $0, other.entity) }
      guard let owner, let member else {
        note("\(own.name) leads nowhere")
        continue
      }
      links[owner, default: []].append(Link(member: member, position: row[2]))
    }
    return links.reduce(into: [:]) { result, entry in
      var members = entry.value
      if own.isOrdered {
        members.sort { ($0.position ?? -1) < ($1.position ?? -1) }
        if members.map(\.position) != Array(members.indices) {
          note("\(own.name) \(entry.key): positions \(members.map(\.position))")
        }
      }
      result[entry.key] = members.compactMap(\.member)
    }
  }

  /// A join table belongs to one of the two sides; the other reads it backwards.
  private func joinQuery(_ side: RandomGraph.Side) throws -> String {
    let own = graph.end(side)
    let other = graph.end(graph.opposite(side))
    let name = "\(graph.entities[own.entity].name)_\(own.name)"
    let isOwn = try !store.rows("SELECT 1 FROM sqlite_schema WHERE name = '\(name)'").isEmpty
    let (first, second) = isOwn ? (own, other) : (other, own)
    let table = "\(graph.entities[first.entity].name)_\(first.name)"
    let firstColumn = "\(graph.entities[first.entity].name)_id"
    var secondColumn = "\(graph.entities[second.entity].name)_id"
    if firstColumn == secondColumn { secondColumn += "_2" }
    let position = !own.isOrdered ? "NULL" : isOwn ? "position" : "\(own.name)_position"
    return isOwn
      ? "SELECT \(firstColumn), \(secondColumn), \(position) FROM \(table)"
      : "SELECT \(secondColumn), \(firstColumn), \(position) FROM \(table)"
  }

  private mutating func check(
    _ side: RandomGraph.Side, found: [Int: [Int]], expected: [Int: RandomGraph.Members]
  ) {
    let end = graph.end(side)
    for object in graph.objects.indices {
      let members = expected[object] ?? .init()
      var list =
        members.stated + members.others.sorted { (rows[$0] ?? 0) < (rows[$1] ?? 0) }
      var own = found[object] ?? []
      if !end.isOrdered {
        list.sort()
        own.sort()
      }
      if own != list { note("\(end.name) \(object): \(own), expected \(list)") }
    }
  }
}
