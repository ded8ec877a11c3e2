import Foundation

/// How many mutations of each archive the tests try.
package enum MutationCount {
  /// As `CONVERT_MUTATIONS` says, or else as many as take seconds; every day a quarter of these.
  ///
  /// - Parameters:
  ///   - usual: How many without the variable where all is tried.
  ///   - share: For tests that are slower: the part of the variable's number that they try.
  /// - Returns: The number.
  package static func perFile(usual: Int, share: Double = 1) -> Int {
    let text = ProcessInfo.processInfo.environment["CONVERT_MUTATIONS"]
    guard let asked = text.flatMap({ Int($0) }), asked > 0 else {
      return Thoroughness.isWhole ? usual : (usual + 3) / 4
    }
    return max(1, Int(Double(asked) * share))
  }
}
