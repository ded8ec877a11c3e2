import Foundation

/// Works on items on several threads, and hands the results over in the order of the items.
///
/// The threads go on a few items ahead of whoever takes the results, and wait then: so memory does
/// not grow with the number of items.
///
/// Unchecked: what changes is touched only while `condition` is locked.
final class OrderedWork<Item: Sendable, Outcome: Sendable>: @unchecked Sendable {
  private let items: [Item]
  private let work: @Sendable (Item) -> Outcome
  private let isThreaded: Bool
  /// How many items may be begun before the result of the first of them is taken.
  private let mostAhead: Int

  private let condition = NSCondition()
  private var nextItem = 0
  private var nextOutcome = 0
  /// How many items are being worked on.
  private var runningCount = 0
  private var outcomes: [Int: Outcome] = [:]
  private var isCancelled = false
  /// How many threads wait for room to begin an item, and whether somebody waits for results: nobody
  /// is woken for nothing.
  private var waitingThreads = 0
  private var isAwaited = false
  /// How many results there are when whoever waits for them is woken.
  private let enough: Int

  /// The stack of a thread: values inside of values take some, up to the limit on nesting.
  private static var stackSize: Int { 16 << 20 }

  /// Begins the work; with one thread, it is done when the results are asked for.
  ///
  /// - Parameters:
  ///   - items: What is to be worked on.
  ///   - jobs: How many threads work at the same time.
  ///   - isEager: Whether the next result is wanted as soon as it is there; otherwise several are
  ///     handed over at a time, which takes less.
  ///   - isBeside: Whether another thread works on them even if there is but one.
  ///   - work: Works on one item.
  init(
    _ items: [Item], jobs: Int, isEager: Bool = true, isBeside: Bool = false,
    _ work: @escaping @Sendable (Item) -> Outcome
  ) {
    self.items = items
    self.work = work
    let threads = min(jobs, items.count)
    isThreaded = threads > 1 || isBeside && threads > 0
    mostAhead = (isEager ? 2 : 32) * threads
    enough = isEager ? 1 : 8 * threads
    guard isThreaded else { return }
    for _ in 0..<threads {
      let thread = Thread { [self] in run() }
      thread.stackSize = Self.stackSize
      thread.start()
    }
  }

  /// The result for the next item; nil if there is none.
  func next() -> Outcome? {
    guard nextOutcome < items.count else { return nil }
    guard isThreaded else {
      nextOutcome += 1
      return work(items[nextOutcome - 1])
    }
    condition.lock()
    defer { condition.unlock() }
    while outcomes[nextOutcome] == nil {
      isAwaited = true
      condition.wait()
    }
    isAwaited = false
    let outcome = outcomes.removeValue(forKey: nextOutcome)
    nextOutcome += 1
    // There is room for another item.
    if waitingThreads > 0, outcomes.count <= mostAhead / 2 { condition.broadcast() }
    return outcome
  }

  /// Lets no further item be begun.
  func cancel() {
    condition.lock()
    isCancelled = true
    condition.broadcast()
    condition.unlock()
  }

  /// Lets no further item be begun, and waits for those that are.
  func cancelAndWait() {
    cancel()
    condition.lock()
    while runningCount > 0 {
      isAwaited = true
      condition.wait()
    }
    condition.unlock()
  }

  private func run() {
    while let number = takeNumber() {
      let outcome = work(items[number])
      condition.lock()
      outcomes[number] = outcome
      runningCount -= 1
      let isEnough = outcomes.count >= enough || isCancelled || nextItem == items.count
      if isAwaited, isEnough { condition.broadcast() }
      condition.unlock()
    }
  }

  /// The number of the item that is begun next; waits for its turn.
  private func takeNumber() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while !isCancelled, nextItem < items.count, nextItem >= nextOutcome + mostAhead {
      waitingThreads += 1
      condition.wait()
      waitingThreads -= 1
    }
    guard !isCancelled, nextItem < items.count else { return nil }
    nextItem += 1
    runningCount += 1
    return nextItem - 1
  }
}
