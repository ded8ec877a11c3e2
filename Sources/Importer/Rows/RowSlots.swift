import ArchiveReader
import Foundation
import GraphCore

/// The values of a row's attributes until it is written.
///
/// Usual values stand in cells of one size; the bytes of texts and of data in one run of memory
/// after them. So nothing is allocated for a value, and a row that is written makes room for the
/// next. Any other value is kept in a separate slot.
///
/// Not copyable, since there is one owner of the memory.
struct RowSlots: ~Copyable {
  /// A value: numbers as their bits, texts and data as their place and size in `bytes`.
  struct Cell {
    var kind = SlotKind.unset
    /// The second half of what takes more than sixteen bytes.
    var rest: UInt32 = 0
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  /// The value of an attribute until the row is written.
  enum Slot {
    case unset
    case value(ImportValue)
    /// A value that is bound straight from the archive.
    case archived(GraphValue)

    /// True if it is nothing, whoever said so.
    var isNothing: Bool {
      switch self {
      case .unset: true
      case .value(let value): value.isNull
      case .archived(let value): value.isNothing
      }
    }
  }

  private(set) var cells: Cells
  private(set) var bytes = Bytes()
  /// The slots of other values; none as long as there was none.
  private var others: [Slot] = []
  private var hasOthers = false

  /// Longer texts and data have slots of their own: they are not worth copying.
  private static let longest = 4_096
  /// The greatest number of bytes for the other texts and data, together.
  private static let maxBytes = 1 << 16

  init(count: Int) { cells = Cells(count: count) }

  /// The number of attributes.
  var count: Int { cells.count }

  /// Makes all attributes unset again.
  mutating func reset() {
    cells.reset()
    bytes.reset()
    if hasOthers {
      for index in others.indices { others[index] = .unset }
      hasOthers = false
    }
  }

  /// Makes room for another number of attributes; those that there are keep their values.
  mutating func resize(to count: Int) {
    cells = cells.resized(to: count)
    if !others.isEmpty {
      others = (0..<count).map { $0 < others.count ? others[$0] : .unset }
    }
  }

  // MARK: Values

  /// The kind of value that an attribute holds.
  @inline(__always)
  func kind(_ index: Int) -> SlotKind { index < count ? cells[index].kind : .unset }

  /// The value that an attribute holds, whatever form it has.
  subscript(index: Int) -> Slot {
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
      case .data: return .value(.data(run(cell, in: bytes.all).data))
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

  mutating func setOther(_ index: Int, _ slot: Slot) {
    guard index < count else { return }
    if others.isEmpty { others = Array(repeating: .unset, count: count) }
    others[index] = slot
    hasOthers = true
    cells[index] = Cell(kind: .other)
  }

  /// Copies the bytes of a value; returns false if there are too many.
  mutating func put(_ index: Int, _ source: BorrowedBytes, _ kind: SlotKind) -> Bool {
    let count = source.count
    guard count <= Self.longest, count <= Self.maxBytes - bytes.count else { return false }
    let place = bytes.add(source)
    setCell(
      index,
      Cell(
        kind: kind, first: UInt64(truncatingIfNeeded: place),
        second: UInt64(truncatingIfNeeded: count)))
    return true
  }

  /// The bytes of a text or of data, among those of all or in a copy of these.
  func run(_ cell: Cell, in bytes: BorrowedBytes) -> BorrowedBytes {
    let place = Int(truncatingIfNeeded: cell.first)
    return bytes.part(place..<place + Int(truncatingIfNeeded: cell.second))
  }

  private func text(_ cell: Cell) -> String {
    unsafe String(decoding: run(cell, in: bytes.all).buffer, as: UTF8.self)
  }

  private func date(_ cell: Cell) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: cell.first))
  }

  private func uuid(_ cell: Cell) -> UUID {
    unsafe withUnsafeBytes(of: (cell.first, cell.second)) {
      unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  func decimal(_ cell: Cell) -> Decimal {
    unsafe withUnsafeBytes(of: (cell.first, cell.second, cell.rest)) {
      unsafe $0.loadUnaligned(as: Decimal.self)
    }
  }
}
