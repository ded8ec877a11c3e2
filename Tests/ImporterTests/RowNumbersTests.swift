import TestSupport
import Testing

@testable import Importer

@Suite("The numbers of the rows that objects become")
struct RowNumbersTests {
  /// How many of the objects come out of order.
  static let disorders = [0, 1, 500]

  @Test(
    "are those that were handed out, whatever the order and the number of tables",
    arguments: [100, 10_000], disorders)
  func numbers(objectCount: Int, disorder: Int) {
    for (tableCount, isOneToOne) in [(1, true), (3, true), (40, true), (3, false)] {
      var random = SeededGenerator(seed: UInt64(objectCount + disorder + tableCount))
      // Some objects become no rows.
      var objects = (0..<objectCount).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
      for _ in 0..<disorder {
        let (one, other) = (objects.indices.randomElement(using: &random) ?? 0, objects.count / 2)
        objects.swapAt(one, other)
      }
      var numbers = RowReferences.Numbers(
        objectCount: objectCount, tableCount: tableCount, isOneToOne: isOneToOne,
        knowsWayBack: true)
      var counts = Array(repeating: UInt32(0), count: tableCount)
      var expected: [Int: (table: Int, number: UInt32)] = [:]
      var wrong: [Int] = []
      for object in objects {
        let table = Int.random(in: 0..<tableCount, using: &random)
        if numbers.number(of: object, table: table) != 0 { wrong.append(object) }
        counts[table] += 1
        numbers.set(counts[table], of: object, table: table)
        expected[object] = (table, counts[table])
        // One that has a number keeps it.
        if let known = objects.first, let own = expected[known],
          numbers.number(of: known, table: own.table) != own.number
        {
          wrong.append(known)
        }
      }
      for object in 0..<objectCount {
        let own = expected[object]
        if numbers.number(of: object, table: own?.table ?? 0) != own?.number ?? 0 {
          wrong.append(object)
        }
      }
      for (object, own) in expected.shuffled(using: &random).prefix(20)
      where numbers.uid(of: own.number, table: own.table) != object {
        wrong.append(object)
      }
      #expect(numbers.uid(of: counts[0] + 1, table: 0) == nil)
      #expect(wrong == [], "\(tableCount) tables")
    }
  }

  @Test("may leave some out, which were given to rows of no object")
  func gaps() {
    var numbers = RowReferences.Numbers(
      objectCount: 10_000, tableCount: 1, isOneToOne: true, knowsWayBack: true)
    for (object, number) in [(1, 1), (2, 2), (600, 5), (9_999, 6)] {
      numbers.set(UInt32(number), of: object, table: 0)
    }
    #expect([1, 2, 3, 600, 9_999].map { numbers.number(of: $0, table: 0) } == [1, 2, 0, 5, 6])
    #expect([1, 2, 3, 5, 6].map { numbers.uid(of: $0, table: 0) } == [1, 2, nil, 600, 9_999])
  }
}
