/// The last rows that were handed out.
struct LastRows: Sendable, Equatable {
  /// For each table, the id of its last row.
  var ids: [Int64]
  /// The id of the last row of `_collection`.
  var collection: Int64

  /// The last rows, where others come behind these that count from 1 on.
  func followed(by other: LastRows) -> LastRows {
    LastRows(ids: zip(ids, other.ids).map(+), collection: collection + other.collection)
  }
}

extension ImportContext {
  /// The last rows, but for those of the archive whose turn it is.
  var lastRows: LastRows {
    get { LastRows(ids: lastIDs, collection: lastCollection) }
    set { (lastIDs, lastCollection) = (newValue.ids, newValue.collection) }
  }
}
