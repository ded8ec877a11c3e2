/// What is wrong with a conversion of a case.
package struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// Which way was gone, or what kind of case it is; nil if no test could be made.
  package var way: String?
  /// What kind of mistake it is, in few words, the same for all cases of its kind.
  package var kind: String
  /// What it is about in the case at hand.
  package var detail: String

  package var description: String { "\(way ?? "test"): \(kind): \(detail)" }

  /// Whether two findings are of the same kind.
  package func isLike(_ other: Finding) -> Bool { way == other.way && kind == other.kind }
}
