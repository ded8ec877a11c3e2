internal import CSQLite
import DataModel
import GraphCore
import SQLite

/// The rows that hold links.
extension StoreOpening {
  /// Counts links, and looks for those that the relationship of no object leads to.
  mutating func readLinks(
    _ layout: StoreLayout, _ index: ObjectIndex, salvages: Bool
  ) throws(ModelError) {
    losses = index.losses
    var counts: [String: Int] = [:]
    for links in layout.links {
      if let table = links.memberTable, links.hasInverse {
        // Whatever is wrong is found where the members' own relationships are read.
        linkCount += index.tables[table].count
        continue
      }
      if let known = counts[links.table] {
        linkCount += known
        continue
      }
      do throws(ModelError) {
        let count = try readRows(of: links, layout, index)
        linkCount += count
        if links.memberTable == nil { counts[links.table] = count }
      } catch {
        guard salvages else { throw error }
        losses.append(ArchiveError(.unreadable, name: error.name))
      }
    }
  }

  /// Reads the keys in a table of links; returns how many rows these are.
  ///
  /// A link to nothing is found when it is read, as long as one of its objects is there.
  ///
  /// - Throws: `ModelError` for links of which nobody would ask.
  private func readRows(
    of links: StoreLayout.Links, _ layout: StoreLayout, _ index: ObjectIndex
  ) throws(ModelError) -> Int {
    func leads(_ cell: csq_cell, to target: StoreLayout.Target) -> Bool {
      let table = index.tables[target.table]
      guard let rank = table.rank(ofKey: cell.integer) else { return false }
      return layout.isKind(table.entity(rank), of: target.entity)
    }
    let isJoinTable = links.memberTable == nil
    let (owner, member) = (SQL.quoted(links.owner), links.member.map(SQL.quoted) ?? "_rowid_")
    var isSound = true
    let count = try forEachRow(
      of: links.table, "\(owner), \(member)", isJoinTable ? "" : "WHERE \(owner) IS NOT NULL"
    ) { row in
      let areKeys = row[0].kind == csq_kind_integer && row[1].kind == csq_kind_integer
      let isAsked =
        leads(row[0], to: links.owners) || isJoinTable && leads(row[1], to: links.target)
      isSound = isSound && areKeys && isAsked
    }
    guard isSound else {
      throw ModelError(
        .damagedTable, name: "\(links.table): it has links of objects that are not there")
    }
    return count
  }

  /// Reads some columns of all rows of a table; returns how many these are.
  ///
  /// A damaged tree can lead to the same rows again and again: it is an error if there are more than
  /// the file has room for.
  func forEachRow(
    of table: String, _ columns: String, _ condition: String = "",
    _ body: (UnsafePointer<csq_cell>) -> Void
  ) throws(ModelError) -> Int {
    let scan = try self.scan(
      "SELECT \(columns) FROM \(SQL.quoted(table)) NOT INDEXED \(condition)")
    var count = 0
    while let row = try database.reading(Self.path, { (_) throws(StoreError) in try scan.next() }) {
      count += 1
      guard count <= snapshot.maxRows else {
        throw ModelError(
          .damagedTable, name: "\(table): it has more rows than the file has room for")
      }
      body(row)
    }
    return count
  }
}
