/// Counts the objects of one archive, and tells somebody every so many.
package struct ObjectTicker {
  /// The number of objects between two calls: few enough for a bar to move, and so many that it
  /// costs nothing.
  package static let interval = 1 << 14

  /// The progress of a walk over an archive.
  package struct Count: Sendable {
    /// The number of objects since the last call.
    package var new: Int
    /// The number of objects in all.
    package var total: Int
    /// The share of the archive that is done, from 0 to 1; nil if the walk does not know.
    package var share: Double?
  }

  @usableFromInline let report: (@Sendable (Count) -> Void)?
  @usableFromInline var count = 0
  private var total = 0
  /// The share of the archive that is done, for the next call: to be set where it `isDue`.
  package var share: Double?

  /// A ticker that calls a function every so many objects; none if nobody wants to know.
  package init(_ report: (@Sendable (Count) -> Void)?) { self.report = report }

  /// True if the next object leads to a call.
  @inlinable
  package var isDue: Bool { count == Self.interval - 1 && report != nil }

  /// Counts an object.
  @inlinable
  package mutating func tick() {
    count += 1
    if count == Self.interval { end() }
  }

  /// Tells what was counted since.
  package mutating func end() {
    total += count
    if count > 0 { report?(Count(new: count, total: total, share: share)) }
    count = 0
  }
}
