import Stores

/// Values of which something was lost on the way into the form of their columns.
package struct FormLosses: Sendable {
  /// A cell, by the table, the column and the key of the row.
  package struct Place: Hashable, Sendable {
    package var table: String
    package var column: Int
    package var row: Int64
  }

  package struct Loss: Sendable {
    /// The value before and after, as a report shows them.
    package var before: String
    package var after: String
    /// The value that the column keeps.
    var stored: StoredValue
  }

  /// The losses that can be listed: of a value that was set several times, the last.
  package internal(set) var listed: [Place: Loss] = [:]
  /// The number of the others, by column; the row says nothing.
  package private(set) var counts: [Place: Int] = [:]
  private let maxListed: Int

  init(maxListed: Int) { self.maxListed = maxListed }

  mutating func add(_ loss: Loss, at place: Place) {
    guard listed.count < maxListed else {
      counts[Place(table: place.table, column: place.column, row: 0), default: 0] += 1
      return
    }
    listed[place] = loss
  }
}
