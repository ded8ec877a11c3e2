import Foundation
import GraphCore
import Support

/// Properties of the columns of databases besides those of their schemas.
package struct ColumnHints: Sendable, Equatable {
  /// A column, by names.
  package struct Column: Hashable, Sendable {
    let table: String
    let name: String

    package init(table: String, name: String) {
      (self.table, self.name) = (table.folded, name.folded)
    }

    /// True if a glob fits the column, as `TABLE.COLUMN`, or all columns of its table, as `TABLE`.
    func fits(_ glob: String) -> Bool {
      FileName.fits("\(table).\(name)", glob.folded) || FileName.fits(table, glob.folded)
    }
  }

  /// For columns that hold the keys of another table's rows, this table.
  let targets: [Column: String]
  /// The columns whose values are texts: what is none has a key of its own.
  let texts: Set<Column>
  /// Globs of the columns in which archives are looked for; none for all.
  package var archives: [String] = []
  /// Globs of the columns that are read, besides primary keys and `archives`; none for all.
  package var carried: [String] = []

  package init(targets: [Column: String] = [:], texts: Set<Column> = []) {
    (self.targets, self.texts) = (targets, texts)
  }

  /// True if the values of a column are texts.
  func isText(_ column: Int, of table: StoreLayout.Entity) -> Bool {
    texts.contains(Column(table: table.record.name, name: table.keys[column]))
  }

  /// True if archives are looked for in a column.
  func mayHoldArchives(_ column: Int, of table: StoreLayout.Entity) -> Bool {
    archives.isEmpty
      || archives.contains(
        where: Column(table: table.record.name, name: table.keys[column]).fits)
  }

  /// True if a column is read.
  func isRead(_ column: Column) -> Bool {
    carried.isEmpty || (archives + carried).contains(where: column.fits)
  }

  /// The globs that fit none of the columns of a database.
  func unused(_ columns: [Column]) -> [String] {
    (archives + carried).uniqued().filter { glob in !columns.contains { $0.fits(glob) } }
  }
}
