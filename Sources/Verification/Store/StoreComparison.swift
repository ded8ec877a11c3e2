import ArchiveReader
import Importer
import Stores

/// Compares a whole store, run by run.
package final class StoreComparison {
  package let store: VerifiedStore
  package let findings: VerificationFindings
  /// True if the archives still have the paths that they had in the run.
  package let comparesPaths: Bool
  private let bookkeeping: BookkeepingVerifier
  private let workers: VerificationWorkers
  /// The content that the runs that were compared must have left.
  private(set) var content = Content()
  /// False for all shards of a run but the first: what they have in common is counted once.
  package var countsCommon = true
  /// The tables of elements that runs have, by name, each with its owner's column and table.
  private var elementTables: [String: (owner: String, table: String)] = [:]
  /// Classes that were listed by runs that are not compared.
  private var otherClasses: Set<String> = []
  private var knowsAllClasses = false
  /// The declarations that the runs must have made.
  private var expectedSchema = ExpectedSchema()
  private let schema: StoreSchema
  /// SQLite's own checks; nil where only the rows of an archive are looked at.
  private let integrity: Integrity?
  private let path: String

  /// A run, as it is to be compared.
  package struct Run {
    package var plan: ImportPlan
    package var profile: SchemaProfile
    /// The number of passes that it has completed.
    package var passes: Int
    package var archives: [VerifiedArchive]
    /// True if it opened archives inside of others.
    package var opensNested: Bool
    /// True if it made its texts searchable.
    package var isSearchable: Bool
    /// True if it kept its archives in the store.
    package var keepsOriginals: Bool
    /// Its row in `_run`.
    package var record: [String: StoredValue]

    package init(
      plan: ImportPlan, profile: SchemaProfile, passes: Int, archives: [VerifiedArchive],
      opensNested: Bool, isSearchable: Bool, keepsOriginals: Bool, record: [String: StoredValue]
    ) {
      (self.plan, self.profile, self.passes) = (plan, profile, passes)
      (self.archives, self.opensNested, self.isSearchable) = (archives, opensNested, isSearchable)
      (self.keepsOriginals, self.record) = (keepsOriginals, record)
    }
  }

  /// - Parameters:
  ///   - path: The path of the store.
  ///   - comparesPaths: True if the archives still have the paths that they had in the run.
  ///   - jobs: The number of threads that compare parts of large tables.
  ///   - spill: Takes the differences after those that are listed.
  ///   - edits: Takes the changes of an archive's rows, which are no differences then.
  /// - Throws: `StoreError` if it is no database.
  package init(
    path: String, comparesPaths: Bool, jobs: Int, spill: EntrySpill? = nil,
    edits: StoreEdits? = nil
  ) throws(StoreError) {
    self.comparesPaths = comparesPaths
    self.path = path
    findings = VerificationFindings(spill)
    store = try VerifiedStore(path: path)
    schema = try StoreSchema(try Database(reading: path))
    integrity = edits == nil ? Integrity(path: path, jobs: jobs, spill) : nil
    workers = VerificationWorkers(path, jobs: jobs, edits)
    bookkeeping = try BookkeepingVerifier(store, findings, comparesPaths: comparesPaths)
  }

  /// Begins after what a store held before.
  ///
  /// - Parameters:
  ///   - known: The earlier content.
  ///   - layout: The tables of the run.
  ///   - schema: The earlier declarations; nil if there was no store.
  /// - Throws: `StoreError` if the store cannot be read.
  package func begin(
    after known: StoreContent, _ layout: RelationalLayout, _ schema: StoreSchema?
  ) throws(StoreError) {
    try bookkeeping.skip(through: known.lastArchive)
    for (table, last) in zip(layout.tables, known.lastIDs) { content.lastIDs[table.name] = last }
    content.lastCollection = known.lastCollection
    content.lastArchive = known.lastArchive
    content.lastRun = known.lastRun
    otherClasses = known.classes
    expectedSchema.earlier = schema
  }

  /// True if the store has all the tables and columns that a plan has.
  package func fits(_ plan: ImportPlan) -> Bool {
    let tables = plan.layout.tables + plan.layout.elementTables.map(\.table)
    return tables.allSatisfy { table in
      table.columns.allSatisfy { $0.numberOf != nil || store.has($0.name, in: table.name) }
    }
  }

  // MARK: Runs

  /// Notes what a run must have left, but for rows; compares what the store says of it.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  package func note(_ run: Run) throws(StoreError) {
    var own = RelationalLayout.bookkeepingTables(
      withProvenance: run.plan.recordsProvenance, withNesting: run.opensNested,
      withMetadata: run.plan.keepsMetadata, withOriginals: run.keepsOriginals)
    let places = RelationalLayout.placeColumns
    if !store.has(places[0].name, in: RelationalLayout.objectsTable) {
      // A store of an earlier version does not tell the places of objects.
      for index in own.indices { own[index].columns.removeAll(where: places.contains) }
    }
    expectedSchema.add(run.plan.layout, own: own)
    // The others may have had more keys.
    if run.archives.contains(where: { !$0.isPresent }) { expectedSchema.isComplete = false }
    for elements in run.plan.layout.elementTables {
      let owner = elements.table.columns[elements.owner]
      elementTables[elements.table.name] = (owner.name, owner.references ?? "")
    }
    for table in run.plan.layout.tables where content.lastIDs[table.name] == nil {
      content.lastIDs[table.name] = 0
    }
    if run.isSearchable { expectedSchema.isSearchable = true }
    addClasses(of: run)
    try compareRecord(of: run)
    content.lastRun += 1
    content.lastArchive = max(content.lastArchive, run.archives.last?.id ?? 0)
  }

  /// Compares what a run has written.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - reason: Why its rows cannot be compared, if they cannot: then what can be told is checked.
  ///   - makeOpener: Makes what opens its archives, on the thread that needs them.
  /// - Throws: `ArchiveError` if an archive cannot be read, `StoreError` if the store cannot be.
  package func compare(
    _ run: Run, reasonNotTo reason: String? = nil,
    makeOpener: @escaping @Sendable () -> any ComparedArchives
  ) throws {
    try note(run)
    if let reason { return try pass(over: run, reason: reason, makeOpener()) }
    let verifier = RunVerifier(
      run.plan, store, bookkeeping, workers, passes: run.passes,
      from: content.position(in: run.plan.layout), makeOpener: makeOpener)
    try verifier.compare(run.archives)
    content.add(verifier.position, in: run.plan.layout)
  }

  /// Checks what can be told of a run that is not compared, and passes over its rows.
  private func pass(
    over run: Run, reason: String, _ files: any ComparedArchives
  ) throws {
    try StoreConsistency(run.plan, store, findings).check(reason: reason)
    for archive in run.archives {
      if archive.isPresent { try bookkeeping.compareArchive(archive, try files.open(archive)) }
      try passOver(archive.id)
    }
    try files.finish()
    for table in [RelationalLayout.topTable, RelationalLayout.objectsTable]
    where store.columns(of: table) != nil {
      findings.omit(table, reason: reason, count: run.archives.count)
    }
  }

  /// Passes over archives of a run of which nothing is known.
  package func passOver(archives: ClosedRange<Int64>, reason: String) throws {
    findings.omit(RelationalLayout.runTable, reason: reason)
    expectedSchema.isComplete = false
    let found = try store.rows(
      "SELECT id FROM \(RelationalLayout.archiveTable) WHERE id BETWEEN ? AND ? ORDER BY id",
      [.integer(archives.lowerBound), .integer(archives.upperBound)])
    for row in found {
      guard case .integer(let id) = row[0] else { continue }
      try passOver(id)
    }
    content.lastRun += 1
    content.lastArchive = max(content.lastArchive, archives.upperBound)
    guard !knowsAllClasses else { return }
    knowsAllClasses = true
    for row in try store.rows("SELECT name FROM \(RelationalLayout.classTable)") {
      if case .text(let name) = row[0] { otherClasses.insert(ArchivedName.text(name)) }
    }
  }

  private func passOver(_ archive: Int64) throws {
    for (table, last) in try bookkeeping.lastRows(of: archive) {
      if table == RelationalLayout.collectionTable {
        content.lastCollection = max(content.lastCollection, last)
      } else {
        content.lastIDs[table] = max(content.lastIDs[table] ?? 0, last)
      }
    }
    try bookkeeping.skip(archive)
  }

  // MARK: What is told of a run as a whole

  private func addClasses(of run: Run) {
    for found in run.profile.classes where content.classes[found.name] == nil {
      content.classes[found.name] = (
        found.hierarchy.map(ArchivedName.plain).joined(separator: " "),
        run.plan.entityName(ofClass: found.name)
      )
    }
  }

  private func compareRecord(of run: Run) throws(StoreError) {
    let id = content.lastRun + 1
    let name = RelationalLayout.runTable
    let list = run.record.keys.sorted().filter { store.has($0, in: name) }
    let columns = (["id"] + list).map(SQL.quoted).joined(separator: ", ")
    let rows =
      store.has("id", in: name)
      ? try store.rows("SELECT \(columns) FROM \(name) WHERE id = ?", [.integer(id)]) : []
    guard let row = rows.first else {
      return findings.add(
        archive: nil, entity: name, row: id, property: "", expected: "a row", found: "nothing")
    }
    for (column, found) in zip(list, row.dropFirst()) {
      if countsCommon { findings.countEntry() }
      guard let expected = run.record[column], expected != found else { continue }
      findings.add(
        archive: nil, entity: name, row: id, property: column, expected: expected.words,
        found: found.words)
    }
  }

  // MARK: The end

  /// Compares what the store declares, and has SQLite check it.
  package func finishChecks() throws(StoreError) {
    if ["id", "name", "hierarchy", "entity"].allSatisfy({
      store.has($0, in: RelationalLayout.classTable)
    }) {
      let classes = try store.rows(SuperclassViews.classesQuery)
      expectedSchema.superclassViews = try SuperclassViews(classes: classes) {
        () throws(StoreError) in schema
      }.views
    }
    if SearchTable.isDeclared(in: schema) {
      expectedSchema.isSearchable = true
      // Of texts that were changed, it may have the former ones.
      if workers.edits == nil {
        try SearchComparison(path: path, findings).compare(in: schema)
      }
    }
    Schema(expected: expectedSchema, found: schema, findings: findings).compare()
    try integrity?.finish(findings)
  }

  /// Tells of everything that no archive stands after.
  package func finish() throws {
    try bookkeeping.finish()
    for (table, last) in content.lastIDs.sorted(by: { $0.key < $1.key }) {
      try tellRows(of: table, store.key(of: table) ?? Table.Column.id.name, behind: last) {
        [edits = workers.edits] id in
        guard let edits, let id, id > last else { return false }
        edits.note(added: id, to: table)
        return true
      }
    }
    // Those of rows that were added go with them.
    for (table, place) in elementTables.sorted(by: { $0.key < $1.key }) where workers.edits == nil {
      try tellRows(of: table, place.owner, behind: content.lastIDs[place.table] ?? 0)
    }
    let collections = RelationalLayout.collectionTable
    try tellRows(of: collections, "id", behind: content.lastCollection)
    try tellRows(
      of: RelationalLayout.collectionElementTable, "collection_id",
      behind: content.lastCollection)
    try tellRows(of: RelationalLayout.archiveTable, "id", behind: content.lastArchive)
    try tellRows(of: RelationalLayout.runTable, "id", behind: content.lastRun)
    try ClassTables(expected: content.classes, others: otherClasses, counts: countsCommon)
      .compare(store, findings)
    store.endCursors()
  }

  private func tellRows(
    of table: String, _ column: String, behind last: Int64,
    isEdit: (Int64?) -> Bool = { _ in false }
  ) throws {
    guard store.has(column, in: table) else {
      // What a table of entities lacks has been told.
      guard table.hasPrefix("_") else { return }
      return findings.add(
        archive: nil, entity: table, row: nil, property: column, expected: "a column",
        found: "nothing")
    }
    let name = SQL.quoted(column)
    // Of a key, SQLite knows by itself that it is not NULL: nothing is read if all rows are right.
    let rows = "SELECT \(name) FROM \(SQL.quoted(table)) WHERE"
    let cursor = try store.cursor(
      """
      \(rows) \(name) IS NULL UNION ALL \(rows) \(name) < 1 UNION ALL \(rows) \(name) > ?
        ORDER BY 1
      """, [.integer(last)])
    while cursor.isAtRow {
      if !isEdit(cursor.integer(0)) {
        findings.add(
          archive: nil, entity: table, row: cursor.integer(0), property: "", expected: "nothing",
          found: "a row")
      }
      try cursor.advance()
    }
  }
}
