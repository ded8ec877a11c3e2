import Support
import Synchronization

/// The columns of a store whose values Core Data keeps in another form, and what is lost on the way
/// into them.
///
/// Statements convert the values: rows go from one layout into the other inside of SQLite.
final class CoreDataForms: Sendable {
  /// A column whose values have another form.
  struct Column: Sendable {
    var form: CoreDataForm
    /// The entity and the property whose values they are.
    var entity: String
    var property: String
    /// The table of the relational layout, by its index there; -1 for one of elements, and for the
    /// bookkeeping.
    var source: Int
    /// The name of that table.
    var sourceName: String
    /// The table of Core Data's layout, by its index there, and the column.
    var table: Int
    var target: Int
  }

  /// Where a value is: the column, by its number, and the row.
  struct Place: Hashable {
    var number: Int
    var row: Int64
  }

  /// What was lost of a value on the way.
  struct Loss {
    /// The value before and after, as a report shows them.
    var before: String
    var after: String
    /// What the store has.
    var stored: StoredValue
  }

  /// What was lost in all columns.
  struct Losses {
    /// Those that can be listed: of a value that was set several times, the last.
    var listed: [Place: Loss] = [:]
    /// The others: for each column, by its number, how many.
    var counts: [Int: Int] = [:]
  }

  let columns: [Column]
  private let numbers: [Key: Int]
  private let maxListed: Int
  private let losses = Mutex(Losses())

  private struct Key: Hashable {
    var table: Int
    var target: Int
  }

  /// - Parameters:
  ///   - columns: The columns, each of which gets its index as its number.
  ///   - maxListed: How many losses can be listed, at most.
  init(_ columns: [Column], maxListed: Int) {
    self.columns = columns
    self.maxListed = maxListed
    numbers = Dictionary(
      columns.enumerated().map { (Key(table: $1.table, target: $1.target), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number of a column; nil if its values have the same form in both layouts.
  func number(ofColumn target: Int, in table: Int) -> Int? {
    numbers[Key(table: table, target: target)]
  }

  /// The function that gives Core Data's form of a value: its arguments are the number of the
  /// column, the key of the row, and the value.
  static let toCoreData = "core_data_value"
  /// The function that gives the relational form: its arguments are the number of the column, and
  /// the value.
  static let toRelational = "relational_value"

  /// Gives the statements of a connection both functions.
  func add(to database: Database) throws(StoreError) {
    try database.addFunction(Self.toCoreData, argumentCount: 3) { [self] call in
      let number = Int(call.integer(0))
      return call.text(2).flatMap { columns[number].form.value(ofUsual: $0) }
        ?? coreDataValue(number, row: call.integer(1), call[2])
    }
    try database.addFunction(Self.toRelational, argumentCount: 2) { [columns] call in
      columns[Int(call.integer(0))].form.relationalValue(call[1])
    }
  }

  private func coreDataValue(_ number: Int, row: Int64, _ value: StoredValue) -> StoredValue {
    var lost: (before: String, after: String)?
    let stored = columns[number].form.value(value) { lost = ($0, $1) }
    if let lost {
      losses.withLock { losses in
        guard losses.listed.count < maxListed else {
          losses.counts[number, default: 0] += 1
          return
        }
        losses.listed[Place(number: number, row: row)] = Loss(
          before: lost.before, after: lost.after, stored: stored)
      }
    }
    return stored
  }

  /// Takes what was lost.
  func takeLosses() -> Losses {
    losses.withLock { losses in
      defer { losses = Losses() }
      return losses
    }
  }

  /// Whether one value is reported before another: in the order of tables, rows and columns.
  func isOrdered(_ one: Place, before other: Place) -> Bool {
    (columns[one.number].table, one.row, one.number)
      < (columns[other.number].table, other.row, other.number)
  }
}
