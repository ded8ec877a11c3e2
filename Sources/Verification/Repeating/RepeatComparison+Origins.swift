import Stores

extension RepeatComparison {
  /// The origins of the rows of a store, as far as it tells.
  struct Origins {
    private let store: VerifiedStore
    private let hasObjects: Bool

    init(_ store: VerifiedStore) {
      self.store = store
      hasObjects = store.columns(of: RelationalLayout.objectsTable) != nil
    }

    /// The archive of a row, and the object that it was.
    func origin(of key: Cell, _ form: Places.Form) throws(StoreError) -> (
      path: String, uid: Int?
    )? {
      guard case .integer(let row) = key, !form.entity.hasPrefix("_") else { return nil }
      let parameters: [StoredValue] = [.text(form.entity), .integer(row)]
      var found: [[StoredValue]] = []
      if hasObjects {
        found = try store.rows(
          """
          SELECT path, o.uid FROM \(RelationalLayout.objectsTable) AS o
            JOIN \(RelationalLayout.archiveTable) AS a ON a.id = archive_id
            WHERE o.entity = ? AND o.row = ? LIMIT 1
          """, parameters)
      }
      if found.isEmpty {
        found = try store.rows(
          """
          SELECT path, NULL FROM \(RelationalLayout.rowsTable)
            JOIN \(RelationalLayout.archiveTable) AS a ON a.id = archive_id
            WHERE entity = ? AND ? BETWEEN first AND last LIMIT 1
          """, parameters)
      }
      guard let row = found.first, case .text(let path) = row[0] else { return nil }
      guard case .integer(let uid) = row[1] else { return (path, nil) }
      return (path, Int(truncatingIfNeeded: uid))
    }
  }
}
