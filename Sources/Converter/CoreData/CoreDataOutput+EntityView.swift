extension CoreDataOutput {
  /// A table of the relational layout that is a view of one of Core Data's, which has its rows.
  ///
  /// The import reads and changes rows of the view; triggers pass changes on. Rows are inserted
  /// where they belong.
  struct EntityView {
    private let projection: CoreDataProjection
    /// The table of the relational layout.
    private let declared: Table
    /// The index of the one in Core Data's layout.
    private let table: Int
    /// The column that names the entity of a row.
    private let discriminator: Int?
    /// What rows in memory become.
    private let inserted: CoreDataProjection.CopiedRows
    /// For each column, what it is in SQL.
    private let columns: [String]

    private typealias Layout = CoreDataLayout

    /// Finds out how a table can be a view; nil if it cannot.
    ///
    /// Each of its columns needs a place in Core Data's table, from which its value can be restored
    /// where somebody may ask for it.
    ///
    /// - Parameters:
    ///   - relational: The table of the relational layout, by its index there.
    ///   - table: The table of Core Data's layout, by its index there.
    ///   - projection: What goes where.
    init?(of relational: Int, over table: Int, _ projection: CoreDataProjection) {
      guard let inserted = projection.entityRows(of: table, { "c\($0)" }) else { return nil }
      self.projection = projection
      self.table = table
      self.inserted = inserted
      let layout = projection.plan.layout
      let declared = layout.tables[relational]
      self.declared = declared
      let entities = projection.layout.members[table].compactMap { number in
        projection.entities[number - 1].map { layout.entities[$0] }
      }
      let discriminator = entities.first?.discriminator
      self.discriminator = discriminator
      let types = Set(entities.flatMap { $0.properties.values.compactMap(\.referenceType) })
      var columns: [String] = []
      for (index, column) in declared.columns.enumerated() {
        let source = column.numberOf.flatMap { name in
          declared.columns.firstIndex { $0.name == name }
        }
        if index == 0 {
          columns.append(Layout.keyColumn)
        } else if index == discriminator {
          columns.append(projection.entityName(ofRowsIn: table))
        } else if let source, source < index {
          columns.append(Table.Column.number(of: columns[source]))
        } else if !types.contains(index),
          let copied = inserted.columns.first(where: { $0.relational == index }),
          inserted.columns.allSatisfy({ $0.relational != index || $0.form == copied.form }),
          let value = projection.relationalValue(of: copied, in: table)
        {
          columns.append(value)
        } else {
          return nil
        }
      }
      self.columns = columns
    }

    /// The statements that make the view and insert rows.
    var statements: TableStatements {
      let names = declared.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
      let view = """
        CREATE TEMP VIEW \(name) (\(names))
          AS SELECT \(columns.joined(separator: ", ")) FROM \(projection.target(target.name));
        """
      let insertion = projection.insertion(of: inserted, into: table)
      return TableStatements(
        view: [view] + triggers, insertion: "\(insertion) FROM \(Table.rowsInMemory)")
    }

    private var name: String { SQL.quoted(declared.name) }
    private var target: CoreDataTable { projection.layout.tables[table] }

    /// One for each column that may be changed, and one for deletions.
    private var triggers: [String] {
      let changed = projection.entityRows(of: table) {
        "NEW.\(SQL.quoted(declared.columns[$0].name))"
      }
      guard let changed else { return [] }
      let key = "OLD.\(declared.quotedKey)"
      // No schema can be named here: no table of the relational layout has the same name.
      let quoted = SQL.quoted(target.name)
      let row = "WHERE \(Layout.keyColumn) = \(key)"
      var found = [trigger("DELETE", 0, "DELETE FROM \(quoted) \(row)")]
      for (index, column) in declared.columns.enumerated() where index > 0 {
        var changes = changed.columns.filter { $0.relational == index }.map {
          "\(SQL.quoted(target.columns[$0.target].name)) = "
            + projection.value($0, of: changed, in: table, key: key)
        }
        if index == discriminator {
          changes = ["\(Layout.entityColumn) = \(projection.entityNumber(changed, in: table))"]
        }
        guard !changes.isEmpty else { continue }
        found.append(
          trigger(
            "UPDATE OF \(SQL.quoted(column.name))", index,
            "UPDATE \(quoted) SET \(changes.joined(separator: ", ")) \(row)"))
      }
      return found
    }

    private func trigger(_ event: String, _ number: Int, _ statement: String) -> String {
      """
      CREATE TEMP TRIGGER "\(table)_\(number)" INSTEAD OF \(event) ON \(name) BEGIN
        \(statement);
      END;
      """
    }
  }
}

extension CoreDataProjection {
  /// The statements of the tables that are views, by their indices in the relational layout.
  func views() -> [Int: TableStatements] {
    let tables = plan.layout.tables + plan.layout.elementTables.map(\.table)
    let names = Set((tables.map(\.name) + RelationalLayout.reservedTableNames).map(\.folded))
    var found: [Int: TableStatements] = [:]
    for (table, target) in layout.tables.enumerated() where !names.contains(target.name.folded) {
      guard let root = layout.members[table].first, let number = entities[root - 1] else {
        continue
      }
      let relational = plan.layout.entities[number].table
      found[relational] = CoreDataOutput.EntityView(of: relational, over: table, self)?.statements
    }
    return found
  }

  /// The name of a row's entity, in SQL.
  fileprivate func entityName(ofRowsIn table: Int) -> String {
    let cases = layout.members[table].map {
      "WHEN \($0) THEN \(Self.literal(layout.entities[$0 - 1].entity.name))"
    }
    return "CASE \(CoreDataLayout.entityColumn) \(cases.joined(separator: " ")) END"
  }

  /// The value that the relational layout has for a column, in SQL; nil if it cannot be restored.
  fileprivate func relationalValue(of column: CopiedColumn, in table: Int) -> String? {
    let name = SQL.quoted(layout.tables[table].columns[column.target].name)
    guard let form = column.form, let number = forms.number(ofColumn: column.target, in: table)
    else { return column.isPosition ? Self.position(name) : name }
    guard form.isReversible || !readsRows else { return nil }
    return "\(CoreDataForms.toRelational)(\(number), \(name))"
  }

  /// Whether rows are read again that were written: by what asks for the values of one, or for rows
  /// of a value.
  private var readsRows: Bool {
    plan.findsRows || plan.reasonToRepeat != nil || plan.passes.count > 1
      || plan.passes.contains { $0.entities.contains(where: \.asksForRows) }
      || plan.model.entities.contains { !$0.uniquenessConstraints.isEmpty }
  }
}
