internal import CSQLite
import Stores

/// The rows of a statement, read in blocks: for statements with few columns, of integers as a rule.
final class RowScan {
  private let statement: Statement
  private let columnCount: Int
  private let memory = RowBlock.Memory(64 << 10)
  private var block: RowBlock
  private var rank = 0
  private var isAtEnd = false
  private var isWaiting = false
  /// Damage behind the rows of the block, which come first.
  private var failure: StoreError?

  /// Begins with the rows of a statement that has been bound.
  init(_ statement: Statement) {
    self.statement = statement
    columnCount = statement.columnCount
    block = RowBlock(firstRank: 0, columnCount: columnCount, rows: .max, in: memory)
  }

  deinit { statement.end() }

  /// The cells of the next row, which stay until the one after it is asked for; nil at the end.
  func next() throws(StoreError) -> StoredRow? {
    while true {
      if let row = block.row(rank) {
        rank += 1
        return row
      }
      if let failure { throw failure }
      guard !isAtEnd else { return nil }
      block = RowBlock(firstRank: rank, columnCount: columnCount, rows: .max, in: memory)
      do throws(StoreError) {
        let (result, _) = try block.fill(from: statement, isWaiting: isWaiting)
        isWaiting = result == csq_fill_waiting
        isAtEnd = result == csq_fill_end
        // Large texts are in no column that is scanned.
        if result == nil || (isWaiting && block.row(rank) == nil) {
          throw StoreError(.unreadable, path: "", reason: "a key is not an integer")
        }
      } catch {
        failure = error
      }
    }
  }
}
