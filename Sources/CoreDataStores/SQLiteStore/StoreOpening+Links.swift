internal import CSQLite
import DataModel
import GraphCore
import Stores
import Support

/// The rows that hold links.
extension StoreOpening {
  /// Counts links, and looks for those that the relationship of no object leads to, and for indexes
  /// that do not fit their tables: links are not read by these.
  mutating func readLinks(
    _ layout: inout StoreLayout, _ index: ObjectIndex, salvages: Bool
  ) throws(ModelError) {
    losses.append(index.losses)
    for place in layout.links.indices {
      do throws(ModelError) {
        let objects = layout.tables[layout.links[place].target.table].name
        try compareTables(of: &layout.links[place], objects: objects, salvages: salvages)
        let links = layout.links[place]
        let found = try rows(of: links, layout, index)
        linkCount += found.count
        if let name = links.index {
          let indexed = try? digest(of: links, "INDEXED BY \(SQL.quoted(name))") { _ in }
          if indexed != found {
            layout.links[place].index = nil
            notes.append(StoreNote(.otherIndex, name: name))
          }
        }
        try notePlaces(of: links)
      } catch {
        guard salvages else { throw error }
        // Both sides of a relationship may have one table.
        let loss = ArchiveError(.unreadable, name: error.name)
        if !losses.losses.contains(loss) { losses.append(loss) }
      }
    }
  }

  /// Compares the two tables of a relationship: where they differ, the links are those of both.
  ///
  /// Where one of them is damaged in a store that is salvaged, they are those of the other.
  private mutating func compareTables(
    of links: inout StoreLayout.Links, objects: String, salvages: Bool
  ) throws(ModelError) {
    guard let other = links.others.first else { return }
    links.others = []
    do throws(ModelError) {
      let digests = (try placedDigest(of: links), try placedDigest(of: other))
      guard digests.0 != digests.1 else { return }
      links.union = links.union(with: other, objects: objects)
      links.index = nil
      let note = StoreNote(
        .otherLinks,
        name: "\(links.table) (\(Words.count(digests.0.count, "link", plural: "links"))) and "
          + "\(other.table) (\(Words.count(digests.1.count, "link", plural: "links")))")
      if !notes.contains(note) { notes.append(note) }
    } catch {
      guard salvages else { throw error }
      losses.append(ArchiveError(.unreadable, name: error.name))
      if (try? placedDigest(of: links)) == nil { links = other }
    }
  }

  /// Reads the keys in a table of links.
  ///
  /// A link to nothing is found when it is read, as long as the relationship of one of its objects
  /// leads to it.
  ///
  /// - Throws: `ModelError` for links of which nobody would ask.
  private func rows(
    of links: StoreLayout.Links, _ layout: StoreLayout, _ index: ObjectIndex
  ) throws(ModelError) -> LinkDigest {
    func leads(_ cell: StoredRow.Cell, to target: StoreLayout.Target) -> Bool {
      let table = index.tables[target.table]
      guard let rank = table.rank(ofKey: cell.integer) else { return false }
      return layout.isKind(table.entity(rank), of: target.entity)
    }
    let isJoinTable = links.memberTable == nil
    // Whatever is wrong in other tables is found where the members' own relationships are read.
    guard isJoinTable || !links.hasInverse else {
      return try digest(of: links, "NOT INDEXED") { _ in }
    }
    var isSound = true
    let found = try digest(of: links, "NOT INDEXED") { row in
      let areKeys = row[0].kind == csq_kind_integer && row[1].kind == csq_kind_integer
      let isAsked =
        leads(row[0], to: links.owners) || isJoinTable && leads(row[1], to: links.target)
      isSound = isSound && areKeys && isAsked
    }
    guard isSound else {
      throw ModelError(
        .damagedTable, name: "\(links.table): it has links of objects that are not there")
    }
    return found
  }

