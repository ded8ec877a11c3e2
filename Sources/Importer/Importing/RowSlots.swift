import ArchiveReader
import Foundation

/// What the attributes of a row hold until it is written.
///
/// Usual values stand in cells of one size; the bytes of texts and of data in one run of memory behind
/// them. So nothing is allocated for a value, and a row that is written makes room for the next.
/// Whatever else there is has a `DestinationInstance.Slot` beside.
///
/// Whoever owns it has to `deallocate` it.
struct RowSlots {
  /// What a cell holds.
  enum Kind: UInt8 {
    case unset, null, bool, integer, real, date, decimal, uuid, text, url, data
    /// What has a slot of its own.
    case other
  }

  /// A value: numbers as their bits, texts and data as their place and size in `bytes`.
  private struct Cell {
    var kind = Kind.unset
    /// The second half of what takes more than sixteen bytes.
    var rest: UInt32 = 0
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  /// How many attributes there are.
  private(set) var count: Int
  /// A pointer, since an array would be checked for other owners at each value: `count` cells.
  private var cells: UnsafeMutablePointer<Cell>
  /// The bytes of texts and data: the first `used` of `capacity`.
  private var bytes: UnsafeMutableRawPointer?
  private var capacity = 0
  private var used = 0
  /// The slots of other values; none as long as there was none.
  private var others: [DestinationInstance.Slot] = []
  private var hasOthers = false

  /// Longer texts and data have slots of their own: they are not worth copying.
  private static let longest = 4_096
  /// How much memory is kept for the others.
  private static let mostBytes = 1 << 16

  init(count: Int) {
    self.count = count
    cells = .allocate(capacity: count)
    cells.initialize(repeating: Cell(), count: count)
  }

  /// Gives the memory up.
  func deallocate() {
    cells.deallocate()
    bytes?.deallocate()
  }

  /// Makes all attributes unset again.
  mutating func reset() {
    cells.update(repeating: Cell(), count: count)
    used = 0
    if hasOthers {
      for number in others.indices { others[number] = .unset }
      hasOthers = false
    }
  }

  /// Makes room for another number of attributes; those that there are keep their values.
  mutating func resize(to count: Int) {
    let larger = UnsafeMutablePointer<Cell>.allocate(capacity: count)
    larger.initialize(repeating: Cell(), count: count)
    larger.update(from: cells, count: min(count, self.count))
    cells.deallocate()
    if !others.isEmpty {
      others = (0..<count).map { $0 < others.count ? others[$0] : .unset }
    }
    (cells, self.count) = (larger, count)
  }

  // MARK: Values

  /// What an attribute holds.
  @inline(__always)
  func kind(_ number: Int) -> Kind { number < count ? cells[number].kind : .unset }

  /// What an attribute holds, whatever form it has.
  subscript(number: Int) -> DestinationInstance.Slot {
    get {
      guard number < count else { return .unset }
      let cell = cells[number]
      switch cell.kind {
      case .unset: return .unset
      case .null: return .value(.null)
      case .bool: return .value(.bool(cell.first != 0))
      case .integer: return .value(.integer(Int64(bitPattern: cell.first)))
      case .real: return .value(.real(Double(bitPattern: cell.first)))
      case .date: return .value(.date(date(cell)))
      case .decimal: return .value(.decimal(decimal(cell)))
      case .uuid: return .value(.uuid(uuid(cell)))
      case .text: return .value(.text(text(cell)))
      case .url: return .value(.url(text(cell)))
      case .data: return .value(.data(Data(run(cell, in: bytes))))
      case .other: return others[number]
      }
    }
    set {
      switch newValue {
      case .unset: setCell(number, Cell())
      case .value(let value): set(number, value)
      case .archived: setOther(number, newValue)
      }
    }
  }

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

  // MARK: Memory

  @inline(__always)
  private mutating func setCell(_ number: Int, _ cell: Cell) {
    guard number < count else { return }
    cells[number] = cell
  }

  private mutating func setOther(_ number: Int, _ slot: DestinationInstance.Slot) {
    guard number < count else { return }
    if others.isEmpty { others = Array(repeating: .unset, count: count) }
    others[number] = slot
    hasOthers = true
    cells[number] = Cell(kind: .other)
  }

  /// Copies the bytes of a value; returns false if there are too many.
  private mutating func put(_ number: Int, _ source: UnsafeRawBufferPointer, _ kind: Kind) -> Bool {
    guard source.count <= Self.longest, source.count <= Self.mostBytes - used else { return false }
    if bytes == nil || source.count > capacity - used { grow(to: used + source.count) }
    guard let bytes else { return false }
    if let start = source.baseAddress {
      (bytes + used).copyMemory(from: start, byteCount: source.count)
    }
    setCell(
      number,
      Cell(
        kind: kind, first: UInt64(truncatingIfNeeded: used),
        second: UInt64(truncatingIfNeeded: source.count)))
    used += source.count
    return true
  }

  private mutating func grow(to size: Int) {
    var larger = max(512, capacity)
    while larger < size { larger *= 2 }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    if let bytes {
      memory.copyMemory(from: bytes, byteCount: used)
      bytes.deallocate()
    }
    (bytes, capacity) = (memory, larger)
  }

  /// The bytes of a text or of data, in their memory or in a copy of it.
  private func run(_ cell: Cell, in memory: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory.map { $0 + Int(truncatingIfNeeded: cell.first) },
      count: Int(truncatingIfNeeded: cell.second))
  }

  private func text(_ cell: Cell) -> String { String(decoding: run(cell, in: bytes), as: UTF8.self) }

  private func date(_ cell: Cell) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: cell.first))
  }

  private func uuid(_ cell: Cell) -> UUID {
    withUnsafeBytes(of: (cell.first, cell.second)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  private func decimal(_ cell: Cell) -> Decimal {
    withUnsafeBytes(of: (cell.first, cell.second, cell.rest)) {
      $0.loadUnaligned(as: Decimal.self)
    }
  }
}

// MARK: - Writing

extension RowSlots {
  // Neither of these changes anything: slots that may be changed are not copied for the call.

  /// The next attribute, from one on, whose value is not written as it stands; nil behind the last.
  mutating func nextUnusual(from first: Int, _ usual: [EntityShape.UsualValue]) -> Int? {
    var number = first
    while number < min(usual.count, count) {
      if !usual[number].takes(cells[number].kind) { return number }
      number += 1
    }
    return nil
  }

  /// Sets the columns of a row to what attributes hold, from one on, as the relational layout stores
  /// it; returns the next one that has a slot of its own, if there is one.
  mutating func write(
    from first: Int, _ usual: [EntityShape.UsualValue], to row: RowBuffer
  ) -> Int? {
    // Texts and data are copied at once.
    let copy = row.scratch(used)
    if let bytes { copy.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: used)) }
    var number = first
    while number < min(usual.count, count) {
      let (column, cell) = (usual[number].column, cells[number])
      number += 1
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
        withUnsafeBytes(of: (cell.first, cell.second)) { row.set(column, uuid: $0) }
      case .text, .url:
        row.set(column, inPlace: run(cell, in: copy.baseAddress), isText: true)
      case .data:
        row.set(column, inPlace: run(cell, in: copy.baseAddress), isText: false)
      case .other:
        return number - 1
      }
    }
    return nil
  }
}
