/// The last rows that were handed out.
package struct LastRows: Sendable, Equatable {
  /// For each table, the id of its last row.
  package var ids: [Int64]
  /// The id of the last row of `_collection`.
  package var collection: Int64

  package init(ids: [Int64], collection: Int64) {
    (self.ids, self.collection) = (ids, collection)
  }

  /// The last rows, where others come after these that count from 1 on.
  package func followed(by other: LastRows) -> LastRows {
    LastRows(ids: zip(ids, other.ids).map(+), collection: collection + other.collection)
  }
}
