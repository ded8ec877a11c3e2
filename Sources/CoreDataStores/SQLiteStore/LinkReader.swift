internal import CSQLite
import GraphCore
import Stores

extension SQLiteStoreGraph {
  /// Reads the members of a to-many relationship for a graph: those of many objects at once where
  /// they are asked for one after the other.
  final class LinkReader {
    /// The members of objects whose keys lie in a range.
    private struct Window {
      var keys: ClosedRange<Int64>
      /// The objects in it that have members, by their keys, in order.
      var owners: [Int64] = []
      /// The position of the first member of each of them; at last, the end of the members.
      var starts: [Int] = [0]
      var members: [Int64] = []

      func range(of owner: Int64) -> Range<Int> {
        var (low, high) = (0, owners.count)
        while low < high {
          let middle = (low + high) / 2
          if owners[middle] < owner { low = middle + 1 } else { high = middle }
        }
        guard low < owners.count, owners[low] == owner else { return 0..<0 }
        return starts[low]..<starts[low + 1]
      }

      /// Adds the members of the next object.
      mutating func append(_ members: [Int64], of owner: Int64) {
        guard !members.isEmpty else { return }
        owners.append(owner)
        self.members += members
        starts.append(self.members.count)
      }
    }

    /// A row of the table with the links.
    private struct Link {
      let owner: Int64
      let member: Int64
      /// The place of the member, the least one where it has none.
      let order: Int64
    }

    /// The links of one object.
    private struct Group {
      let owner: Int64
      var links: [(order: Int64, member: Int64)] = []

      /// The members in their order; nil if one is there twice, which no store says of any.
      ///
      /// Places may be the same. In a store that is salvaged, `isKept` tells which members are
      /// there, and each is taken once.
      func members(where isKept: ((Int64) -> Bool)?) -> [Int64]? {
        let members = links.sorted { ($0.order, $0.member) < ($1.order, $1.member) }.map(\.member)
        if let isKept { return members.filter(isKept).uniqued() }
        let sorted = members.sorted()
        return zip(sorted, sorted.dropFirst()).allSatisfy { $0 != $1 } ? members : nil
      }
    }

    private let links: StoreLayout.Links
    private let database: Database
    /// No table has more rows.
    private let maxRows: Int
    private let index: Int
    /// True for a member that is there, in a store that is salvaged; nil in others.
    ///
    /// Of a link to nothing there is no element.
    private let isKept: ((Int64) -> Bool)?
    /// The statement that reads links, or why there is none.
    private var statement: Result<Statement, StoreError>?
    /// The windows that were used last, the latest at the end.
    private var windows: [Window] = []
    private var lastOwner: Int64?
    /// The number of links that are read at once, where one object has no more.
    private var batch = 1

    private static let maxBatch = 4_096
    /// The greatest number of windows that are kept, for readers of the members of members.
    private static let maxWindows = 8

    /// Prepares to read links.
    ///
    /// - Parameters:
    ///   - links: The storage of the links.
    ///   - index: The index of the relationship among those of the store.
    ///   - maxRows: The greatest number of rows of a table of the store.
    ///   - database: A connection to the store.
    ///   - isKept: True for a member that is there, in a store that is salvaged; nil in others.
    init(
      _ links: StoreLayout.Links, index: Int, maxRows: Int, _ database: Database,
      isKept: ((Int64) -> Bool)?
    ) {
      (self.links, self.index, self.maxRows, self.database) = (links, index, maxRows, database)
      self.isKept = isKept
    }

    /// The number of members of an object.
    func count(of owner: Int64) throws(ArchiveError) -> Int {
      try select(owner)
      return windows[windows.count - 1].range(of: owner).count
    }

    /// The key of a member; nil if there are not so many.
    func member(_ position: Int, of owner: Int64) throws(ArchiveError) -> Int64? {
      try select(owner)
      let range = windows[windows.count - 1].range(of: owner)
      guard position >= 0, position < range.count else { return nil }
      return windows[windows.count - 1].members[range.lowerBound + position]
    }

    // MARK: Windows

    /// Makes the window with an object the last one.
    private func select(_ owner: Int64) throws(ArchiveError) {
      if let last = windows.indices.last, windows[last].keys.contains(owner) {
        lastOwner = owner
        return
      }
      if let known = windows.firstIndex(where: { $0.keys.contains(owner) }) {
        windows.append(windows.remove(at: known))
        return
      }
      // Whoever reads objects in order asks for the key after the last window.
      let follows = lastOwner.map { (1..<64).contains(owner &- $0) } ?? false
      batch = follows ? min(batch * 4, Self.maxBatch) : 1
      lastOwner = owner
      let window: Window
      do throws(StoreError) {
        window = try read(from: owner)
      } catch {
        throw ArchiveError(.unreadable, name: error.reason)
      }
      if windows.count == Self.maxWindows { windows.removeFirst() }
      windows.append(window)
    }

