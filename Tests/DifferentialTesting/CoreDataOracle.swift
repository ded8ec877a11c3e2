/// Says whether everything of a case can be found in a store in Core Data's layout that a drafted
/// model lays out: each value with its owner or its top-level key, each link in a column or a join
/// table, in whichever form.
struct CoreDataOracle {
  typealias Place = CaseGraph.Place

  let graph: CaseGraph
  let store: StoreTables
  private(set) var differences: [String] = []
  /// For each object, the table and the row.
  private var rows: [Place: (table: String, row: Int64)] = [:]
  private static let keyColumn = "Z_PK"

  init(_ graph: CaseGraph, _ store: StoreTables, paths: [String]) {
    self.graph = graph
    self.store = store
    findRows()
    for className in graph.classNames {
      for key in graph.keys(of: className) {
        checkLinks(className, key)
        checkCount(className, key)
      }
    }
    for object in graph.objects.sorted() { checkValues(object) }
    checkTop(paths)
  }

  private mutating func note(_ words: String) { differences.append(words) }

  // MARK: Rows

  private var entityTables: [StoreTables.StoredTable] {
    store.tables.values.filter { $0.columns.first == Self.keyColumn }
      .sorted { $0.name < $1.name }
  }

  private mutating func findRows() {
    var found: [Cell: [(String, Int64)]] = [:]
    var count = 0
    for table in entityTables {
      count += table.rows.count
      for row in table.rows {
        guard let id = row[0].integer else { continue }
        for cell in Set(row.dropFirst()) { found[cell, default: []].append((table.name, id)) }
      }
    }
    for object in graph.objects.sorted() {
      let key = graph.object(object).identity
      guard case .leaf(let leaf, _) = graph.content(object, key) else { continue }
      let places = found[leaf.cell] ?? []
      guard places.count == 1 else {
        note("\(places.count) rows of \(graph.object(object).className) \(leaf.cell)")
        continue
      }
      rows[object] = places[0]
    }
    if count < graph.objects.count { note("\(count) rows, expected \(graph.objects.count)") }
  }

  // MARK: Values

  /// What a row holds, with the tables that belong to it and the collections that it leads to.
  private struct Held {
    var cells: Set<Cell> = []
    /// The rows that keys and values lead to.
    var rows: Set<Int64> = []
  }

  private func held(by row: [Cell], of table: StoreTables.StoredTable) -> Held {
    var held = Held()
    var collections: [Int64] = []
    func add(_ row: [Cell], _ table: StoreTables.StoredTable) {
      held.cells.formUnion(row)
      for (column, name) in table.columns.enumerated() {
        guard let id = row[column].integer else { continue }
        if name.hasSuffix("_COLLECTION") { collections.append(id) }
        if name.hasPrefix("ZVALUE_") || name.hasPrefix("ZKEY_") { held.rows.insert(id) }
      }
    }
    add(row, table)
    if table.columns.first == Self.keyColumn {
      for elements in store.tables.values where elements.name.hasPrefix("\(table.name)_") {
        guard let owner = elements.column("ZOWNER") else { continue }
        for element in elements.rows where element[owner] == row[0] { add(element, elements) }
      }
    }
    var seen: Set<Int64> = []
    while let collection = collections.popLast() {
      guard let elements = store["ZCOLLECTIONELEMENT"], seen.insert(collection).inserted else {
        continue
      }
      for element in elements.rows where elements.cell("ZOWNER", element).integer == collection {
        add(element, elements)
      }
    }
    for case .blob(let bytes) in held.cells { held.cells.formUnion(PlainLeaves.of(bytes)) }
    return held
  }

  private func cells(of object: Place) -> Set<Cell> {
    guard let (name, id) = rows[object], let table = store[name],
      let row = table.rows.first(where: { $0[0].integer == id })
    else { return [] }
    return held(by: row, of: table).cells
  }

  private static func holds(_ leaf: Leaf, _ cells: Set<Cell>) -> Bool {
    !leaf.coreDataCells.isDisjoint(with: cells) || cells.contains { leaf.isJSON($0) }
      || !leaf.parts.isEmpty && leaf.parts.isSubset(of: cells)
      || cells.contains { cell in
        guard let text = cell.text, text.hasPrefix("[") || text.hasPrefix("{") else { return false }
        return leaf.fragments.contains { text.contains($0) }
      }
  }

  private mutating func checkValues(_ object: Place) {
    guard rows[object] != nil else { return }
    let cells = cells(of: object)
    for pair in graph.object(object).pairs {
      for leaf in graph.contents(pair.content, object.file).leaves where !Self.holds(leaf, cells) {
        note("\(graph.object(object).className).\(pair.key) does not hold \(leaf)")
      }
    }
  }

