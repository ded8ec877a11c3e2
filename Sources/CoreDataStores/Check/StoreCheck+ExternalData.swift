import ArchiveReader
import DataModel
import Foundation
import Stores

/// Data that may be kept in files next to the store.
///
/// The first byte of a value says where it is: 1 in the row itself, after that byte; 2 in a file
/// whose name, a UUID of 36 characters, follows.
extension StoreCheck {
  private static let pageSize = 1_000

  /// Checks that each value says where its data is, and that the files are there.
  mutating func checkExternalData(
    _ column: String, _ storage: CoreDataLayout.EntityStorage, _ table: CoreDataTable
  ) throws(ModelError) {
    let value = "t.\(SQL.quoted(column))"
    let rows = "\(storage.rows(of: table)) AND typeof(\(value)) = 'blob'"
    try find(
      StoreFinding(.badExternalData, table: table.name, column: column),
      from: "\(rows) AND substr(\(value), 1, 1) NOT IN (x'01', x'02')")
    let folder = store.externalData
    var last = Int64.min
    var found = 0
    while true {
      let page = try store.rows(
        """
        SELECT t.Z_PK, CAST(substr(\(value), 2, 36) AS TEXT) FROM \(rows)
          AND substr(\(value), 1, 1) = x'02' AND t.Z_PK > ? ORDER BY t.Z_PK
          LIMIT \(Self.pageSize)
        """, [.integer(last)])
      for row in page {
        guard case .integer(let key) = row[0], case .text(let name) = row[1] else { continue }
        last = key
        let code: StoreFinding.Code
        var words: String?
        do throws(ArchiveError) {
          // The name comes from the store: only a UUID is made part of a path.
          if UUID(uuidString: name) == nil {
            code = .badExternalData
          } else {
            _ = try folder.byteCount(of: name)
            continue
          }
        } catch {
          (code, words) = (.unreadExternalFile, error.name)
        }
        found += 1
        guard found <= Self.most else {
          result.leftOut += 1
          continue
        }
        add(StoreFinding(code, table: table.name, row: key, column: column, name: words))
      }
      guard page.count == Self.pageSize, page.last?.first == .integer(last) else { return }
    }
  }
}
