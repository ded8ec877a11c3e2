import Support
import Synchronization
import Testing

@Suite("Work on several threads")
struct OrderedWorkTests {
  @Test("gives its results in the order of the items", arguments: [1, 2, 8], [true, false])
  func order(jobs: Int, isEager: Bool) {
    let work = OrderedWork(Array(0..<500), jobs: jobs, isEager: isEager) { number in
      // Some items take longer than others.
      (0..<(number % 7) * 1_000).reduce(number) { $0 ^ $1 ^ $1 }
    }
    var results: [Int] = []
    while let result = work.next() { results.append(result) }
    #expect(results == Array(0..<500))
    #expect(work.next() == nil)
  }

  @Test(
    "is only so many items ahead of whoever takes the results", arguments: [1, 2, 8], [true, false])
  func isBounded(jobs: Int, isEager: Bool) {
    final class Count: Sendable {
      let begun = Mutex(0)
    }
    let count = Count()
    let work = OrderedWork(Array(0..<300), jobs: jobs, isEager: isEager) { _ in
      count.begun.withLock { $0 += 1 }
    }
    for taken in 1...300 {
      _ = work.next()
      let begun = count.begun.withLock(\.self)
      #expect(begun >= taken)
      #expect(begun <= taken + (isEager ? 2 : 32) * jobs)
    }
  }

  @Test("is done by whoever takes the results if no thread can be started", arguments: [1, 2, 8])
  func noThread(jobs: Int) {
    let work = OrderedWork(
      Array(0..<100), jobs: jobs, isBeside: true, stackSize: 1 << 60, makeWorker: { { -$0 } })
    var results: [Int] = []
    while let result = work.next() { results.append(result) }
    work.cancelAndWait()
    #expect(results == (0..<100).map { -$0 })
  }

  @Test("on nothing gives nothing", arguments: [1, 4])
  func nothing(jobs: Int) {
    #expect(OrderedWork([Int](), jobs: jobs, isEager: true) { $0 }.next() == nil)
    #expect(OrderedWork([Int](), jobs: jobs, isEager: false) { $0 }.next() == nil)
  }
}
