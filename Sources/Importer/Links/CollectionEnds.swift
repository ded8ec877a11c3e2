extension RelationshipTracker {
  /// The rows whose collection of one relationship was set, and the position after its last member.
  ///
  /// Takes four bytes for each row of the archive whose turn it is.
  struct CollectionEnds {
    private var firstRow: Int64
    /// For each row, the position and one more; 0 for none.
    private var ends: [UInt32] = []
    /// The ends for rows before the archive's, and those that are too large.
    private var others: [Int64: Int64] = [:]

    /// - Parameter lastID: The last row before the current archive's.
    init(after lastID: Int64) {
      firstRow = lastID + 1
    }

    /// True if no collection was set.
    var isEmpty: Bool { ends.isEmpty && others.isEmpty }

    /// The position after the last member of a row's collection; nil if it was not set.
    subscript(row: Int64) -> Int64? {
      get {
        if row >= firstRow, row - firstRow < Int64(ends.count) {
          let end = ends[Int(row - firstRow)]
          if end != 0 { return Int64(end) - 1 }
        }
        return others.isEmpty ? nil : others[row]
      }
      set {
        others[row] = nil
        guard row >= firstRow else {
          others[row] = newValue
          return
        }
        let index = Int(row - firstRow)
        let end = newValue.map { $0 + 1 } ?? 0
        guard end >= 0, end <= Int64(UInt32.max) else {
          others[row] = newValue
          if index < ends.count { ends[index] = 0 }
          return
        }
        if index >= ends.count {
          guard end != 0 else { return }
          ends.append(contentsOf: repeatElement(0, count: index + 1 - ends.count))
        }
        ends[index] = UInt32(end)
      }
    }

    mutating func removeAll() {
      ends.removeAll(keepingCapacity: true)
      others = [:]
    }

    /// Begins the turn of the next archive.
    mutating func advance(to lastID: Int64) {
      removeAll()
      firstRow = lastID + 1
    }
  }
}
