/// Says whether a store in the relational layout holds what a case does, by
/// Documentation/layouts.md alone.
struct RelationalOracle {
  typealias Place = CaseGraph.Place

  let graph: CaseGraph
  let store: StoreTables
  private(set) var differences: [String] = []
  /// For each object, its row.
  private(set) var rows: [Place: Int64] = [:]
  /// For each table, the object that each row is.
  private(set) var places: [String: [Int64: Place]] = [:]

  /// Whether each run of the case has added to the store, in columns and tables of its choice.
  let isAppended: Bool

  /// Whether names are those that Core Data takes.
  let isModelled: Bool

  /// The keys of classes under which a run so far has had both empty collections and none.
  var counted: Set<[String]> = []

  /// Compares a store with a case.
  ///
  /// - Parameters:
  ///   - graph: The case.
  ///   - store: The store.
  ///   - paths: The paths of the archives.
  ///   - isAppended: Whether each run of the case has added to the store.
  ///   - isModelled: Whether names are those that Core Data takes.
  init(
    _ graph: CaseGraph, _ store: StoreTables, paths: [String], isAppended: Bool = false,
    isModelled: Bool = false
  ) {
    self.graph = graph
    self.store = store
    self.isAppended = isAppended
    self.isModelled = isModelled
    findRows()
    checkArchives(paths)
    let runs = Set(graph.files.map(\.run))
    for className in graph.classNames {
      let objects = graph.objects(of: className)
      for key in graph.keys(of: className) {
        for run in isAppended ? runs.sorted() : [0] {
          check(
            className, key,
            objects.filter { !isAppended || graph.files[$0.file].run == run })
        }
      }
    }
    let found = store["_collection"]?.rows.count ?? 0
    if found != graph.unownedCollections.count {
      note("_collection has \(found) rows, expected \(graph.unownedCollections.count)")
    }
  }

  mutating func note(_ words: String) { differences.append(words) }

  // MARK: Rows

  /// The name of a key's property, but for capitals, which columns are found without regard to.
  func name(of key: String) -> String {
    isModelled ? key.replacing("$", with: "").replacing(".", with: "_") : key
  }

  private mutating func findRows() {
    for className in graph.classNames {
      let name = CaseGraph.entityName(className)
      let objects = graph.objects(of: className)
      guard let table = store[name] else {
        note("\(name): no table")
        continue
      }
      if table.rows.count != objects.count {
        note("\(name): \(table.rows.count) rows, expected \(objects.count)")
      }
      for object in objects {
        let key = graph.object(object).identity
        guard case .leaf(let leaf, _) = graph.content(object, key) else { continue }
        let column = table.columns(self.name(of: key)).first
        let found = table.rows.filter { row in column.map { row[$0] } == leaf.cell }
        guard found.count == 1, let row = found[0][0].integer else {
          note("\(name): \(found.count) rows of object \(leaf.cell)")
          continue
        }
        rows[object] = row
        places[name, default: [:]][row] = object
      }
    }
  }

  private mutating func checkArchives(_ paths: [String]) {
    guard let archives = store["_archive"], let ranges = store["_rows"], let top = store["_top"]
    else { return note("the tables that keep account are missing") }
    var ids: [Int64: Int] = [:]
    for row in archives.rows {
      guard let id = row[0].integer, let path = archives.cell("path", row).text,
        let file = paths.firstIndex(of: path)
      else { continue }
      ids[id] = file
    }
    if ids.count != paths.count { note("_archive has \(ids.count) of \(paths.count) archives") }
    for (object, row) in rows.sorted(by: { $0.key < $1.key }) {
      let name = CaseGraph.entityName(graph.object(object).className)
      let found = ranges.rows.filter { range in
        guard ranges.cell("entity", range).text == name,
          let first = ranges.cell("first", range).integer,
          let last = ranges.cell("last", range).integer
        else { return false }
        return first <= row && row <= last
      }.map { ranges.cell("archive_id", $0).integer.flatMap { ids[$0] } }
      if found != [object.file] { note("_rows: \(name) \(row) is said to be from \(found)") }
    }
    var expected: [String] = []
    for (file, archive) in graph.files.enumerated() {
      for pair in archive.top {
        expected.append("\(file) \(pair.key) \(words(pair.content, file, 0))")
      }
    }
    let found = top.rows.map { row in
      let file = top.cell("archive_id", row).integer.flatMap { ids[$0] } ?? -1
      let reference = Reference(
        table: top.cell("entity", row).text, row: top.cell("row", row).integer)
      return "\(file) \(top.cell("key", row).text ?? "") "
        + words(top.cell("value", row), reference, 0)
    }
    compare(found.sorted(), expected.sorted(), "_top")
  }

  private mutating func compare(_ found: [String], _ expected: [String], _ place: String) {
    guard found != expected else { return }
    let missing = expected.filter { !found.contains($0) }
    let surplus = found.filter { !expected.contains($0) }
    note("\(place): expected \(missing), found \(surplus)")
  }
}
