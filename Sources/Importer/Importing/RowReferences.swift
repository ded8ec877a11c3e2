/// Which rows the objects of an archive become: handed out when an object is first referred to,
/// before it is decoded.
///
/// Takes four bytes for each entry of `$objects`.
struct RowReferences {
  /// For each UID, the number of its row among the rows of its entity from this archive, counted
  /// from 1; 0 as long as it has none.
  private var numbers: [UInt32]
  /// For each entity, the id of the last row before this archive's.
  private let bases: [Int64]
  /// For each entity, how many rows this archive has got so far.
  private(set) var counts: [Int]

  init(objectCount: Int, bases: [Int64]) {
    numbers = Array(repeating: 0, count: objectCount)
    self.bases = bases
    counts = Array(repeating: 0, count: bases.count)
  }

  /// The id of the row that an object becomes; it is handed out if it has none yet.
  mutating func row(of uid: Int, entity: Int) -> Int64 {
    if numbers[uid] == 0 {
      counts[entity] += 1
      numbers[uid] = UInt32(truncatingIfNeeded: counts[entity])
    }
    return bases[entity] + Int64(numbers[uid])
  }

  /// The first and last id of the rows of an entity; nil if the archive has none.
  func range(of entity: Int) -> ClosedRange<Int64>? {
    counts[entity] > 0 ? (bases[entity] + 1)...(bases[entity] + Int64(counts[entity])) : nil
  }
}
