/// How many rows the objects of an archive become, as the first reading has counted them.
struct ObjectCounts: Sendable {
  private var classes: [(place: Int, count: Int)]
  /// How many collections no object holds under a key.
  let collections: Int

  /// The counts of an archive with a census of its own.
  init(_ census: Census) {
    classes = census.classes.indices.lazy.filter { census.classes[$0].count > 0 }.map {
      ($0, census.classes[$0].count)
    }
    collections = census.looseCollections
  }

  /// The same counts by the places of classes in another census.
  func renumbered(_ places: [Int]) -> ObjectCounts {
    var counts = self
    for number in classes.indices { counts.classes[number].place = places[classes[number].place] }
    return counts
  }

  /// Adds them to the last rows of tables.
  ///
  /// - Parameters:
  ///   - last: The rows.
  ///   - tables: For each class of the census, the table of its rows; -1 where it has none.
  func add(to last: inout LastRows, _ tables: [Int]) {
    for (place, count) in classes where tables[place] >= 0 {
      last.ids[tables[place]] += Int64(count)
    }
    last.collection += Int64(collections)
  }
}

/// The last rows that were handed out.
struct LastRows: Sendable, Equatable {
  /// For each table, the id of its last row.
  var ids: [Int64]
  /// The id of the last row of `_collection`.
  var collection: Int64
}

extension ImportContext {
  /// The last rows, but for those of the archive whose turn it is.
  var lastRows: LastRows {
    get { LastRows(ids: lastIDs, collection: lastCollection) }
    set { (lastIDs, lastCollection) = (newValue.ids, newValue.collection) }
  }
}
