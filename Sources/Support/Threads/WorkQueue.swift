import Foundation

/// Does pieces of work one after the other, on a thread of its own.
///
/// Where the system refuses the thread, whoever hands work over does it.
///
/// Unchecked: what changes is touched only while the lock of the state is held.
package final class WorkQueue: Sendable {
  private let state: State

  /// The state that the thread shares.
  private final class State: @unchecked Sendable {
    let condition = NSCondition()
    var pending: [@Sendable () -> Void] = []
    var isWorking = false
    var isEnded = false
    let isThreaded: Bool

    init(isThreaded: Bool) { self.isThreaded = isThreaded }
  }

  /// Begins without work.
  ///
  /// - Parameter stackSize: The size of the thread's stack in bytes.
  package init(stackSize: Int = 1 << 20) {
    let threaded = State(isThreaded: true)
    state =
      WorkerThread.start(stackSize: stackSize) { Self.run(threaded) }
      ? threaded : State(isThreaded: false)
  }

  deinit {
    state.condition.withLock {
      state.isEnded = true
      state.condition.broadcast()
    }
  }

  /// Hands work over: it is done after all that was handed over before.
  ///
  /// - Parameters:
  ///   - most: The most pieces of work that may wait: this waits until there is room.
  ///   - work: The work.
  package func submit(waitingAtMost most: Int = .max, _ work: @escaping @Sendable () -> Void) {
    guard state.isThreaded else { return work() }
    state.condition.withLock {
      while state.pending.count >= most { state.condition.wait() }
      state.pending.append(work)
      state.condition.broadcast()
    }
  }

  /// Waits until all that was handed over is done.
  package func wait() {
    state.condition.withLock {
      while state.isWorking || !state.pending.isEmpty { state.condition.wait() }
    }
  }

  private static func run(_ state: State) {
    while let work = next(state) { work() }
  }

  private static func next(_ state: State) -> (@Sendable () -> Void)? {
    state.condition.withLock {
      state.isWorking = false
      state.condition.broadcast()
      while state.pending.isEmpty, !state.isEnded { state.condition.wait() }
      guard !state.pending.isEmpty else { return nil }
      state.isWorking = true
      return state.pending.removeFirst()
    }
  }
}
