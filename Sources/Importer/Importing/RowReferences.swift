/// Which rows the objects of an archive become: handed out when an object is first referred to,
/// before it is decoded.
///
/// Takes four bytes for each entry of `$objects`.
struct RowReferences {
  /// For each UID, the number of its row among the rows of its table since this archive's turn
  /// came first, counted from 1; 0 as long as it has none.
  private var numbers: [UInt32]
  /// For each table, the id of the last row before this archive's turn came first.
  private var origins: [Int64]
  /// For each table, the id of the last row.
  private(set) var lastIDs: [Int64]

  /// For each UID, the table of its row, where the way back from a row is asked for.
  private var tables: [UInt16]
  private let knowsWayBack: Bool

  /// - Parameters:
  ///   - objectCount: How many entries the archive has.
  ///   - lastIDs: For each table, the id of the last row before this archive's.
  ///   - knowsWayBack: Whether rows are to lead back to objects: takes two more bytes for each.
  init(objectCount: Int, lastIDs: [Int64], knowsWayBack: Bool = false) {
    self.knowsWayBack = knowsWayBack
    numbers = Array(repeating: 0, count: objectCount)
    tables = knowsWayBack ? Array(repeating: 0, count: objectCount) : []
    origins = lastIDs
    self.lastIDs = lastIDs
  }

  /// Begins anew, for an archive with `objectCount` entries.
  mutating func beginAnew(objectCount: Int, lastIDs: [Int64]) {
    numbers.removeAll(keepingCapacity: true)
    numbers.append(contentsOf: repeatElement(0, count: objectCount))
    if knowsWayBack { tables = Array(repeating: 0, count: objectCount) }
    origins = lastIDs
    self.lastIDs = lastIDs
  }

  /// The id of the row that an object becomes; it is handed out if it has none yet.
  mutating func row(of uid: Int, table: Int) -> Int64 {
    if numbers[uid] == 0 {
      lastIDs[table] += 1
      numbers[uid] = UInt32(truncatingIfNeeded: lastIDs[table] - origins[table])
      if !tables.isEmpty { tables[uid] = UInt16(truncatingIfNeeded: table) }
    }
    return origins[table] + Int64(numbers[uid])
  }

  /// The id of the row that an object has been given; nil if it has none.
  func existingRow(of uid: Int, table: Int) -> Int64? {
    numbers[uid] == 0 ? nil : origins[table] + Int64(numbers[uid])
  }

  /// The id of a new row that is no one object's.
  mutating func newRow(table: Int) -> Int64 {
    lastIDs[table] += 1
    return lastIDs[table]
  }

  /// Takes another turn, after other archives have got rows.
  mutating func resume(after lastIDs: [Int64]) {
    self.lastIDs = lastIDs
  }

  /// The object that was given a row; nil if it is none of these, or the way back is not known.
  ///
  /// - Complexity: Linear in the entries of the archive: for errors only.
  func uid(ofRow id: Int64, table: Int) -> Int? {
    let number = id - origins[table]
    guard number > 0, number <= Int64(UInt32.max) else { return nil }
    return tables.indices.first { numbers[$0] == UInt32(number) && Int(tables[$0]) == table }
  }
}
