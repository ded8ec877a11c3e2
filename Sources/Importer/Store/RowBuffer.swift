internal import CSQLite

/// The values of one row, on their way to a statement.
///
/// Texts and blobs are not copied: they stay in the archive's memory, or in this buffer's scratch
/// memory until the next `clear`. Both outlive the insertion, for which the buffer is made.
final class RowBuffer {
  /// As many values as the widest table has columns.
  let values: UnsafeMutablePointer<csq_value>
  private let capacity: Int
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var used = 0

  private static let blockSize = 1 << 16

  init(capacity: Int) {
    self.capacity = capacity
    values = .allocate(capacity: capacity)
    values.initialize(repeating: csq_value(), count: capacity)
  }

  deinit {
    values.deallocate()
    for block in blocks { block.deallocate() }
  }

  /// Sets the first columns to NULL and forgets all scratch memory.
  func clear(_ count: Int) {
    precondition(count <= capacity, "a row is wider than its buffer")
    values.update(repeating: csq_value(), count: count)
    used = 0
    // A long text may have needed a block of its own.
    while blocks.count > 1 { blocks.removeLast().deallocate() }
    if let block = blocks.first, block.count > Self.blockSize {
      blocks.removeLast().deallocate()
    }
  }

  func setNull(_ column: Int) { values[column] = csq_value() }

  func set(_ column: Int, _ value: Int64) {
    values[column].kind = csq_kind_integer
    values[column].integer = value
  }

  func set(_ column: Int, _ value: Double) {
    values[column].kind = csq_kind_real
    values[column].real = value
  }

  /// Sets a column to a text or blob that stays where it is until the row is inserted.
  func set(_ column: Int, inPlace bytes: UnsafeRawBufferPointer, isText: Bool) {
    values[column].kind = isText ? csq_kind_text : csq_kind_blob
    values[column].bytes = bytes.baseAddress
    values[column].count = bytes.count
  }

  /// Sets a column to a text that is copied.
  func set(_ column: Int, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      let copy = scratch(utf8.count)
      copy.copyBytes(from: utf8)
      set(column, inPlace: UnsafeRawBufferPointer(copy), isText: true)
    }
  }

  /// Memory that stays in place until the next `clear`.
  func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if blocks.isEmpty || used + count > blocks[blocks.count - 1].count {
      blocks.append(.allocate(byteCount: max(count, Self.blockSize), alignment: 16))
      used = 0
    }
    let start = used
    used += count
    return UnsafeMutableRawBufferPointer(rebasing: blocks[blocks.count - 1][start..<start + count])
  }
}
