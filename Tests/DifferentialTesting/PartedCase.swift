import Foundation

/// A case that is made smaller by leaving parts of it out.
package protocol PartedCase: Sendable, CustomStringConvertible {
  associatedtype Part: Sendable

  /// What may be left out.
  var parts: [Part] { get set }

  /// Runs the case; returns what is wrong.
  ///
  /// - Throws: What keeps a test from being made, such as a file that cannot be written.
  func findings() throws -> [Finding]

  /// Writes the files of the case into an empty folder.
  func write(into folder: String) throws
}

extension PartedCase {
  /// The case without the parts that a finding does not need.
  func smallest(with finding: Finding) -> Self {
    var best = self
    for place in parts.indices.reversed() {
      var smaller = best
      smaller.parts.remove(at: place)
      let found = (try? smaller.findings()) ?? []
      if found.contains(where: { $0.isLike(finding) }) { best = smaller }
    }
    return best
  }
}
