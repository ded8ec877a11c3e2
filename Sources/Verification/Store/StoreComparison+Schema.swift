import Stores

extension StoreComparison {
  /// Compares what a store declares with what the plans of its runs make.
  struct Schema {
    let expected: ExpectedSchema
    let found: StoreSchema
    let findings: VerificationFindings

    /// The name under which tables, columns and indexes are listed that could not be compared.
    private static let name = "sqlite_schema"
    /// Why what else there is cannot be judged.
    static let incompleteReason =
      "the archives of a run, or the code that made its rows, are missing"

    /// Compares all of it.
    func compare() {
      for (name, table) in expected.tables.sorted(by: { $0.key < $1.key }) { compare(table, name) }
      // An index that is there already is not made again, while views are.
      let indexes = expected.indexes.mapValues {
        expected.earlier?.indexes[$0.name]
          ?? StoreSchema.Entry(name: $0.name, table: $0.table, sql: $0.keptCreation)
      }
      compareEntries(
        indexes, found.indexes.filter { !$0.key.hasPrefix(Self.ownPrefix) },
        earlier: expected.earlier?.indexes ?? [:], kind: "an index")
      var views = expected.views
      for view in expected.superclassViews where views[view.name] == nil {
        views[view.name] = StoreSchema.Entry(name: view.name, table: view.name, sql: view.creation)
      }
      compareEntries(
        views, found.views,
        earlier: expected.earlier?.views.filter { !SuperclassViews.contains($0.value) } ?? [:],
        kind: "a view")
      for name in Database.headerNumbers {
        let number = expected.earlier?.headerNumbers[name] ?? .integer(0)
        let other = found.headerNumbers[name]
        if other != number {
          add(name, "", expected: number.words, found: other?.words ?? "nothing")
        }
      }
      for trigger in found.triggers {
        add(trigger.table, trigger.name, expected: "nothing", found: "a trigger")
      }
      if expected.isSearchable, !SearchTable.isDeclared(in: found) {
        let other = found.tables[SearchTable.name] == nil ? "nothing" : "another one"
        add(SearchTable.name, "", expected: "a search table", found: other)
      }
      let searchTables = expected.isSearchable ? RelationalLayout.searchTables : []
      for (name, form) in found.tables.sorted(by: { $0.key < $1.key })
      where expected.tables[name] == nil && !searchTables.contains(name) {
        if let earlier = expected.earlier?.tables[name], earlier.text == form.text { continue }
        if name.hasPrefix(Self.ownPrefix) {
          findings.omit(name, reason: "SQLite uses it internally")
        } else if expected.isComplete {
          add(name, "", expected: "nothing", found: "a table")
        } else {
          findings.omit(Self.name, reason: Self.incompleteReason)
        }
      }
    }

    /// The prefix of the names of SQLite's own tables and indexes.
    private static let ownPrefix = "sqlite_"

    private func add(_ entity: String, _ property: String, expected: String, found: String) {
      findings.add(
        archive: nil, entity: entity, row: nil, property: property, expected: expected, found: found
      )
    }

    private func compare(_ table: Table, _ name: String) {
      guard let form = found.tables[name] else {
        return add(
          name, "", expected: "a table", found: found.views[name] == nil ? "nothing" : "a view")
      }
      let before = findings.result.differenceCount
      let known = Dictionary(
        form.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      for column in table.columns where known[column.name] != column {
        if let other = known[column.name] {
          add(name, column.name, expected: column.declaration, found: other.declaration)
        } else if form.strangeColumns.contains(column.name) {
          add(name, column.name, expected: column.declaration, found: "a different column")
        } else {
          add(name, column.name, expected: "a column", found: "nothing")
        }
      }
      let expectedNames = Set(table.columns.map(\.name))
      let others = (form.columns.map(\.name) + form.strangeColumns)
        .filter { !expectedNames.contains($0) }
      for column in others {
        if expected.isComplete {
          add(name, column, expected: "nothing", found: "a column")
        } else {
          findings.omit(Self.name, reason: Self.incompleteReason)
        }
      }
      if !form.isStrict { add(name, "", expected: "a STRICT table", found: "another table") }
      guard before == findings.result.differenceCount, !form.isOwnForm(name) else { return }
      add(name, "", expected: "a table without further clauses", found: "one with others")
    }

    private func compareEntries(
      _ expected: [String: StoreSchema.Entry], _ found: [String: StoreSchema.Entry],
      earlier: [String: StoreSchema.Entry], kind: String
    ) {
      for (name, entry) in expected.sorted(by: { $0.key < $1.key }) {
        let property = name == entry.table ? "" : name
        guard let other = found[name] else {
          add(entry.table, property, expected: kind, found: "nothing")
          continue
        }
        if other.text != entry.text {
          add(entry.table, property, expected: kind, found: "another one")
        }
      }
      for (name, entry) in found.sorted(by: { $0.key < $1.key }) where expected[name] == nil {
        if earlier[name]?.text == entry.text { continue }
        let property = name == entry.table ? "" : name
        if self.expected.isComplete {
          add(entry.table, property, expected: "nothing", found: kind)
        } else {
          findings.omit(Self.name, reason: Self.incompleteReason)
        }
      }
    }
  }
}
