internal import CSQLite
import GraphCore
import SQLite

/// Reads the members of a to-many relationship for a graph: those of many objects at once where they are
/// asked for one behind the other.
final class LinkReader {
  /// The members of objects whose keys lie in a range.
  private struct Window {
    var keys: ClosedRange<Int64>
    /// The objects in it that have members, by their keys, in order.
    var owners: [Int64] = []
    /// Where the members of each of them begin; at last, where they end.
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
  }

  private let links: StoreLayout.Links
  private let database: Database
  /// No object has more members than the table has rows.
  private let rowCount: Int
  private let number: Int
  private var statement: Statement?
  /// The windows that were used last, the latest at the end.
  private var windows: [Window] = []
  private var lastOwner: Int64?
  /// How many links are read at once, where one object has no more.
  private var batch = 1

  private static let maxBatch = 4_096
  /// How many windows are kept, for those who read the members of members.
  private static let maxWindows = 8

  /// Prepares to read links.
  ///
  /// - Parameters:
  ///   - links: Where they are.
  ///   - number: The index of the relationship among those of the store.
  ///   - rowCount: How many rows their table has.
  ///   - database: A connection to the store.
  init(_ links: StoreLayout.Links, number: Int, rowCount: Int, _ database: Database) {
    (self.links, self.number, self.rowCount, self.database) = (links, number, rowCount, database)
  }

  /// How many members an object has.
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
    // Whoever reads objects in order asks for the key behind the last window.
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

  private func read(from owner: Int64) throws(StoreError) -> Window {
    let statement = try prepared()
    defer { statement.end() }
    try statement.begin([.integer(owner)])
    var window = Window(keys: owner...owner)
    var last: Int64?
    var current: [(order: Int64, member: Int64)] = []
    func finish() throws(StoreError) {
      guard let last else { return }
      current.sort { ($0.order, $0.member) < ($1.order, $1.member) }
      let first = window.members.count
      window.members.append(contentsOf: current.lazy.map(\.member))
      // Places may be the same; members never are.
      let members = window.members[first...]
      let sorted = links.order == nil ? members : members.sorted()[...]
      guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0 != $1 }) else { throw damaged() }
      window.owners.append(last)
      window.starts.append(window.members.count)
      current.removeAll(keepingCapacity: true)
    }
    var row = [csq_value](repeating: csq_value(), count: 3)
    while true {
      let isRow = try statement.step()
      if isRow {
        try row.withUnsafeMutableBufferPointer { (row) throws(StoreError) in
          try statement.read(into: row)
        }
      }
      // What is no integer comes behind all that are.
      guard isRow, row[0].kind == csq_kind_integer else {
        try finish()
        window.keys = owner...Int64.max
        return window
      }
      let next = row[0].integer
      if next != last {
        guard next >= last ?? owner else { throw damaged() }
        try finish()
        if window.members.count >= batch || (last == nil && next > owner && batch == 1) {
          window.keys = owner...next - 1
          return window
        }
        last = next
      }
      guard row[1].kind == csq_kind_integer, current.count < rowCount else { throw damaged() }
      current.append((row[2].kind == csq_kind_integer ? row[2].integer : .min, row[1].integer))
    }
  }

  private func damaged() -> StoreError {
    StoreError(.unreadable, path: database.path, reason: "the links in \(links.table) are damaged")
  }

  private func prepared() throws(StoreError) -> Statement {
    if let statement { return statement }
    let made = try database.prepare(try query())
    statement = made
    return made
  }

  /// The statement that gives owners, members and places, from an owner on.
  ///
  /// A table without an index by its owners is copied with one into a temporary table of the connection.
  private func query() throws(StoreError) -> String {
    let owner = SQL.quoted(links.owner)
    let member = links.member.map(SQL.quoted) ?? "_rowid_"
    let order = links.order.map(SQL.quoted) ?? "NULL"
    let table = SQL.quoted(links.table)
    if let index = links.index {
      return """
        SELECT \(owner), \(member), \(order) FROM \(table) INDEXED BY \(SQL.quoted(index))
          WHERE \(owner) >= ? ORDER BY \(owner)
        """
    }
    try database.execute(
      """
      CREATE TEMP TABLE links\(number) (owner INTEGER, member INTEGER, place INTEGER);
      INSERT INTO temp.links\(number) SELECT \(owner), \(member), \(order) FROM main.\(table)
        NOT INDEXED WHERE \(owner) IS NOT NULL;
      CREATE INDEX temp.index\(number) ON links\(number) (owner, member);
      """)
    return """
      SELECT owner, member, place FROM temp.links\(number) INDEXED BY index\(number)
        WHERE owner >= ? ORDER BY owner
      """
  }
}
