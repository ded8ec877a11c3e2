import DataModel
import Foundation
import GraphCore
import Mappings
import Stores
import Synchronization

/// The changes that somebody has made to the rows of an archive since they were written.
///
/// A verification that is given one collects there what would else be differences.
package final class StoreEdits: Sendable {
  /// The id of the archive.
  package let archive: Int64
  private let state = Mutex(State())

  /// A row, by its table among those of the plan, and the object that it was.
  struct Row: Hashable, Sendable {
    var table: Int
    var id: Int64
    var uid: Int
  }

  /// A collection whose elements are others, by its table among those of the plan; nil for one that
  /// has a row of its own.
  struct Elements: Hashable, Sendable {
    var table: Int?
    var owner: Int64
    var uid: Int
    /// True if the owner is the member of the table's own collections.
    var isInverse: Bool
  }

  struct State: Sendable {
    /// The columns that hold something else, by their rows.
    var cells: [Row: [Int]] = [:]
    var removed: Set<Row> = []
    var elements: Set<Elements> = []
    /// The rows after those that the archives became.
    var added: [String: [Int64]] = [:]

    /// The cells in the order of their rows.
    var sortedCells: [(key: Row, value: [Int])] {
      cells.sorted { ($0.key.table, $0.key.id) < ($1.key.table, $1.key.id) }
    }

    var isEmpty: Bool {
      cells.isEmpty && removed.isEmpty && elements.isEmpty && added.isEmpty
    }
  }

  /// The rows that those of the store were compared with.
  ///
  /// Unchecked: it is set by the thread that has compared them, and read after that.
  private struct Compared: @unchecked Sendable {
    var rows: ExpectedRows?
  }
  private let compared = Mutex(Compared())

  /// - Parameter archive: The id of the archive.
  package init(ofArchive archive: Int64) { self.archive = archive }

  /// Forgets everything: the comparison begins again.
  package func reset() {
    state.withLock { $0 = State() }
    compared.withLock { $0.rows = nil }
  }

  /// True if there is none.
  package var isEmpty: Bool { all.isEmpty }

  var all: State { state.withLock(\.self) }
  var expectedRows: ExpectedRows? { compared.withLock(\.rows) }

  func note(cell column: Int, of row: Row) {
    state.withLock { $0.cells[row, default: []].append(column) }
  }

  func note(removed row: Row) { state.withLock { _ = $0.removed.insert(row) } }
  func note(_ elements: Elements) { state.withLock { _ = $0.elements.insert(elements) } }

  func note(added id: Int64, to table: String) {
    state.withLock { $0.added[table, default: []].append(id) }
  }

  /// Keeps what the rows of the archive were compared with.
  func keep(_ rows: ExpectedRows, ofArchive id: Int64) {
    guard id == archive else { return }
    let kept = Compared(rows: rows)
    compared.withLock { $0 = kept }
  }
}

extension ArchiveVerifier {
  /// Finds out if a cell that is not as it was written means something else: a date may be spelled
  /// in another way, a whole number be among reals, and a count or a type be left behind.
  ///
  /// - Parameters:
  ///   - column: The column of the cell.
  ///   - table: The table.
  ///   - expected: The value that was written.
  ///   - found: The cells of the row, by their columns.
  /// - Returns: True if it is an edit.
  func isEdit(
    _ column: Int, of table: Int, _ expected: ExpectedValue, _ found: (Int) -> StoredValue
  ) -> Bool {
    let cell = found(column)
    if case .archived(let value) = expected {
      switch (value, cell) {
      case (.real(let real), .integer(let whole)): return Int64(exactly: real) != whole
      case (.date(let seconds), .text(let text)):
        return ISO8601Text.date(text)?.timeIntervalSinceReferenceDate != seconds
      case (.uuid(let bytes), .text(let text)):
        return UUIDText.text(bytes) != text.uppercased()
      default: return true
      }
    }
    for entity in plan.layout.entities.indices where plan.layout.entities[entity].table == table {
      for storage in run.properties[entity].map(\.storage) {
        if storage.count == column { return cell == .null || expected.isNothing }
        // The type of no reference says nothing.
        if storage.referenceType == column, let reference = storage.reference {
          return found(reference) != .null
        }
      }
    }
    return true
  }
}