  /// Notes where the order of members is not known: some of them have the same place.
  ///
  /// - Complexity: As sorting them. The table was read once, so it is sound enough to end.
  private mutating func notePlaces(of links: StoreLayout.Links) throws(ModelError) {
    guard let order = links.order else { return }
    let (owner, place) = (SQL.quoted(links.owner), SQL.quoted(order))
    let rows =
      links.union.map { "SELECT owner, place FROM (\($0)) GROUP BY owner, place" }
        ?? """
        SELECT \(owner), \(place) FROM \(SQL.quoted(links.table)) NOT INDEXED
          WHERE \(owner) IS NOT NULL GROUP BY \(owner), \(place)
        """
    let found = try database.reading(Self.path) { (database) throws(StoreError) in
      try database.rows("\(rows) HAVING count(*) > 1 LIMIT 1")
    }
    guard !found.isEmpty else { return }
    notes.append(StoreNote(.sharedPlaces, name: "\(links.table).\(order)"))
  }

  /// A digest of the rows of a table of links, whatever order they are read in.
  private struct LinkDigest: Equatable {
    var count = 0
    private var sum: UInt64 = 0

    mutating func add(
      _ owner: StoredRow.Cell, _ member: StoredRow.Cell, _ place: StoredRow.Cell? = nil
    ) {
      count += 1
      // Odd factors, so that no two links are likely to come to the same.
      let link =
        UInt64(bitPattern: owner.integer) &* 0x9E37_79B9_7F4A_7C15
        ^ UInt64(bitPattern: member.integer) &* 0xC2B2_AE3D_27D4_EB4F
        ^ (place.map { UInt64(bitPattern: $0.integer &+ 1) } ?? 0) &* 0x1656_67B1_9E37_79F9
      sum &+= (link ^ link >> 29) &* 0x94D0_49BB_1331_11EB
    }
  }

  /// Reads the links that have an owner; those of a join table that have none, too.
  private func digest(
    of links: StoreLayout.Links, _ access: String, _ body: (StoredRow) -> Void
  ) throws(ModelError) -> LinkDigest {
    let owner = SQL.quoted(links.owner)
    let member = SQL.quoted(links.member ?? CoreDataLayout.keyColumn)
    let condition = links.memberTable == nil ? "" : "WHERE \(owner) IS NOT NULL"
    var digest = LinkDigest()
    func add(_ row: StoredRow) {
      digest.add(row[0], row[1])
      body(row)
    }
    if let union = links.union {
      _ = try forEachRow(of: links.table, reading: union, add)
    } else {
      _ = try forEachRow(of: links.table, "\(owner), \(member)", access, condition, add)
    }
    return digest
  }

  /// Reads the links in a join table with their places.
  private func placedDigest(of links: StoreLayout.Links) throws(ModelError) -> LinkDigest {
    let columns = [links.owner, links.member, links.order].compactMap(\.self).map(SQL.quoted)
    var digest = LinkDigest()
    _ = try forEachRow(of: links.table, columns.joined(separator: ", ")) { row in
      let place = links.order != nil && row[2].kind == csq_kind_integer ? row[2] : nil
      digest.add(row[0], row[1], place)
    }
    return digest
  }

  /// Reads some columns of all rows of a table; returns how many these are.
  ///
  /// A damaged tree can lead to the same rows again and again: it is an error if there are more
  /// than the file has room for.
  func forEachRow(
    of table: String, _ columns: String, _ access: String = "NOT INDEXED",
    _ condition: String = "", _ body: (StoredRow) -> Void
  ) throws(ModelError) -> Int {
    try forEachRow(
      of: table, reading: "SELECT \(columns) FROM \(SQL.quoted(table)) \(access) \(condition)",
      body)
  }

  private func forEachRow(
    of table: String, reading statement: String, _ body: (StoredRow) -> Void
  ) throws(ModelError) -> Int {
    let scan = try self.scan(statement)
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
