import Foundation

/// Works on items on several threads, and hands the results over in the order of the items.
///
/// The threads go on a few items ahead of whoever takes the results, and wait then: so memory does
/// not grow with the number of items.
///
/// Unchecked: what changes is touched only while `condition` is locked, but for what whoever takes
/// the results keeps.
package final class OrderedWork<Item: Sendable, Outcome: Sendable>: @unchecked Sendable {
  /// Works on one item after the other, on one thread.
  package typealias Worker = (Item) -> Outcome

  private let items: [Item]
  private let makeWorker: @Sendable () -> Worker
  /// True if any thread could be started.
  private var isThreaded = false
  /// The most items that are begun before the result of the first of them is taken.
  private let maxAhead: Int
  /// The number of items that a thread takes at a time.
  private let stride: Int

  private let condition = NSCondition()
  private var nextItem = 0
  private var nextOutcome = 0
  /// The number of threads that have not ended.
  private var threadCount = 0
  /// The results, by the number of the first of the items that were taken at a time.
  private var outcomes: [Int: [Outcome]] = [:]
  /// The number of results.
  private var outcomeCount = 0
  private var isCancelled = false
  /// The number of threads that wait for room to begin an item.
  ///
  /// With `isAwaited`, it keeps anybody from being woken for nothing.
  private var waitingThreads = 0
  private var isAwaited = false
  /// The number of results at which whoever waits for them is woken.
  private let enough: Int

  /// The results that were taken from the threads together, the next one last, and the worker where
  /// there are no threads: both are whoever's who takes the results.
  private var ready: [Outcome] = []
  private var ownWorker: Worker?

  /// Begins the work; with one thread, or if none can be started, it is done when the results are
  /// asked for.
  ///
  /// - Parameters:
  ///   - items: The items to work on.
  ///   - jobs: The number of threads that work at the same time.
  ///   - isEager: True if the next result is wanted as soon as it is there; otherwise several are
  ///     worked on and handed over at a time, which takes less.
  ///   - isBeside: True if another thread works on them even if there is but one.
  ///   - stackSize: The size of a thread's stack in bytes.
  ///   - makeWorker: Makes what works on items on a thread, which may keep something from item to
  ///     item.
  package init(
    _ items: [Item], jobs: Int, isEager: Bool = true, isBeside: Bool = false,
    stackSize: Int = WorkerThread.stackSize, makeWorker: @escaping @Sendable () -> Worker
  ) {
    self.items = items
    self.makeWorker = makeWorker
    let threads = min(jobs, items.count)
    // Few items are taken one by one: they may be large.
    stride = isEager || threads == 0 ? 1 : max(1, min(8, items.count / (32 * threads)))
    // Those that were taken together are ahead of the first of them.
    maxAhead = (isEager ? 2 : 32) * threads - (stride - 1)
    enough = isEager ? 1 : 8 * threads
    guard threads > 1 || isBeside && threads > 0 else { return }
    // None of them may end before all are counted.
    condition.lock()
    defer { condition.unlock() }
    for _ in 0..<threads {
      let isStarted = WorkerThread.start(stackSize: stackSize) { [self] in
        run()
        end()
      }
      guard isStarted else { break }
      threadCount += 1
    }
    isThreaded = threadCount > 0
  }

  /// Begins work that keeps nothing from item to item.
  package convenience init(
    _ items: [Item], jobs: Int, isEager: Bool = true, _ work: @escaping @Sendable (Item) -> Outcome
  ) {
    self.init(items, jobs: jobs, isEager: isEager, makeWorker: { work })
  }

  /// The result for the next item; nil if there is none.
  package func next() -> Outcome? {
    if let outcome = ready.popLast() { return outcome }
    guard nextOutcome < items.count else { return nil }
    guard isThreaded else {
      let worker = ownWorker ?? makeWorker()
      ownWorker = worker
      nextOutcome += 1
      return worker(items[nextOutcome - 1])
    }
    condition.lock()
    defer { condition.unlock() }
    while outcomes[nextOutcome] == nil {
      isAwaited = true
      condition.wait()
    }
    isAwaited = false
    guard let taken = outcomes.removeValue(forKey: nextOutcome) else { return nil }
    nextOutcome += taken.count
    outcomeCount -= taken.count
    // There is room for other items.
    if waitingThreads > 0, outcomeCount <= maxAhead / 2 { condition.broadcast() }
    ready = taken.reversed()
    return ready.popLast()
  }

  /// Lets no further item be begun.
  package func cancel() {
    condition.lock()
    isCancelled = true
    condition.broadcast()
    condition.unlock()
  }

  /// Lets no further item be begun, and waits for those that are: then nothing holds on to what the
  /// work needs.
  package func cancelAndWait() {
    cancel()
    ownWorker = nil
    condition.lock()
    while threadCount > 0 {
      isAwaited = true
      condition.wait()
    }
    condition.unlock()
  }

  private func run() {
    let worker = makeWorker()
    while let numbers = takeNumbers() {
      let results = numbers.map { worker(items[$0]) }
      condition.lock()
      outcomes[numbers.lowerBound] = results
      outcomeCount += results.count
      let isEnough = outcomeCount >= enough || isCancelled || nextItem == items.count
      if isAwaited, isEnough { condition.broadcast() }
      condition.unlock()
    }
  }

  /// The numbers of the items that are begun next; waits for their turn.
  private func takeNumbers() -> Range<Int>? {
    condition.lock()
    defer { condition.unlock() }
    while !isCancelled, nextItem < items.count, nextItem + stride > nextOutcome + maxAhead {
      waitingThreads += 1
      condition.wait()
      waitingThreads -= 1
    }
    guard !isCancelled, nextItem < items.count else { return nil }
    let numbers = nextItem..<min(items.count, nextItem + stride)
    nextItem = numbers.upperBound
    return numbers
  }

  /// Notes that a thread has let go of what it worked with.
  private func end() {
    condition.lock()
    threadCount -= 1
    if isAwaited { condition.broadcast() }
    condition.unlock()
  }
}
