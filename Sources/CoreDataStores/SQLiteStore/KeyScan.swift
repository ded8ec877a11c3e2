internal import CSQLite
import Stores

extension ObjectIndex {
  /// The keys of a table of entities with the numbers of their entities, up to where it is damaged.
  struct KeyScan {
    /// The error in the table, once it is known.
    private(set) var failure: String?
    private var last: Int64?
    private var rows: RowScan?

    /// Begins with the first row of a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The column with the key.
    ///   - entityNumber: The number of a row's entity, in SQL.
    ///   - database: A connection to its store.
    init(
      _ table: String, key: String = CoreDataLayout.keyColumn,
      entityNumber: String = CoreDataLayout.entityColumn, _ database: Database
    ) {
      do throws(StoreError) {
        rows = RowScan(
          try database.prepare(
            """
            SELECT _rowid_, \(SQL.quoted(key)), \(entityNumber)
              FROM \(SQL.quoted(table)) NOT INDEXED ORDER BY _rowid_
            """))
      } catch {
        failure = error.reason
      }
    }

    /// The next key, and the number of its entity if it has one; nil at the end, or where the table
    /// is damaged.
    mutating func next() -> (key: Int64, number: Int64?)? {
      guard failure == nil, let rows else { return nil }
      do throws(StoreError) {
        guard let row = try rows.next() else { return nil }
        let key = row[0].integer
        // A damaged tree can lead to the same rows again and again.
        let isInOrder = last.map { key > $0 } ?? true
        guard isInOrder, row[1].kind == csq_kind_integer, row[1].integer == key else {
          failure = "its keys are not those of its rows, or a row is there twice"
          return nil
        }
        last = key
        return (key, row[2].kind == csq_kind_integer ? row[2].integer : nil)
      } catch {
        failure = error.reason
        return nil
      }
    }
  }
}
