import Foundation

/// A thread that the system may refuse.
///
/// Foundation's does not tell whether it was started, and Dispatch waits until it can be: where
/// memory or the number of threads is limited, whoever waits for their work waits forever.
package enum WorkerThread {
  /// A stack that values inside of values fit in, up to the limit on nesting.
  package static let stackSize = 16 << 20

  /// The number of threads that can run at once.
  ///
  /// It is asked for once: on Linux, Foundation reads files of the system each time, which took
  /// 5 % of a conversion of many small archives.
  package static let processorCount = ProcessInfo.processInfo.activeProcessorCount

  /// The work of a thread.
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func take(_ pointer: UnsafeMutableRawPointer) -> Work {
      unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
    }
  }

  /// Starts a thread, which ends when its work is done.
  ///
  /// - Parameters:
  ///   - stackSize: The size of its stack in bytes.
  ///   - body: Its work.
  /// - Returns: False if the system has no memory or no number left for it: then nothing is done.
  package static func start(
    stackSize: Int = WorkerThread.stackSize, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    guard unsafe pthread_attr_setstacksize(&attributes, stackSize) == 0,
      unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)) == 0
    else { return false }
    // The thread owns its work, once it is there.
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    #if os(Linux)
      var thread = pthread_t()
      let status = unsafe pthread_create(
        &thread, &attributes, { unsafe WorkerThread.run($0) }, unsafe work)
    #else
      var thread: pthread_t?
      let status = pthread_create(&thread, &attributes, { WorkerThread.run($0) }, work)
    #endif
    guard status == 0 else {
      _ = unsafe Work.take(work)
      return false
    }
    return true
  }

  /// Calls a function for each of some numbers, on several threads; returns when all calls have.
  ///
  /// The calling thread takes part: where no other can be started, it makes all calls.
  ///
  /// - Parameters:
  ///   - iterations: The number of calls; the numbers go from 0 on.
  ///   - jobs: The number of threads that take part.
  ///   - body: The function.
  package static func perform(
    iterations: Int, jobs: Int = processorCount, _ body: @Sendable (Int) -> Void
  ) {
    // Small files are of one part, and there are many of them.
    guard iterations > 1 else { return (0..<iterations).forEach(body) }
    // The other threads have ended when this returns.
    withoutActuallyEscaping(body) { body in
      let work = SharedWork(iterations, body)
      for _ in 1..<max(1, min(jobs, iterations)) where !work.addThread() { break }
      work.run()
      work.waitForThreads()
    }
  }

  private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work = unsafe work { unsafe Work.take(work).body() }
    return nil
  }
}

/// Numbers that several threads take, one after the other.
///
/// Unchecked: what changes is touched only while `condition` is locked; `body` goes when all
/// threads have ended.
private final class SharedWork: @unchecked Sendable {
  private let count: Int
  /// The function; nil once it is not called any more.
  private var body: (@Sendable (Int) -> Void)?
  private let condition = NSCondition()
  private var next = 0
  private var threadCount = 0

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    (self.count, self.body) = (count, body)
  }

  /// Has another thread take part; returns false if there can be none.
  func addThread() -> Bool {
    condition.withLock { threadCount += 1 }
    let isStarted = WorkerThread.start { [self] in
      run()
      end()
    }
    if !isStarted { end() }
    return isStarted
  }

  func run() {
    while let number = take() { body?(number) }
  }

  func waitForThreads() {
    condition.lock()
    while threadCount > 0 { condition.wait() }
    body = nil
    condition.unlock()
  }

  private func take() -> Int? {
    condition.withLock {
      guard next < count else { return nil }
      next += 1
      return next - 1
    }
  }

  private func end() {
    condition.withLock {
      threadCount -= 1
      condition.broadcast()
    }
  }
}
