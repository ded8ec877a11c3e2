/// Which entries of `$objects` a reader has read, a bit for each.
final class ReachedEntries {
  private var bits: [UInt64]

  init(objectCount: Int) {
    bits = Array(repeating: 0, count: (objectCount + 63) / 64)
  }

  func note(_ uid: Int) {
    bits[uid >> 6] |= 1 << UInt64(uid & 63)
  }

  func contains(_ uid: Int) -> Bool {
    bits[uid >> 6] & 1 << UInt64(uid & 63) != 0
  }
}

extension ObjectReader {
  /// Starts to note which entries are read.
  package mutating func noteReachedEntries() {
    reachedEntries = ReachedEntries(objectCount: archive.objectCount)
  }

  /// How many entries have not been read since, those for nil and for classes left out.
  package func countUnreachedEntries() -> Int {
    guard let reachedEntries else { return 0 }
    return (0..<archive.objectCount).count { uid in
      guard uid != 0, !reachedEntries.contains(uid) else { return false }
      guard case .dictionary(let keys, _) = table.value(of: table[archive.objects, uid]) else {
        return true
      }
      return !(0..<keys.count).contains { table.string(at: table[keys, $0]) == "$classname" }
    }
  }
}
