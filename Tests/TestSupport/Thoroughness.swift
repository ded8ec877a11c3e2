import Foundation

/// How much the tests of mutations, random cases and real archives try.
package enum Thoroughness {
  /// Whether they try all of it, as `CONVERT_TESTS=whole` says where each commit is checked.
  ///
  /// Else each kind of case is tried, but not each case.
  package static let isWhole =
    ProcessInfo.processInfo.environment["CONVERT_TESTS"] == "whole"

  /// All cases, or every so many of them, the first included.
  package static func some<Case>(_ cases: [Case], oneIn share: Int) -> [Case] {
    isWhole ? cases : stride(from: 0, to: cases.count, by: share).map { cases[$0] }
  }
}
