import Foundation

extension RowSlots {
  /// Sets an attribute to a value.
  mutating func set(_ number: Int, _ value: ImportValue) {
    switch value {
    case .null: setCell(number, Cell(kind: .null))
    case .bool(let value): set(number, value)
    case .integer(let value): set(number, value)
    case .real(let value): set(number, value)
    case .date(let value): set(number, value)
    case .decimal(let value): set(number, value)
    case .uuid(let value): set(number, value)
    case .text(let text): set(number, text, .text)
    case .url(let text): set(number, text, .url)
    case .data(let data): set(number, data)
    case .foundation, .row, .list, .set, .dictionary: setOther(number, .value(value))
    }
  }

  mutating func setNull(_ number: Int) { setCell(number, Cell(kind: .null)) }

  mutating func set(_ number: Int, _ value: Bool) {
    setCell(number, Cell(kind: .bool, first: value ? 1 : 0))
  }

  mutating func set(_ number: Int, _ value: Int64) {
    setCell(number, Cell(kind: .integer, first: UInt64(bitPattern: value)))
  }

  mutating func set(_ number: Int, _ value: Double) {
    setCell(number, Cell(kind: .real, first: value.bitPattern))
  }

  mutating func set(_ number: Int, _ value: Date) {
    setCell(number, Cell(kind: .date, first: value.timeIntervalSinceReferenceDate.bitPattern))
  }

  mutating func set(_ number: Int, _ value: UUID) {
    let (first, second) = withUnsafeBytes(of: value.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    setCell(number, Cell(kind: .uuid, first: first, second: second))
  }

  mutating func set(_ number: Int, _ value: Decimal) {
    // Twenty bytes, of which nothing has to be known.
    guard MemoryLayout<Decimal>.size == 20 else { return setOther(number, .value(.decimal(value))) }
    var cell = Cell(kind: .decimal)
    withUnsafeBytes(of: value) { bytes in
      cell.first = bytes.loadUnaligned(as: UInt64.self)
      cell.second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      cell.rest = bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
    }
    setCell(number, cell)
  }

  /// Sets an attribute to a text, or to that of a URL.
  mutating func set(_ number: Int, _ text: String, _ kind: Kind) {
    let isSet = text.utf8.withContiguousStorageIfAvailable { bytes in
      put(number, UnsafeRawBufferPointer(bytes), kind)
    }
    if isSet != true { setOther(number, .value(kind == .url ? .url(text) : .text(text))) }
  }

  mutating func set(_ number: Int, _ data: Data) {
    let isSet = data.withUnsafeBytes { put(number, $0, .data) }
    if !isSet { setOther(number, .value(.data(data))) }
  }
}
