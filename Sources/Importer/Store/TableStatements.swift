/// The statements that make and fill a table of the relational layout.
///
/// It is a table of the store, or what an import sees of one in another file: see `ViewedTables`.
package struct TableStatements: Sendable {
  /// The statements that make it.
  package var creation: [String]
  /// The statement that inserts the rows that lie in memory.
  package var insertion: String
  /// True if it is a view: then it gets no indexes.
  package var isView: Bool

  /// The statements of a view.
  ///
  /// - Parameters:
  ///   - creation: The statements that make it, with triggers that change the rows that it shows.
  ///   - insertion: The one that inserts rows in memory where they belong.
  package init(view creation: [String], insertion: String) {
    (self.creation, self.insertion, isView) = (creation, insertion, true)
  }

  /// The statements of a table.
  init(_ table: Table) {
    (creation, insertion, isView) = ([table.creation], table.insertion, false)
  }
}

/// Tables of another file that take the rows of entities, while the import sees views of them in
/// the relational layout.
package struct ViewedTables {
  /// Adds the other file to a connection, and what its views call.
  package let attach: (Database) throws(StoreError) -> Void
  /// For each table of entities that is a view, by its index in the layout, its statements.
  package let views: [Int: TableStatements]
  /// Has the disk begin with what is in the other file.
  let beginSync: @Sendable () -> Void

  /// - Parameters:
  ///   - views: For each table of entities that is a view, by its index, its statements.
  ///   - beginSync: Has the disk begin with what is in the other file.
  ///   - attach: Adds the other file to a connection.
  package init(
    _ views: [Int: TableStatements], beginSync: @escaping @Sendable () -> Void,
    attach: @escaping (Database) throws(StoreError) -> Void
  ) {
    (self.views, self.beginSync, self.attach) = (views, beginSync, attach)
  }
}