    /// Reads the members of an object, and of others after it.
    ///
    /// Damage in the links of another object ends the window before it: whether the members of an
    /// object can be read does not depend on what was read before.
    private func read(from owner: Int64) throws(StoreError) -> Window {
      let statement = try prepared()
      defer { statement.end() }
      try statement.begin([.integer(owner)])
      var window = Window(keys: owner...owner)
      var group = Group(owner: owner)
      var rowsLeft = maxRows
      while true {
        let link: Link?
        do throws(StoreError) {
          link = try nextLink(of: statement, after: group.owner, &rowsLeft)
          if let link, link.owner == group.owner {
            group.links.append((link.order, link.member))
            continue
          }
          guard let members = group.members(where: isKept) else { throw damaged() }
          window.append(members, of: group.owner)
        } catch {
          // Of the last object there may be further members that cannot be read.
          guard group.owner > owner else { throw error }
          window.keys = owner...group.owner - 1
          return window
        }
        guard let link else {
          window.keys = owner...Int64.max
          return window
        }
        window.keys = owner...link.owner - 1
        guard batch > 1, window.members.count < batch else { return window }
        group = Group(owner: link.owner, links: [(link.order, link.member)])
      }
    }

    /// The next link; nil after the last one.
    private func nextLink(
      of statement: Statement, after owner: Int64, _ rowsLeft: inout Int
    ) throws(StoreError) -> Link? {
      while try statement.step() {
        rowsLeft -= 1
        guard rowsLeft >= 0 else {
          // A damaged tree leads to the same rows again and again: none of it is read any more.
          self.statement = .failure(damaged())
          throw damaged()
        }
        let row = try integers(of: statement)
        // Links of no objects were found when the store was opened.
        guard let found = row.owner, let member = row.member else { continue }
        guard found >= owner else { throw damaged() }
        return Link(owner: found, member: member, order: row.order ?? .min)
      }
      return nil
    }

    /// The integers in the row of a statement; nil for other values.
    private func integers(
      of statement: Statement
    ) throws(StoreError) -> (owner: Int64?, member: Int64?, order: Int64?) {
      var row = unsafe (csq_value(), csq_value(), csq_value())
      try unsafe withUnsafeMutableBytes(of: &row) { (row) throws(StoreError) in
        try unsafe statement.read(into: row.bindMemory(to: csq_value.self))
      }
      func integer(_ value: csq_value) -> Int64? {
        unsafe value.kind == csq_kind_integer ? value.integer : nil
      }
      return unsafe (integer(row.0), integer(row.1), integer(row.2))
    }

    private func damaged() -> StoreError {
      StoreError(
        .unreadable, path: database.path, reason: "the links in \(links.table) are damaged")
    }

    private func prepared() throws(StoreError) -> Statement {
      let made =
        statement
        ?? Result { () throws(StoreError) in try database.prepare(try query()) }
      statement = made
      return try made.get()
    }

    /// The statement that gives owners, members and places, from an owner on.
    ///
    /// A table without an index by its owners, or the links of two tables, are copied with one into
    /// a temporary table of the connection.
    private func query() throws(StoreError) -> String {
      let owner = SQL.quoted(links.owner)
      let member = SQL.quoted(links.member ?? CoreDataLayout.keyColumn)
      let order = links.order.map(SQL.quoted) ?? "NULL"
      let table = SQL.quoted(links.table)
      if let index = links.index {
        return """
          SELECT \(owner), \(member), \(order) FROM \(table) INDEXED BY \(SQL.quoted(index))
            WHERE \(owner) >= ? ORDER BY \(owner)
          """
      }
      let rows =
        links.union
          ?? """
          SELECT \(owner), \(member), \(order) FROM main.\(table) NOT INDEXED WHERE \(owner) IS NOT NULL
          """
      try database.execute(
        "CREATE TEMP TABLE links\(index) (owner INTEGER, member INTEGER, place INTEGER);")
      do throws(StoreError) {
        try database.execute("INSERT INTO temp.links\(index) \(rows);")
      } catch {
        guard isKept != nil, links.union == nil else { throw error }
        try copySalvagedLinks()
      }
      try database.execute(
        "CREATE INDEX temp.index\(index) ON links\(index) (owner, member);")
      return """
        SELECT owner, member, place FROM temp.links\(index) INDEXED BY index\(index)
          WHERE owner >= ? ORDER BY owner
        """
    }

    /// Copies those links of a damaged table that can be read.
    private func copySalvagedLinks() throws(StoreError) {
      let columns =
        [links.owner, links.member ?? CoreDataLayout.keyColumn] + [links.order].compactMap(\.self)
      let found = SalvagedRows(
        links.table, columns.map(SQL.quoted), lastID: 0, maxRows: maxRows, database)
      let insertion = try database.prepare("INSERT INTO temp.links\(index) VALUES (?, ?, ?)")
      for row in found.rows {
        guard let owner = row.values[0] else { continue }
        func value(_ place: Int) -> StoredValue {
          row.values.indices.contains(place)
            ? row.values[place].map { .integer($0) } ?? .null : .null
        }
        _ = try insertion.rows([.integer(owner), value(1), value(2)])
      }
    }
  }
}
