import Stores

extension RelationalLayout {
  /// All tables of a store, in the order of their numbers.
  ///
  /// - Parameter own: The store's own tables.
  /// - Returns: These, the tables of entities, and those of elements.
  package func allTables(after own: [Table]) -> [Table] {
    own + tables + elementTables.map(\.table)
  }

  /// For each of them, the forms of its columns; none where all of all tables are plain.
  func forms(after own: [Table]) -> [[Form]] {
    guard isAttached else { return [] }
    return own.map { table in
      table.columns.indices.map { ownForms[table.name]?[$0] ?? .plain }
    } + (tables + elementTables.map(\.table)).map { $0.columns.map(\.form) }
  }
}

/// The columns of a store's tables that hold ids of rows.
///
/// Rows that are gathered on several threads are numbered as if they were the first of the store;
/// when their turn comes, their ids move after those of the rows before them.
struct IDColumns: Sendable {
  private struct Column {
    var index: Int
    /// The table whose rows they are; -1 where another column names it.
    var table: Int
    /// The column that names it.
    var name = -1
  }

  /// The columns of all tables, those of one after those of the other.
  private let columns: [Column]
  /// For each table, where its columns stand.
  private let ranges: [Range<Int>]
  /// The indices of the tables whose rows have ids.
  private let indices: [String: Int]

  /// - Parameters:
  ///   - own: The store's own tables.
  ///   - layout: The tables of entities.
  init(own: [Table], _ layout: RelationalLayout) {
    let tables = layout.allTables(after: own)
    let indices = Dictionary(uniqueKeysWithValues: zip(tables.map(\.name), tables.indices))
    self.indices = indices
    var found = tables.enumerated().map { tableIndex, table in
      table.columns.enumerated().compactMap { index, column in
        let other = column.references.flatMap { indices[$0] }
        return (column.isPrimaryKey ? tableIndex : other).map { Column(index: index, table: $0) }
      }
    }
    /// Adds a column of a table, if it has one, whose rows' tables another names.
    func add(_ column: Int?, namedBy name: Int?, _ table: Int?) {
      guard let table, let column, let name,
        !found[table].contains(where: { $0.index == column })
      else { return }
      found[table].append(Column(index: column, table: -1, name: name))
    }
    func add(_ elements: RelationalLayout.ElementTable, _ table: Int?) {
      add(elements.keyReference, namedBy: elements.keyType, table)
      add(elements.reference, namedBy: elements.referenceType, table)
    }
    add(4, namedBy: 3, indices[RelationalLayout.topTable])
    add(2, namedBy: 1, indices[RelationalLayout.rowsTable])
    add(3, namedBy: 1, indices[RelationalLayout.rowsTable])
    add(4, namedBy: 3, indices[RelationalLayout.objectsTable])
    add(RelationalLayout.collectionElements, indices[RelationalLayout.collectionElementTable])
    for entity in layout.entities {
      for storage in entity.properties.values {
        add(storage.reference, namedBy: storage.referenceType, own.count + entity.table)
      }
    }
    for (index, elements) in layout.elementTables.enumerated() {
      add(elements, own.count + layout.tables.count + index)
    }
    columns = Array(found.joined())
    var ends = 0
    ranges = found.map { columns in
      defer { ends += columns.count }
      return ends..<ends + columns.count
    }
  }

  /// For each table, the id of the last row before some others.
  struct Origins: Sendable {
    fileprivate var ids: [Int64]
  }

  /// The origins of rows after the last ones of the store.
  ///
  /// - Parameters:
  ///   - last: The last rows.
  ///   - archive: The id of the last archive.
  ///   - layout: The tables.
  /// - Returns: The origins.
  func origins(after last: LastRows, archive: Int64, _ layout: RelationalLayout) -> Origins {
    var ids = ranges.map { _ in Int64(0) }
    for (table, id) in zip(layout.tables, last.ids) {
      if let index = indices[table.name] { ids[index] = id }
    }
    if let index = indices[RelationalLayout.archiveTable] { ids[index] = archive }
    if let index = indices[RelationalLayout.collectionTable] { ids[index] = last.collection }
    return Origins(ids: ids)
  }

  /// The columns of a table's rows in SQL, in their order, with the ids behind their origins; those
  /// that SQLite computes are left out.
  func expressions(
    of table: Table, number: Int, behind origins: Origins
  ) -> [(name: String, value: String)] {
    let moved = Dictionary(
      uniqueKeysWithValues: ranges[number].map { (columns[$0].index, columns[$0]) })
    func text(_ index: Int) -> String { SQL.quoted(table.columns[index].name) }
    return table.columns.indices.filter { table.columns[$0].numberOf == nil }.map { index in
      let name = text(index)
      guard let column = moved[index] else { return (name, name) }
      guard column.table < 0 else { return (name, "\(name) + \(origins.ids[column.table])") }
      let cases = indices.filter { origins.ids[$0.value] > 0 }.sorted { $0.value < $1.value }
        .map { "WHEN \(SQL.literal($0.key)) THEN \(origins.ids[$0.value])" }
      guard !cases.isEmpty else { return (name, name) }
      return (
        name, "\(name) + CASE \(text(column.name)) \(cases.joined(separator: " ")) ELSE 0 END"
      )
    }
  }

  /// Moves the ids in a row of a table after their origins.
  func move(_ cells: RowCells, table: Int, behind origins: Origins) {
    for position in ranges[table] {
      let column = columns[position]
      guard let id = cells.integer(at: column.index) else { continue }
      var other = column.table
      if other < 0 {
        guard let name = cells.text(at: column.name), let found = indices[name] else { continue }
        other = found
      }
      cells.set(column.index, id + origins.ids[other])
    }
  }

  /// Moves the id in the cells of a statement that changes a row of a table: see
  /// `StoreWriter.update(_:of:row:_:)`.
  func move(updateCells cells: RowCells, table: Int, behind origins: Origins) {
    guard let id = cells.integer(at: 1) else { return }
    cells.set(1, id + origins.ids[table])
  }
}
