/// Says whether everything of a case can be found in a store that a model lays out: each value with
/// its owner, each link in a column or a join table, in whichever form.
struct FindingOracle {
  typealias Place = CaseGraph.Place

  let graph: CaseGraph
  let store: StoreTables
  private(set) var differences: [String] = []
  /// For each object, the table and the row.
  private var rows: [Place: (table: String, row: Int64)] = [:]
  private let keyColumn: String

  init(_ graph: CaseGraph, _ store: StoreTables, isCoreData: Bool) {
    self.graph = graph
    self.store = store
    keyColumn = isCoreData ? "Z_PK" : "id"
    findRows()
    for className in graph.classNames {
      for key in graph.keys(of: className) { checkLinks(className, key) }
    }
    for object in graph.objects.sorted() { checkValues(object) }
  }

  private mutating func note(_ words: String) { differences.append(words) }

  // MARK: Rows

  private var entityTables: [StoreTables.StoredTable] {
    store.tables.values.filter { $0.columns.first == keyColumn && !$0.name.hasPrefix("_") }
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

  /// What stands in a row, and in the tables that belong to it.
  private func cells(of object: Place) -> Set<Cell> {
    guard let (name, id) = rows[object], let table = store[name] else { return [] }
    var cells = Set(table.rows.first { $0[0].integer == id } ?? [])
    var collections: [Int64] = []
    func add(_ row: [Cell], _ table: StoreTables.StoredTable) {
      cells.formUnion(row)
      for column in ["value", "key"] where table.cell("\(column)_type", row).text == "_collection" {
        if let id = table.cell("\(column)_id", row).integer { collections.append(id) }
      }
      collections += Self.collections(of: row, table)
    }
    if let row = table.rows.first(where: { $0[0].integer == id }) {
      collections += Self.collections(of: row, table)
    }
    for elements in store.tables.values {
      // In a store of Core Data, elements are rows of an entity that is named after its owner.
      let owner =
        elements.references[0] == name
        ? 0 : elements.name.hasPrefix("\(name)_") ? elements.column("ZOWNER") : nil
      guard let owner else { continue }
      for row in elements.rows where row[owner].integer == id { add(row, elements) }
    }
    var seen: Set<Int64> = []
    while let collection = collections.popLast() {
      guard seen.insert(collection).inserted else { continue }
      for (name, owner) in [
        ("_collection_element", "collection_id"), ("ZCOLLECTIONELEMENT", "ZCOLLECTION"),
      ] {
        guard let elements = store[name] else { continue }
        for row in elements.rows where elements.cell(owner, row).integer == collection {
          add(row, elements)
        }
      }
    }
    for cell in cells {
      if case .blob(let bytes) = cell { cells.formUnion(PlainLeaves.of(bytes)) }
    }
    return cells
  }

  /// The collections that a row of a store of Core Data leads to.
  private static func collections(
    of row: [Cell], _ table: StoreTables.StoredTable
  ) -> [Int64] {
    table.columns.indices.filter { table.columns[$0].hasSuffix("_COLLECTION") }
      .compactMap { row[$0].integer }
  }

  private mutating func checkValues(_ object: Place) {
    guard rows[object] != nil else { return }
    let cells = cells(of: object)
    let words = cells.compactMap(\.text).filter { $0.hasPrefix("[") || $0.hasPrefix("{") }
    var seen: Set<Int> = []
    func check(_ content: Content, _ key: String) {
      switch content {
      case .none, .null, .object: break
      case .leaf(let leaf, _):
        let isThere =
          !leaf.coreDataCells.isDisjoint(with: cells) || cells.contains { leaf.isJSON($0) }
          || leaf.fragments.contains { fragment in words.contains { $0.contains(fragment) } }
          || !leaf.parts.isEmpty && leaf.parts.isSubset(of: cells)
        if !isThere {
          note("\(graph.object(object).className).\(key) does not hold \(leaf)")
        }
      case .collection(let number):
        guard seen.insert(number).inserted else { return }
        let collection = graph.collection(number, object.file)
        for content in collection.keys + collection.elements { check(content, key) }
      }
    }
    for pair in graph.object(object).pairs { check(pair.content, pair.key) }
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
    for table in store.tables.values where !table.name.hasPrefix("_") {
      for (one, other) in pairs(in: table, of: name) {
        let found = Set(
          table.rows.compactMap { row in
            row[one].integer.flatMap { owner in
              row[other].integer.map { Link(owner: owner, member: $0) }
            }
          })
        if found.isSuperset(of: expected.keys) { return }
        let names = [table.name, table.columns[one], table.columns[other]].map { $0.lowercased() }
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
    guard table.columns.first == keyColumn else {
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
