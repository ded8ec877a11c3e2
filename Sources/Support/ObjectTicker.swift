/// Counts the objects of one archive, and tells somebody every so many.
package struct ObjectTicker {
  /// How many objects go by between two calls: few enough for a bar to move, and so many that it
  /// costs nothing.
  @usableFromInline static let interval = 1 << 14

  private let report: (@Sendable (Int) -> Void)?
  @usableFromInline var count = 0

  /// A ticker that calls a function with the number of objects since the last time; none if nobody
  /// wants to know.
  package init(_ report: (@Sendable (Int) -> Void)?) { self.report = report }

  /// Counts an object.
  @inlinable
  package mutating func tick() {
    count += 1
    if count == Self.interval { end() }
  }

  /// Tells what was counted since.
  package mutating func end() {
    if count > 0 { report?(count) }
    count = 0
  }
}
