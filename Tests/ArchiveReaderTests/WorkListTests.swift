import ArchiveReader
import Testing

@Suite("The work list")
struct WorkListTests {
  @Test("gives each object once, in the order in which they were added")
  func givesEachOnce() {
    var list = WorkList(objectCount: 200)
    let added = [5, 199, 0, 64, 5, 63, 0].filter { list.add($0) }
    #expect(added == [5, 199, 0, 64, 63])
    #expect(list.count == 5)
    var taken: [Int] = []
    while let uid = list.takeNext() {
      taken.append(uid)
      // An object may be met again while it is read, and lead to others.
      list.add(uid)
      if uid == 64 { list.add(1) }
    }
    #expect(taken == [5, 199, 0, 64, 63, 1])
    #expect(list.count == 6)
  }

  @Test("goes on when it has run dry")
  func goesOn() {
    var list = WorkList(objectCount: 3)
    var taken = [list.takeNext()]
    list.add(2)
    taken += [list.takeNext(), list.takeNext()]
    list.add(2)
    list.add(1)
    taken += [list.takeNext(), list.takeNext()]
    #expect(taken == [nil, 2, nil, 1, nil])
  }

  @Test("holds every object of an archive", arguments: [0, 1, 63, 64, 65, 1_000])
  func holdsEveryObject(count: Int) {
    var list = WorkList(objectCount: count)
    for uid in (0..<count).reversed() { list.add(uid) }
    var taken: [Int] = []
    while let uid = list.takeNext() { taken.append(uid) }
    #expect(taken == (0..<count).reversed())
  }
}
