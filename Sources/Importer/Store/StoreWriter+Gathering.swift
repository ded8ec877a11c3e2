import Stores

/// Rows that are gathered on several threads, and handed over in the order that they are to have:
/// their ids are counted from 1 on, and move after those of the rows before them then.
extension StoreWriter {
  /// The settings of a writer that gathers rows for another one's store.
  package struct GatheringPlan: Sendable {
    fileprivate let layout: RelationalLayout
    fileprivate let own: [Table]
    fileprivate let queue: InsertionQueue
  }

  /// The settings of a writer that gathers rows for this one's store.
  package var gatheringPlan: GatheringPlan {
    GatheringPlan(layout: layout, own: own, queue: queue)
  }

  /// A writer that gathers rows for the store of another, on another thread.
  ///
  /// - Parameter plan: The settings, from the other writer.
  package convenience init(gatheringFor plan: GatheringPlan) {
    let tables = plan.layout.allTables(after: plan.own)
    self.init(
      plan.layout, own: plan.own, plan.queue, ColumnFill(tables: tables, isKnown: false),
      keepsCheckpoints: false, GrowingIndexes([], tables), gathers: true)
  }

  /// Hands over the rows that were gathered.
  ///
  /// - Returns: The batches, whose rows are to be inserted in this order.
  /// - Throws: `StoreError` if they have become too many.
  package func takeBatches() throws(StoreError) -> [RowBatch] {
    try submitAll()
    defer { gathered = GatheredRows() }
    return gathered?.batches ?? []
  }

  /// Gives up the rows that were gathered.
  package func discardBatches() {
    clearRows()
    for batch in gathered?.batches ?? [] { queue.takeBack(batch) }
    gathered = GatheredRows()
  }

  /// Inserts rows that another writer has gathered, after those of this one.
  ///
  /// - Parameters:
  ///   - batches: The rows.
  ///   - last: The last rows of the store.
  ///   - archive: The id of the last archive.
  /// - Throws: An error that an earlier row met.
  package func insert(
    _ batches: [RowBatch], after last: LastRows, archive: Int64
  ) throws(StoreError) {
    try submitAll()
    let origins = queue.origins(after: last, archive: archive, layout)
    for batch in batches { batch.origins = origins }
    forgetFill()
    try queue.submit(batches)
  }
}

extension StoreWriter {
  /// Batches of rows that wait to be handed over.
  struct GatheredRows {
    private(set) var batches: [RowBatch] = []
    private var byteCount = 0

    /// The memory that they may take, in bytes.
    private static let maxBytes = 4 << 20

    /// Adds a batch.
    ///
    /// - Throws: `StoreError` if there are too many.
    mutating func add(_ batch: RowBatch) throws(StoreError) {
      batches.append(batch)
      byteCount += batch.residentBytes
      guard byteCount <= Self.maxBytes else {
        throw StoreError(.file, path: "", reason: "too many rows to gather")
      }
    }
  }
}
