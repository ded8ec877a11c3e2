/// The rows that a to-one relationship holds, as far as the run still has to know: which row each
/// row of a table points at, who said so, and its position in that row's collection.
///
/// The rows of the archive whose turn it is stand in an array, 24 bytes each; older rows that it
/// concerns in a dictionary.
struct ForeignKeyBuffer {
  /// The known state of one row's reference.
  struct Cell {
    /// The row that it points at; 0 for none.
    var target: Int64 = 0
    /// The entity of that row.
    var targetEntity: Int32 = -1
    /// Its place in the collection of that row; -1 where it has none.
    var position: Int32 = -1
    /// True if the owning side of the pair said so.
    var isClaimedByOwner = false
    /// True if the row's own side said so.
    var isClaimedByRow = false
    /// True if the row was looked up in the store.
    var isLoaded = false

    /// True if all that is known of it is from the store.
    var isFromStore: Bool { isLoaded && !isClaimedByOwner && !isClaimedByRow }

    /// True if it points at a row without a place in its collection.
    var isUnplaced: Bool { target != 0 && position < 0 }

    mutating func noteClaim(byOwner: Bool) {
      if byOwner { isClaimedByOwner = true } else { isClaimedByRow = true }
    }
  }

  private var firstRow: Int64
  private var cells: [Cell] = []
  private var older: [Int64: Cell] = [:]
  /// Rows whose cell changed after they were written.
  private var dirty: Set<Int64> = []
  /// For each row, those that point at it or have done so: as soon as that is asked for.
  private var pointers: [Int64: [Int64]]?

  /// - Parameter lastID: The last row before the current archive's.
  init(after lastID: Int64) {
    firstRow = lastID + 1
  }

  /// True if a row stands before the window of the current archive.
  func isOlder(_ row: Int64) -> Bool { row < firstRow }

  func cell(of row: Int64) -> Cell? {
    guard row >= firstRow else { return older[row] }
    let index = Int(row - firstRow)
    return index < cells.count ? cells[index] : nil
  }

  mutating func set(_ cell: Cell, of row: Int64, isWritten: Bool) {
    if isWritten { dirty.insert(row) }
    if pointers != nil, cell.target != 0 { pointers?[cell.target, default: []].append(row) }
    guard row >= firstRow else {
      older[row] = cell
      return
    }
    let index = Int(row - firstRow)
    // Mostly rows come one after the other.
    if cells.count == index { return cells.append(cell) }
    if cells.count < index {
      cells.append(contentsOf: repeatElement(Cell(), count: index + 1 - cells.count))
    }
    cells[index] = cell
  }

  /// The rows that have to be changed in the store, in order.
  mutating func takeDirty() -> [Int64] {
    defer { dirty = [] }
    return dirty.sorted()
  }

  /// Begins the turn of the next archive.
  ///
  /// - Parameters:
  ///   - lastID: The last row before it.
  ///   - isUnwritten: True for a row that is still to be written: what is known of it is kept.
  mutating func advance(to lastID: Int64, isUnwritten: (Int64) -> Bool) {
    pointers = nil
    older = older.filter { isUnwritten($0.key) }
    for (index, cell) in cells.enumerated() where cell.target != 0 {
      let row = firstRow + Int64(index)
      if isUnwritten(row) { older[row] = cell }
    }
    cells.removeAll(keepingCapacity: true)
    firstRow = lastID + 1
  }
}

extension ForeignKeyBuffer {
  /// Calls with each row of the archive whose turn it is that points at another.
  func forEachCurrent(_ body: (_ row: Int64, Cell) -> Void) {
    for (index, cell) in cells.enumerated() where cell.target != 0 {
      body(firstRow + Int64(index), cell)
    }
  }

  /// True if anything is known of a row: that it points at nothing, too.
  func isKnown(_ row: Int64) -> Bool {
    guard let cell = cell(of: row) else { return false }
    return isOlder(row) || cell.target != 0 || cell.isLoaded
  }

  /// The rows that point at one of some others, as far as anything is known of them, in order.
  ///
  /// - Complexity: Linear in the number of rows of which anything is known, the first time in the
  ///   turn of an archive; then in the number of those that have pointed at one of the others.
  mutating func rows(pointingAt targets: Set<Int64>) -> [(row: Int64, cell: Cell)] {
    let known = pointers ?? allPointers()
    pointers = known
    return Set(targets.flatMap { known[$0] ?? [] }).sorted().compactMap { row in
      guard let cell = cell(of: row), targets.contains(cell.target) else { return nil }
      return (row, cell)
    }
  }

  private func allPointers() -> [Int64: [Int64]] {
    var found: [Int64: [Int64]] = [:]
    for (row, cell) in older where cell.target != 0 { found[cell.target, default: []].append(row) }
    forEachCurrent { row, cell in found[cell.target, default: []].append(row) }
    return found
  }
}
