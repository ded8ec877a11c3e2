import Foundation
import GraphCore

extension RowSlots {
  /// Sets an attribute to a value.
  mutating func set(_ index: Int, _ value: ImportValue) {
    switch value {
    case .null: setCell(index, Cell(kind: .null))
    case .bool(let value): set(index, value)
    case .integer(let value): set(index, value)
    case .real(let value): set(index, value)
    case .date(let value): set(index, value)
    case .decimal(let value): set(index, value)
    case .uuid(let value): set(index, value)
    case .text(let text): set(index, text, .text)
    case .url(let text): set(index, text, .url)
    case .data(let data): set(index, data)
    case .foundation, .row, .list, .set, .dictionary: setOther(index, .value(value))
    }
  }

  mutating func setNull(_ index: Int) { setCell(index, Cell(kind: .null)) }

  mutating func set(_ index: Int, _ value: Bool) {
    setCell(index, Cell(kind: .bool, first: value ? 1 : 0))
  }

  mutating func set(_ index: Int, _ value: Int64) {
    setCell(index, Cell(kind: .integer, first: UInt64(bitPattern: value)))
  }

  mutating func set(_ index: Int, _ value: Double) {
    // Whether it is written as it stands depends on the column.
    guard !RealColumn.changes(value) else { return setOther(index, .value(.real(value))) }
    setCell(index, Cell(kind: .real, first: value.bitPattern))
  }

  mutating func set(_ index: Int, _ value: Date) {
    setCell(index, Cell(kind: .date, first: value.timeIntervalSinceReferenceDate.bitPattern))
  }

  mutating func set(_ index: Int, _ value: UUID) {
    let (first, second) = unsafe withUnsafeBytes(of: value.uuid) {
      unsafe (
        $0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
    setCell(index, Cell(kind: .uuid, first: first, second: second))
  }

  mutating func set(_ index: Int, _ value: Decimal) {
    // Twenty bytes, of which nothing has to be known.
    guard MemoryLayout<Decimal>.size == 20 else { return setOther(index, .value(.decimal(value))) }
    var cell = Cell(kind: .decimal)
    unsafe withUnsafeBytes(of: value) { bytes in
      cell.first = unsafe bytes.loadUnaligned(as: UInt64.self)
      cell.second = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      cell.rest = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
    }
    setCell(index, cell)
  }

  /// Sets an attribute to a text, or to that of a URL.
  mutating func set(_ index: Int, _ text: String, _ kind: SlotKind) {
    let isSet = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe put(index, BorrowedBytes(.init(bytes)), kind)
    }
    if isSet != true { setOther(index, .value(kind == .url ? .url(text) : .text(text))) }
  }

  mutating func set(_ index: Int, _ data: Data) {
    let isSet = unsafe data.withUnsafeBytes { unsafe put(index, BorrowedBytes($0), .data) }
    if !isSet { setOther(index, .value(.data(data))) }
  }
}

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
