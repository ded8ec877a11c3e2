import ArchiveReader
import GraphCore

/// Opens the archives in the values of rows for a graph, and keeps those that were read last.
final class CellReader {
  private let rows: SQLiteStoreGraph
  private let limits: ReadingLimits
  private let positions: PositionRules
  private let salvages: Bool
  /// The archives that are open, by their indexes, and when they were used last.
  private var open: [Int: (archive: KeyedArchive, lastUse: Int)] = [:]
  /// The open ones, in the order in which they were opened.
  private var order: [Int] = []
  private var first = 0
  /// The number of objects that were read.
  private var time = 0

  /// Creates a reader.
  init(
    _ rows: SQLiteStoreGraph, _ limits: ReadingLimits, _ positions: PositionRules, salvages: Bool
  ) {
    (self.rows, self.limits, self.positions, self.salvages) = (rows, limits, positions, salvages)
  }

  /// Notes that an object is read: the bytes of the values of the last ones stay.
  func tick() { time += 1 }

  /// An archive.
  ///
  /// - Throws: `ArchiveError` if it cannot be read any more.
  func archive(_ index: Int, _ archives: CellArchives) throws(ArchiveError) -> KeyedArchive {
    if let known = open[index] {
      open[index] = (known.archive, time)
      return known.archive
    }
    let cell = archives.cells[index]
    let bytes: ByteStorage
    if cell.outer >= 0 {
      let place = ByteRange(offset: Int(cell.offset), count: Int(cell.size))
      bytes = try archive(Int(cell.outer), archives).part(place)
    } else {
      let row = try rows.object(Int(cell.row))
      guard let value = try rows.value(of: row, at: Int(cell.column)).storedBytes else {
        throw .changed
      }
      bytes = try ByteStorage(copying: value)
    }
    let read = try read(bytes)
    let archive =
      cell.form == .value && read.isPlain ? KeyedArchive(valueOf: read.propertyList) : read
    close()
    open[index] = (archive, time)
    order.append(index)
    return archive
  }

  /// Reads the archive, or another property list, that some bytes are.
  func read(_ bytes: ByteStorage) throws(ArchiveError) -> KeyedArchive {
    try KeyedArchive.read(bytes, limits: limits, salvages: salvages, positions)
  }

  /// Closes the archives of which no value was given out for long.
  private func close() {
    while first < order.count, let oldest = open[order[first]],
      oldest.lastUse + GraphValue.objectsAtHand < time
    {
      open[order[first]] = nil
      first += 1
    }
    if first > order.count / 2 {
      order.removeFirst(first)
      first = 0
    }
  }
}

extension GraphValue {
  /// The bytes of data, and of text in UTF-8; nil for any other value.
  var storedBytes: BorrowedBytes? {
    switch self {
    case .data(let bytes): bytes
    case .text(let text) where text.encoding == .utf8: text.bytes
    default: nil
    }
  }
}
