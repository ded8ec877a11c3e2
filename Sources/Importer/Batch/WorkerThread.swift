import Foundation

/// A thread that the system may refuse.
///
/// Foundation's does not tell whether it was started, and Dispatch waits until it can be: where
/// memory or the number of threads is limited, whoever waits for their work waits forever.
enum WorkerThread {
  /// A stack that values inside of values fit in, up to the limit on nesting.
  static let stackSize = 16 << 20

  /// What a thread does.
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func take(_ pointer: UnsafeMutableRawPointer) -> Work {
      Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
    }
  }

  /// Starts a thread, which ends when its work is done.
  ///
  /// - Parameters:
  ///   - stackSize: How many bytes its stack may take.
  ///   - body: What it does.
  /// - Returns: False if the system has no memory or no number left for it: then nothing is done.
  static func start(
    stackSize: Int = WorkerThread.stackSize, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, stackSize) == 0,
      pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)) == 0
    else { return false }
    // The thread owns its work, once it is there.
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    #if os(Linux)
      var thread = pthread_t()
      let status = pthread_create(&thread, &attributes, { WorkerThread.run($0) }, work)
    #else
      var thread: pthread_t?
      let status = pthread_create(&thread, &attributes, { WorkerThread.run($0) }, work)
    #endif
    guard status == 0 else {
      _ = Work.take(work)
      return false
    }
    return true
  }

  private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Work.take(work).body() }
    return nil
  }
}
