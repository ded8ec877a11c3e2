import Foundation

/// How much the tests of mutations, random cases, changed stores and real archives try.
package enum Thoroughness {
  /// Whether they try all of it, as `CONVERT_TESTS=whole` says where each commit is checked.
  ///
  /// Else each kind of case is tried, but not each case.
  package static let isWhole =
    ProcessInfo.processInfo.environment["CONVERT_TESTS"] == "whole"

  /// All cases, or every so many of them.
  ///
  /// - Parameters:
  ///   - cases: The cases.
  ///   - share: How many there are for each that is tried.
  ///   - first: Where to begin, so that several tests of the same cases share these among them.
  /// - Returns: The cases to try.
  package static func some<Case>(
    _ cases: [Case], oneIn share: Int, from first: Int = 0
  ) -> [Case] {
    isWhole ? cases : stride(from: first % share, to: cases.count, by: share).map { cases[$0] }
  }
}
