import ArchiveReader
import Foundation

/// What the attributes of a row hold until it is written.
///
/// Usual values stand in cells of one size; the bytes of texts and of data in one run of memory
/// after them. So nothing is allocated for a value, and a row that is written makes room for the
/// next. Whatever else there is has a `RowInstance.Slot` beside.
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
  struct Cell {
    var kind = Kind.unset
    /// The second half of what takes more than sixteen bytes.
    var rest: UInt32 = 0
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  /// How many attributes there are.
  private(set) var count: Int
  /// A pointer, since an array would be checked for other owners at each value: `count` cells.
  private(set) var cells: UnsafeMutablePointer<Cell>
  /// The bytes of texts and data: the first `used` of `capacity`.
  private(set) var bytes: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var used = 0
  /// The slots of other values; none as long as there was none.
  private var others: [RowInstance.Slot] = []
  private var hasOthers = false

  /// Longer texts and data have slots of their own: they are not worth copying.
  private static let longest = 4_096
  /// How much memory is kept for the others.
  private static let maxBytes = 1 << 16

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
      for index in others.indices { others[index] = .unset }
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
  func kind(_ index: Int) -> Kind { index < count ? cells[index].kind : .unset }

  /// What an attribute holds, whatever form it has.
  subscript(index: Int) -> RowInstance.Slot {
    get {
      guard index < count else { return .unset }
      let cell = cells[index]
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
      case .other: return others[index]
      }
    }
    set {
      switch newValue {
      case .unset: setCell(index, Cell())
      case .value(let value): set(index, value)
      case .archived: setOther(index, newValue)
      }
    }
  }

  // MARK: Memory

  @inline(__always)
  mutating func setCell(_ index: Int, _ cell: Cell) {
    guard index < count else { return }
    cells[index] = cell
  }

  mutating func setOther(_ index: Int, _ slot: RowInstance.Slot) {
    guard index < count else { return }
    if others.isEmpty { others = Array(repeating: .unset, count: count) }
    others[index] = slot
    hasOthers = true
    cells[index] = Cell(kind: .other)
  }

  /// Copies the bytes of a value; returns false if there are too many.
  mutating func put(_ index: Int, _ source: UnsafeRawBufferPointer, _ kind: Kind) -> Bool {
    guard source.count <= Self.longest, source.count <= Self.maxBytes - used else { return false }
    if bytes == nil || source.count > capacity - used { grow(to: used + source.count) }
    guard let bytes else { return false }
    if let start = source.baseAddress {
      (bytes + used).copyMemory(from: start, byteCount: source.count)
    }
    setCell(
      index,
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
  func run(_ cell: Cell, in memory: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory.map { $0 + Int(truncatingIfNeeded: cell.first) },
      count: Int(truncatingIfNeeded: cell.second))
  }

  private func text(_ cell: Cell) -> String {
    String(decoding: run(cell, in: bytes), as: UTF8.self)
  }

  private func date(_ cell: Cell) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: cell.first))
  }

  private func uuid(_ cell: Cell) -> UUID {
    withUnsafeBytes(of: (cell.first, cell.second)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  func decimal(_ cell: Cell) -> Decimal {
    withUnsafeBytes(of: (cell.first, cell.second, cell.rest)) {
      $0.loadUnaligned(as: Decimal.self)
    }
  }
}
