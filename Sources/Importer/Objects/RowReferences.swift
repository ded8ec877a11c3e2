/// The rows that the objects of an archive become: handed out when an object is first referred to,
/// before it is decoded.
///
/// See `RowReferences.Numbers` for the memory that it takes.
struct RowReferences {
  /// The numbers of the objects' rows among the rows of their tables since this archive's turn came
  /// first.
  private var numbers: Numbers
  /// For each table, the id of the last row before this archive's turn came first.
  private var origins: [Int64]
  /// For each table, the id of the last row.
  private(set) var lastIDs: [Int64]

  private let isOneToOne: Bool
  private let knowsWayBack: Bool

  /// - Parameters:
  ///   - objectCount: The number of entries of the archive.
  ///   - lastIDs: For each table, the id of the last row before this archive's.
  ///   - isOneToOne: True if each object is a row of one table at most.
  ///   - knowsWayBack: True if rows are to lead back to objects.
  init(objectCount: Int, lastIDs: [Int64], isOneToOne: Bool, knowsWayBack: Bool) {
    self.isOneToOne = isOneToOne
    self.knowsWayBack = knowsWayBack
    numbers = Numbers(
      objectCount: objectCount, tableCount: lastIDs.count, isOneToOne: isOneToOne,
      knowsWayBack: knowsWayBack)
    origins = lastIDs
    self.lastIDs = lastIDs
  }

  /// Starts over, for an archive with `objectCount` entries.
  mutating func reset(objectCount: Int, lastIDs: [Int64]) {
    numbers = Numbers(
      objectCount: objectCount, tableCount: lastIDs.count, isOneToOne: isOneToOne,
      knowsWayBack: knowsWayBack)
    origins = lastIDs
    self.lastIDs = lastIDs
  }

  /// The id of the row that an object becomes; it is handed out if it has none yet.
  mutating func row(of uid: Int, table: Int) -> Int64 { reserve(uid, table: table).row }

  /// The same, and whether it is handed out only now.
  mutating func reserve(_ uid: Int, table: Int) -> (row: Int64, isNew: Bool) {
    let known = numbers.number(of: uid, table: table)
    if known > 0 { return (origins[table] + Int64(known), false) }
    lastIDs[table] += 1
    numbers.set(
      UInt32(truncatingIfNeeded: lastIDs[table] - origins[table]), of: uid, table: table)
    return (lastIDs[table], true)
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
    return numbers.uid(of: UInt32(number), table: table)
  }
}
