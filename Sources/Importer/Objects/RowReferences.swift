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

extension RowReferences {
  /// The numbers of the rows that objects become: for each table, from 1 on as they are handed out.
  ///
  /// Objects are usually reached in the order of the archive. As long as they are, a number is how
  /// many objects of the table stand before: a bit for each entry and table tells, and four bytes
  /// for each 512 of them. Otherwise four bytes for each entry of `$objects` are taken.
  struct Numbers {
    /// The objects that are rows of a table, all in order.
    private struct Order {
      var bits: [UInt64]
      /// For each block of the bits, how many objects stand before it.
      var counts: [UInt32]
      var last = -1
      var count: UInt32 = 0

      init(objectCount: Int) {
        bits = Array(repeating: 0, count: (objectCount + 63) / 64)
        counts = Array(repeating: 0, count: (bits.count + wordsInBlock - 1) / wordsInBlock)
      }

      /// Adds an object with its number; returns false if others stand after it, or rows are
      /// missing.
      mutating func append(_ uid: Int, _ number: UInt32) -> Bool {
        guard uid > last, number == count + 1 else { return false }
        // Blocks in which no object stands have those of the block before them.
        let block = uid >> 9
        var next = last < 0 ? 0 : (last >> 9) + 1
        while next <= block {
          counts[next] = count
          next += 1
        }
        bits[uid >> 6] |= 1 << UInt64(uid & 63)
        last = uid
        count += 1
        return true
      }

      /// Calls with each object, in order.
      func forEach(_ body: (Int) -> Void) {
        for (place, word) in bits.enumerated() {
          var rest = word
          while rest != 0 {
            body(place << 6 + rest.trailingZeroBitCount)
            rest &= rest - 1
          }
        }
      }

      func number(of uid: Int) -> UInt32 {
        guard uid <= last, bits[uid >> 6] & 1 << UInt64(uid & 63) != 0 else { return 0 }
        var number = counts[uid >> 9]
        for word in (uid >> 9) * wordsInBlock..<uid >> 6 {
          number += UInt32(truncatingIfNeeded: bits[word].nonzeroBitCount)
        }
        let upTo = bits[uid >> 6] & (~0 >> UInt64(63 - uid & 63))
        return number + UInt32(truncatingIfNeeded: upTo.nonzeroBitCount)
      }
    }

    private let objectCount: Int
    private let knowsWayBack: Bool
    /// For each table, its objects, as long as they come in order; nil for tables without rows.
    private var orders: [Order?] = []
    private var orderCount = 0
    /// For each entry, its number and its table, when some came out of order; empty until then.
    private var numbers: [UInt32] = []
    private var tables: [UInt16] = []

    private static let wordsInBlock = 8
    /// For so many tables at most, order takes less memory than numbers do.
    private static let maxOrders = 16
    /// With so few entries, order is not worth the trouble.
    private static let fewEntries = 1 << 12

    /// - Parameters:
    ///   - objectCount: How many entries the archive has.
    ///   - tableCount: How many tables there are.
    ///   - isOneToOne: Whether each object is a row of one table at most.
    ///   - knowsWayBack: Whether rows are to lead back to objects: takes two more bytes for each
    ///     entry where they are out of order.
    init(objectCount: Int, tableCount: Int, isOneToOne: Bool, knowsWayBack: Bool) {
      self.objectCount = objectCount
      self.knowsWayBack = knowsWayBack
      orders = Array(repeating: nil, count: tableCount)
      if !isOneToOne || objectCount < Self.fewEntries { leaveOrder() }
    }

    /// The number of an object's row; 0 as long as it has none.
    @inline(__always)
    func number(of uid: Int, table: Int) -> UInt32 {
      guard orders.isEmpty else { return orders[table]?.number(of: uid) ?? 0 }
      return numbers[uid]
    }

    /// Gives an object that has none a number: that of the last row of the table.
    mutating func set(_ number: UInt32, of uid: Int, table: Int) {
      if !orders.isEmpty {
        if append(uid, number, table) { return }
        leaveOrder()
      }
      numbers[uid] = number
      if knowsWayBack { tables[uid] = UInt16(truncatingIfNeeded: table) }
    }

    /// Adds an object to those of a table; returns false if it is out of order.
    private mutating func append(_ uid: Int, _ number: UInt32, _ table: Int) -> Bool {
      if orders[table] == nil {
        guard orderCount < Self.maxOrders else { return false }
        orders[table] = Order(objectCount: objectCount)
        orderCount += 1
      }
      return orders[table]?.append(uid, number) ?? false
    }

    private mutating func leaveOrder() {
      numbers = Array(repeating: 0, count: objectCount)
      if knowsWayBack { tables = Array(repeating: 0, count: objectCount) }
      for (table, order) in orders.enumerated() {
        guard let order else { continue }
        var number: UInt32 = 0
        order.forEach { uid in
          number += 1
          numbers[uid] = number
          if knowsWayBack { tables[uid] = UInt16(truncatingIfNeeded: table) }
        }
      }
      orders = []
    }

    /// The object that was given a number in a table; nil if there is none, or the way back is not
    /// known.
    ///
    /// - Complexity: Linear in the entries of the archive.
    func uid(of number: UInt32, table: Int) -> Int? {
      guard orders.isEmpty else {
        var (found, count): (Int?, UInt32) = (nil, 0)
        orders[table]?.forEach { uid in
          count += 1
          if count == number { found = uid }
        }
        return found
      }
      return tables.indices.first { numbers[$0] == number && Int(tables[$0]) == table }
    }
  }
}
