import Foundation

/// What running a program took.
struct Measurement {
  /// Seconds by the clock.
  var wall: Double
  /// Seconds of all its threads.
  var cpu: Double
  /// The most anonymous memory that it held, in bytes; 0 if nobody looked.
  ///
  /// It is what the kernel calls RssAnon, without the files that are mapped.
  var memory: Int
}

/// A program with its arguments.
struct Program {
  var path: String
  var arguments: [String]

  /// Something that stands in the way of a benchmark.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Runs it to its end, its output thrown away.
  ///
  /// - Parameter samplesMemory: Whether its memory is looked at: that takes some of the time of a
  ///   program that keeps all processors at work.
  /// - Returns: What it took.
  /// - Throws: `Failure` if it cannot be started, or fails.
  func run(samplesMemory: Bool = false) throws -> Measurement {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)

    let start = ContinuousClock.now
    var child = pid_t()
    guard posix_spawnp(&child, path, &actions, nil, words, environ) == 0 else {
      throw Failure(description: "cannot start \(path)")
    }
    let memory = samplesMemory ? MemorySampler(of: child) : nil
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
    let wall = (ContinuousClock.now - start) / .seconds(1)
    let peak = memory?.finish() ?? 0
    guard status == 0 else {
      throw Failure(description: "failed: \(([path] + arguments).joined(separator: " "))")
    }
    return Measurement(
      wall: wall, cpu: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime), memory: peak)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
