import Stores

extension StoreWriter {
  /// Opens the file of a store.
  ///
  /// - Parameters:
  ///   - path: The file: empty, or a store that rows are added to.
  ///   - layout: The tables.
  ///   - withProvenance: Whether to record which object each row was.
  ///   - withNesting: Whether to record which archive held which.
  ///   - withMetadata: Whether to record what applications keep with Core Data stores.
  ///   - withOriginals: Whether to keep the archives themselves.
  ///   - isSearchable: Whether texts get a table by which they are found.
  ///   - start: What is in the file.
  ///   - keepsCheckpoints: Whether what is done is kept now and then.
  ///   - countsValues: Whether the values of columns are to be counted: see `filled`.
  ///   - archiveBytes: How large the archives are together.
  ///   - attached: The file with the tables that the layout takes for attached.
  ///   - maxLosses: How many values can be listed of which their columns' form loses something.
  ///   - beginSync: Has the disk begin with what is in the file: called now and then.
  /// - Throws: `StoreError` of SQLite's, or if the store does not fit.
  package convenience init(
    path: String, layout: RelationalLayout, withProvenance: Bool, withNesting: Bool,
    withMetadata: Bool = false, withOriginals: Bool = false,
    isSearchable: Bool = false, start: Start = .empty, keepsCheckpoints: Bool = false,
    countsValues: Bool = false, archiveBytes: Int = 0, attached: String? = nil,
    maxLosses: Int = 0,
    beginSync: (@Sendable () -> Void)? = nil
  ) throws(StoreError) {
    let own = RelationalLayout.bookkeepingTables(
      withProvenance: withProvenance, withNesting: withNesting, withMetadata: withMetadata,
      withOriginals: withOriginals)
    let tables = layout.allTables(after: own)
    let growing = GrowingIndexes(start == .empty ? layout.indexes : [], tables)
    let database = try Database(path: path)
    // What is kept on the way would be synced with it.
    let queue = try InsertionQueue(
      database, tables: tables, IDColumns(own: own, layout), forms: layout.forms(after: own),
      maxLosses: maxLosses, beginSync: keepsCheckpoints ? nil : beginSync)
    self.init(
      layout, own: own, queue, ColumnFill(tables: tables, isKnown: countsValues && start == .empty),
      keepsCheckpoints: keepsCheckpoints, growing, isSearchable: isSearchable,
      gathers: false)
    let creations = growing.creations(of: layout.indexes)
    // The file is private until it is published: a crash costs nothing but time. Unless something
    // is to be kept then, there is nothing to have a journal for, and the file is synced once, as a
    // whole, at the end. Rows go to the ends of tables: few pages are at hand, and the others are
    // written on the way, so that little is left to be written at the end.
    //
    // With checkpoints, SQLite's journal takes a transaction back that was not completed. For power
    // losses it syncs in this order: the journal, before a page that it holds is written over; the
    // store, with the progress in it, before the journal is emptied, which completes the
    // transaction; then the journal. Most pages are new, and such are not in the journal.
    try queue.withDatabase { (database) throws(StoreError) in
      try database.execute(
        """
        PRAGMA page_size = \(Self.pageSize(for: archiveBytes));
        PRAGMA journal_mode = \(keepsCheckpoints ? "TRUNCATE" : "OFF");
        PRAGMA synchronous = \(keepsCheckpoints ? "FULL" : "OFF");
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -4096;
        PRAGMA foreign_keys = OFF;
        """)
      if let attached {
        try database.attach(attached, as: Self.attachedSchema)
        try database.execute(
          """
          PRAGMA \(Self.attachedSchema).journal_mode = OFF;
          PRAGMA \(Self.attachedSchema).synchronous = OFF;
          """)
      }
      try database.execute("BEGIN;")
      switch start {
      case .empty:
        for table in tables where !table.isAttached { try database.execute(table.creation) }
        for creation in creations { try database.execute(creation) }
      case .store:
        try ExistingStore(database).extend(with: layout, bookkeeping: own)
        // What is unique is checked when all rows are there, and told with the object.
        for index in layout.indexes where index.isUnique {
          try database.execute("DROP INDEX IF EXISTS \(SQL.quoted(index.name));")
        }
      case .checkpoint: break
      }
    }
  }

  /// The name by which the attached file is known.
  package static let attachedSchema = "target"

  /// The size of a new store's pages, in bytes: with large ones a large store is written in fewer
  /// steps; a small one would be mostly empty pages.
  private static func pageSize(for archiveBytes: Int) -> Int {
    archiveBytes < 16 << 20 ? 4_096 : 16_384
  }

  /// The content of the file that a writer begins with.
  package enum Start {
    /// Nothing.
    case empty
    /// A store that rows are added to.
    case store
    /// A store under construction, as a run before left it.
    case checkpoint
  }

  /// Completes the transaction, with the rows up to now, and begins another.
  ///
  /// - Parameters:
  ///   - write: Writes what belongs to it besides, on the queue's thread.
  ///   - body: Called when it is kept, on the queue's thread.
  /// - Throws: An error that an earlier row met.
  package func commit(
    _ write: @escaping @Sendable (Database) throws(StoreError) -> Void,
    _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    try submitAll()
    try queue.submit { (database) throws(StoreError) in
      try write(database)
      try database.execute("COMMIT; BEGIN;")
      body()
    }
  }
}
