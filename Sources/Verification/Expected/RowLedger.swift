import ArchiveReader

extension ExpectedRows {
  /// The rows that the objects of an archive have been given in one pass, and the objects that have
  /// yet to have their turn.
  ///
  /// Takes eight bytes for each object that is a row, and four for each other.
  struct RowLedger {
    /// For each table, the last row before this turn.
    let firstIDs: [Int64]
    /// For each table, the last row that has been handed out.
    private(set) var lastIDs: [Int64]
    /// True if the entity mapping that made a row is noted.
    private let notesMappings: Bool
    private var workList: WorkList
    /// For each UID, the ordinal of its row among those of this turn, counted from 1; 0 for none.
    private var ordinals: [UInt32]
    /// For each table, the object that each row of this turn was; `noObject` for none.
    private var objects: [[UInt32]]
    /// For each table, the entity mapping that made each row, where there are any; else
    /// `noMapping`.
    private var mappings: [[UInt16]]

    private static let noObject = UInt32.max
    private static let noMapping = UInt16.max

    init(objectCount: Int, behind firstIDs: [Int64], notesMappings: Bool) {
      self.firstIDs = firstIDs
      lastIDs = firstIDs
      self.notesMappings = notesMappings
      workList = WorkList(objectCount: objectCount)
      ordinals = Array(repeating: 0, count: objectCount)
      objects = firstIDs.map { _ in [] }
      mappings = firstIDs.map { _ in [] }
    }

    // MARK: Turns

    /// Lets an object have its turn, unless it has it already.
    mutating func reach(_ uid: Int) { workList.add(uid) }

    /// The object whose turn it is.
    mutating func takeNext() -> Int? { workList.takeNext() }

    // MARK: Rows

    /// The number of objects, rows or not.
    var objectCount: Int { ordinals.count }

    /// The number of rows of a table in this turn.
    func count(of table: Int) -> Int { objects[table].count }

    /// The row of an object in its table; nil if it has none of its own.
    func row(of uid: Int, in table: Int) -> Int64? {
      let known = ordinals[uid]
      return known == 0 ? nil : firstIDs[table] + Int64(known)
    }

    /// True if an object has a row of its own; false for what is no object.
    func hasRow(_ uid: Int) -> Bool { ordinals.indices.contains(uid) && ordinals[uid] != 0 }

    /// The row of an object that becomes one of its own; it is handed out if it has none yet.
    mutating func ownRow(of uid: Int, _ table: Int, mapping: Int? = nil) -> Int64 {
      let known = ordinals[uid]
      if known != 0 { return firstIDs[table] + Int64(known) }
      let row = newRow(table, uid: uid, mapping: mapping)
      ordinals[uid] = UInt32(truncatingIfNeeded: row - firstIDs[table])
      return row
    }

    /// The same for an object that something refers to: it has its turn, too.
    mutating func reachRow(of uid: Int, _ table: Int, mapping: Int? = nil) -> Int64 {
      workList.add(uid)
      return ownRow(of: uid, table, mapping: mapping)
    }

    /// The next row of a table.
    mutating func newRow(_ table: Int, uid: Int?, mapping: Int?) -> Int64 {
      lastIDs[table] += 1
      objects[table].append(uid.map { UInt32(truncatingIfNeeded: $0) } ?? Self.noObject)
      if notesMappings {
        mappings[table].append(mapping.map { UInt16(truncatingIfNeeded: $0) } ?? Self.noMapping)
      }
      return lastIDs[table]
    }

    /// The object that a row of this turn was, and the entity mapping that made it.
    func origin(ofRow index: Int, table: Int) -> (uid: Int?, mapping: Int?) {
      let uid = objects[table][index]
      var mapping: Int?
      if notesMappings, mappings[table][index] != Self.noMapping {
        mapping = Int(mappings[table][index])
      }
      return (uid == Self.noObject ? nil : Int(uid), mapping)
    }
  }
}
