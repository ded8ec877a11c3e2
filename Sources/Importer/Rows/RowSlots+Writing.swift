import Foundation
import GraphCore

extension RowSlots {
  /// The next attribute, from one on, whose value is not written as it stands; nil after the last.
  func nextUnusual(from first: Int, _ usual: [EntityShape.UsualValue]) -> Int? {
    var index = first
    while index < min(usual.count, count) {
      if !usual[index].takes(cells[index].kind) { return index }
      index += 1
    }
    return nil
  }

  /// Sets the columns of a row to what attributes hold, from one on, as the relational layout
  /// stores it; returns the next one that has a slot of its own, if there is one.
  func write(
    from first: Int, _ usual: [EntityShape.UsualValue], to row: RowBuffer
  ) -> Int? {
    // Texts and data are copied at once.
    let copy = row.copy(bytes.all)
    var index = first
    while index < min(usual.count, count) {
      let (column, cell) = (usual[index].column, cells[index])
      index += 1
      guard column >= 0 else { continue }
      switch cell.kind {
      case .unset, .null:
        break
      case .bool, .integer:
        row.set(column, Int64(bitPattern: cell.first))
      case .real:
        row.set(column, real: Double(bitPattern: cell.first))
      case .date:
        row.set(column, secondsSince2001: Double(bitPattern: cell.first))
      case .decimal:
        row.set(column, decimal(cell))
      case .uuid:
        unsafe withUnsafeBytes(of: (cell.first, cell.second)) {
          unsafe row.set(column, uuid: BorrowedBytes($0))
        }
      case .text, .url:
        row.set(column, inPlace: run(cell, in: copy), isText: true)
      case .data:
        row.set(column, inPlace: run(cell, in: copy), isText: false)
      case .other:
        return index - 1
      }
    }
    return nil
  }
}
