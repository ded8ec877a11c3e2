import TestSupport
import Testing

@testable import Migration

@Suite("Links that are kept")
struct LinkTableTests {
  @Test("Both sides agree after any number of changes", arguments: 0..<40)
  func agreement(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let first = LinkTable.Side(isToMany: seed & 1 == 0, isOrdered: seed & 4 == 0)
    let second = LinkTable.Side(isToMany: seed & 2 == 0)
    var table = LinkTable(first, second, isSymmetric: false)
    for _ in 0..<200 {
      let side = Int.random(in: 0...1, using: &random)
      let object = Int.random(in: 0..<8, using: &random) + 100 * side
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: 0..<8, using: &random) + 100 * (1 - side)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        table.remove(object)
        continue
      }
      let before = table.members(of: object, side: side)
      let keepsOthers = Bool.random(using: &random)
      table.set(members, of: object, side: side, keepsOthers: keepsOthers)
      let after = table.members(of: object, side: side)
      let isToMany = side == 0 ? first.isToMany : second.isToMany
      if isToMany {
        #expect(Set(after) == Set(members).union(keepsOthers ? before : []))
      } else if !members.isEmpty || !keepsOthers {
        #expect(after == Array(members.prefix(1)))
      }
      var links: [[Int]: Int] = [:]
      for number in 0..<8 {
        let forwards = table.members(of: number, side: 0)
        #expect(first.isToMany || forwards.count <= 1)
        for member in forwards { links[[number, member], default: 0] += 1 }
        let backwards = table.members(of: 100 + number, side: 1)
        #expect(second.isToMany || backwards.count <= 1)
        for member in backwards { links[[member, 100 + number], default: 0] -= 1 }
      }
      #expect(links.values.allSatisfy { $0 == 0 })
      #expect(table.count == links.count)
    }
  }

  @Test("Objects are added behind the others, each once; an end that leads to one has the last")
  func appending() {
    let many = LinkTable.Side(isToMany: true, isOrdered: true)
    var table = LinkTable(many, LinkTable.Side(isToMany: true), isSymmetric: false)
    table.append([12, 11], to: 1, side: 0)
    table.append([11, 10, 10], to: 1, side: 0)
    table.append([1, 2], to: 10, side: 1)
    #expect(table.members(of: 1, side: 0) == [12, 11, 10])
    #expect(table.members(of: 10, side: 1) == [1, 2])
    var owned = LinkTable(many, LinkTable.Side(isToMany: false), isSymmetric: false)
    owned.append([10, 11], to: 1, side: 0)
    owned.append([11], to: 2, side: 0)
    owned.append([3], to: 10, side: 1)
    owned.append([], to: 11, side: 1)
    #expect((1...3).map { owned.members(of: $0, side: 0) } == [[], [11], [10]])
    #expect(owned.replacedCount == 2)
  }

  @Test("A hundred thousand objects are added to one, one after the other")
  func manyAppended() {
    var table = LinkTable(
      LinkTable.Side(isToMany: true), LinkTable.Side(isToMany: true), isSymmetric: false)
    for member in 0..<100_000 { table.append([member], to: 1_000_000, side: 0) }
    #expect(table.members(of: 1_000_000, side: 0) == Array(0..<100_000))
  }

  @Test("A relationship that is its own inverse leads both ways")
  func symmetry() {
    var table = LinkTable(
      LinkTable.Side(isToMany: true), LinkTable.Side(isToMany: true), isSymmetric: true)
    table.set([2, 3], of: 1, side: 0, keepsOthers: true)
    table.set([1], of: 3, side: 0, keepsOthers: true)
    #expect(table.members(of: 1, side: 0) == [2, 3])
    #expect(table.members(of: 2, side: 0) == [1])
    #expect(table.members(of: 3, side: 0) == [1])
    table.append([1], to: 2, side: 0)
    #expect(table.count == 2)
    table.set([], of: 2, side: 0, keepsOthers: false)
    #expect(table.members(of: 1, side: 0) == [3])
  }

  @Test("Any number of objects may claim the same one: the last one has it")
  func claims() {
    var table = LinkTable(
      LinkTable.Side(isToMany: true), LinkTable.Side(isToMany: false), isSymmetric: false)
    for owner in 0..<100_000 { table.set([1_000_000], of: owner, side: 0, keepsOthers: true) }
    #expect(table.members(of: 1_000_000, side: 1) == [99_999])
    #expect(table.members(of: 0, side: 0) == [])
    #expect(table.count == 1)
    #expect(table.replacedCount == 99_999)
  }
}
