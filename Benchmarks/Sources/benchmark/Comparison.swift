import Foundation

/// A program of ours beside others that do the same, run in turns.
struct Comparison {
  /// What a program is to ours.
  enum Role {
    case ours
    /// What no program can be much faster than.
    case limit
    case plistlib
    case foundation
  }

  struct Contender {
    var role: Role
    var program: Program
    /// What it writes, which is removed before it runs.
    var output: String?

    fileprivate func run(samplesMemory: Bool = true) throws -> Measurement {
      if let output { try? FileManager.default.removeItem(atPath: output) }
      // What others left to be written does not fall on it: ours waits for the disk, they do not.
      sync()
      return try program.run(samplesMemory: samplesMemory)
    }

    /// Runs it twice if it takes little time: then the first run tells its memory, and the second one
    /// its time.
    fileprivate func measure() throws -> Measurement {
      let first = try run()
      guard first.wall < Comparison.quick else { return first }
      var second = try run(samplesMemory: false)
      second.memory = first.memory
      return second
    }
  }

  /// What was measured of a program.
  struct Result {
    var runs: [Measurement] = []
    /// For each run, how many times as long as ours in the same round it took.
    var ratios: [Double] = []
  }

  var title: String
  var contenders: [Contender]
  /// Programs that take this many seconds are run in the first rounds only.
  private static let slow = 10.0
  /// Programs that take less are run twice in a row: what they read is in memory then, their own code
  /// included, whatever ran before them.
  private static let quick = 5.0

  /// Runs all in turns.
  ///
  /// - Parameters:
  ///   - rounds: How often ours is run.
  ///   - slowRounds: How often slow ones are.
  /// - Returns: What was measured of each.
  /// - Throws: `Program.Failure` if one fails.
  func run(rounds: Int, slowRounds: Int) throws -> [Role: Result] {
    var results: [Role: Result] = [:]
    for round in 0..<rounds {
      var times: [Role: Double] = [:]
      for contender in contenders {
        if round >= slowRounds, let first = results[contender.role]?.runs.first,
          first.wall > Self.slow, contender.role != .ours
        {
          continue
        }
        let measured = try contender.measure()
        results[contender.role, default: Result()].runs.append(measured)
        times[contender.role] = measured.wall
      }
      guard let ours = times[.ours] else { continue }
      for (role, time) in times { results[role]?.ratios.append(time / ours) }
    }
    return results
  }
}
