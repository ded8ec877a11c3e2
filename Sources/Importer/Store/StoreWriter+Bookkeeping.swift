import ArchiveReader
import Foundation
import Stores

extension StoreWriter {
  /// Inserts the row of an archive; the place and the parent are those of one inside of another.
  package func insert(
    _ archive: any GraphSource, path: String, sha256: String, id: Int64, parent: Int64? = nil,
    place: NestedLocation? = nil
  ) throws(StoreError) {
    try insert(into: RelationalLayout.archiveTable) { row in
      row.set(0, id)
      row.set(1, FileName.printable(path))
      row.set(2, sha256)
      row.set(3, Int64(archive.byteCount))
      row.set(4, archive.format.rawValue)
      row.set(5, archive.archiver)
      row.set(6, archive.version)
      row.set(7, now())
      guard let parent, let place else { return }
      row.set(8, parent)
      if let uid = place.uid { row.set(9, Int64(uid)) }
      row.set(10, place.key)
    }
  }

  /// Inserts what applications keep with a Core Data store.
  ///
  /// - Parameters:
  ///   - rows: The rows, without the column of the archive.
  ///   - archive: The id of the store among the archives.
  /// - Throws: An error that an earlier row met.
  package func insertMetadata(_ rows: [[StoredValue]], archive: Int64) throws(StoreError) {
    for values in rows {
      try insert(into: RelationalLayout.metadataTable) { row in
        row.set(0, archive)
        for (column, value) in zip(1..., values) { row.set(column, value) }
      }
    }
  }

  /// The time, to the second.
  private func now() -> String {
    let second = convertedAt ?? time(nil)
    if let lastInstant, lastInstant.second == second { return lastInstant.text }
    let text = Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
    lastInstant = (second, text)
    return text
  }

  /// Inserts the row of a run: what was asked for, and which archives it converted.
  package func insertRun(
    id: Int64, _ mapping: String?, _ modelDigest: String?, options: String, _ fingerprint: String,
    archives: ClosedRange<Int64>
  ) throws(StoreError) {
    try insert(into: RelationalLayout.runTable) { row in
      row.set(0, id)
      if let mapping { row.set(1, mapping) }
      if let modelDigest { row.set(2, modelDigest) }
      row.set(3, options)
      row.set(4, fingerprint)
      row.set(5, archives.lowerBound)
      row.set(6, archives.upperBound)
    }
  }

  /// Inserts the classes of all archives, with the entities that their objects became.
  package func insertClasses(_ classes: [(name: String, hierarchy: [String], entity: String?)])
    throws(StoreError)
  {
    for found in classes {
      try insert(into: RelationalLayout.classTable) { row in
        row.set(0, ArchivedName.plain(found.name))
        row.set(1, found.hierarchy.map(ArchivedName.plain).joined(separator: " "))
        if let entity = found.entity { row.set(2, entity) }
      }
    }
  }
}

/// Rows that are gathered on several threads, and handed over in the order that they are to have:
/// their ids are counted from 1 on, and move after those of the rows before them then.
extension StoreWriter {
  /// The settings of a writer that gathers rows for another one's store.
  package struct GatheringPlan: Sendable {
    fileprivate let layout: RelationalLayout
    fileprivate let own: [Table]
    fileprivate let queue: InsertionQueue
    fileprivate let convertedAt: Int?
  }

  /// The settings of a writer that gathers rows for this one's store.
  package var gatheringPlan: GatheringPlan {
    GatheringPlan(layout: layout, own: own, queue: queue, convertedAt: convertedAt)
  }

  /// A writer that gathers rows for the store of another, on another thread.
  ///
  /// - Parameter plan: The settings, from the other writer.
  package convenience init(gatheringFor plan: GatheringPlan) {
    let tables = plan.layout.allTables(after: plan.own)
    self.init(
      plan.layout, own: plan.own, plan.queue, ColumnFill(tables: tables, isKnown: false),
      keepsCheckpoints: false, GrowingIndexes([], tables), gathers: true)
    convertedAt = plan.convertedAt
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
