/// The source objects that an entity mapping migrates, in ascending order.
///
/// Takes no memory as long as their numbers have no gaps, and four bytes for each object otherwise.
struct SourceList: Sendable {
  private var first = 0
  private(set) var count = 0
  /// The numbers, where they have gaps.
  private var numbers: [UInt32] = []

  /// Adds an object behind all others.
  ///
  /// - Parameter uid: Its number, greater than all before; sources have fewer than 2^32 objects.
  mutating func append(_ uid: Int) {
    if count == 0 { first = uid }
    if numbers.isEmpty, uid != first + count {
      numbers = (first..<first + count).map { UInt32(truncatingIfNeeded: $0) }
    }
    if uid != first + count || !numbers.isEmpty {
      numbers.append(UInt32(truncatingIfNeeded: uid))
    }
    count += 1
  }

  /// The object at a place, which is below `count`.
  @inline(__always)
  subscript(rank: Int) -> Int { numbers.isEmpty ? first + rank : Int(numbers[rank]) }

  /// The place of an object; nil if it is not in the list.
  ///
  /// - Complexity: Logarithmic where the numbers have gaps.
  @inline(__always)
  func rank(of uid: Int) -> Int? {
    guard !numbers.isEmpty else { return uid >= first && uid - first < count ? uid - first : nil }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(numbers[middle]) < uid { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && Int(numbers[low]) == uid ? low : nil
  }

  /// How many bytes it takes.
  var byteCount: Int { numbers.count * 4 }
}