  /// An empty collection is told from none at all.
  private mutating func checkCount(_ className: String, _ key: String) {
    let counts = graph.counts(ofCollections: graph.objects(of: className), key)
    guard Set(counts.values).isSuperset(of: [0, nil]) else { return }
    for (object, count) in counts.sorted(by: { $0.key < $1.key }) {
      guard let (name, id) = rows[object], let table = store[name],
        let row = table.rows.first(where: { $0[0].integer == id })
      else { continue }
      let word = "Z\(key.uppercased().replacing("$", with: "").replacing(".", with: "_"))"
      let found = table.columns(word, ending: "_COUNT").map { row[$0].integer.map(Int.init) }
      if !found.contains(count) {
        note("\(className) \(id).\(key): the count is \(found), expected \(count ?? -1)")
      }
    }
  }

  /// Compares what top-level keys hold.
  private mutating func checkTop(_ paths: [String]) {
    guard let table = store["ZTOPLEVELVALUE"] else { return note("no table of top-level keys") }
    for (file, archive) in graph.files.enumerated() {
      for pair in archive.top {
        let found = table.rows.filter {
          table.cell("ZKEY", $0) == .text(pair.key)
            && table.cell("ZARCHIVE", $0) == .text(paths[file])
        }
        guard found.count == 1 else {
          note("\(found.count) rows of the top-level key \(pair.key)")
          continue
        }
        let held = held(by: found[0], of: table)
        let expected = graph.contents(pair.content, file)
        for leaf in expected.leaves where !Self.holds(leaf, held.cells) {
          note("the top-level key \(pair.key) does not hold \(leaf)")
        }
        for object in expected.objects {
          guard let row = rows[object]?.row, !held.rows.contains(row) else { continue }
          note(
            "the top-level key \(pair.key) does not lead to \(graph.object(object).className) \(row)"
          )
        }
      }
    }
  }

  // MARK: Links

  private struct Link: Hashable {
    var owner: Int64
    var member: Int64
  }

  private func links(_ className: String, _ key: String) -> [Link: (Place, Place)] {
    var links: [Link: (Place, Place)] = [:]
    for object in graph.objects(of: className) {
      var members: [Int] = []
      switch graph.content(object, key) {
      case .object(let number): members = [number]
      case .collection(let number):
        members = graph.collection(number, object.file).elements.compactMap {
          if case .object(let number) = $0 { number } else { nil }
        }
      default: break
      }
      for member in members {
        let place = Place(file: object.file, number: member)
        guard let owner = rows[object]?.row, let row = rows[place]?.row else { continue }
        links[Link(owner: owner, member: row)] = (object, place)
      }
    }
    return links
  }

  private mutating func checkLinks(_ className: String, _ key: String) {
    let expected = links(className, key)
    guard !expected.isEmpty,
      let name = graph.objects(of: className).compactMap({ rows[$0]?.table }).first
    else { return }
    var named: Set<Link> = []
    for table in store.tables.values {
      for (one, other) in pairs(in: table, of: name) {
        let found = Set(
          table.rows.compactMap { row in
            row[one].integer.flatMap { owner in
              row[other].integer.map { Link(owner: owner, member: $0) }
            }
          })
        if found.isSuperset(of: expected.keys) { return }
        let names = [table.name, table.columns[one], table.columns[other]].map {
          $0.lowercased().filter(\.isLetter)
        }
        let word = key.lowercased().filter(\.isLetter)
        if names.contains(where: { $0.contains(word) }) { named.formUnion(found) }
      }
    }
    for (link, (owner, member)) in expected where !named.contains(link) {
      let identity = graph.content(member, graph.object(member).identity)
      if case .leaf(let leaf, _) = identity, cells(of: owner).contains(leaf.cell) { continue }
      note("\(className).\(key): the link of row \(link.owner) to row \(link.member) is missing")
    }
  }

  /// The pairs of columns of a table that may hold links of an entity's table.
  private func pairs(in table: StoreTables.StoredTable, of name: String) -> [(Int, Int)] {
    let others = table.columns.indices.dropFirst()
    guard table.columns.first == Self.keyColumn else {
      return others.flatMap { [(0, $0), ($0, 0)] }
    }
    let elements = table.column("ZOWNER").map { owner in others.map { (owner, $0) } } ?? []
    return elements + others.map { ($0, 0) } + (table.name == name ? others.map { (0, $0) } : [])
  }
}

extension Leaf {
  /// What stands for the value in JSON.
  var fragments: [String] {
    switch self {
    case .bool(let value): ["\(value)", value ? "1" : "0"]
    case .text(let text), .wrappedText(let text), .attributedText(let text), .className(let text):
      [text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")]
    case .url(let text, _, _), .relativeURL(let text): [text, text.replacing("/", with: "\\/")]
    case .data, .wrappedData: ["base64", "\"\""]
    default: cell.text.map { [$0] } ?? ["\(cell)"]
    }
  }

  /// What stands for the value in a keyed archive, beside the forms of a cell.
  var parts: Set<Cell> {
    switch self {
    case .indexSet(let location): [.integer(location)]
    case .recordID(let name, _, _): [.text(name)]
    case .relativeURL(let text): [.text(text)]
    case .uuid, .date, .decimal: []
    default: []
    }
  }
}
