internal import CSQLite
import GraphCore

/// The values of one row, in a batch that gathers rows for the store.
///
/// Texts and blobs are not copied where they stay in the source's memory: the batch keeps that, and
/// its own: see `StoreWriter.keep`.
final class RowBuffer {
  // Unchecked: each is read and written in one step.
  @exclusivity(unchecked) private(set) var batch: RowBatch
  @exclusivity(unchecked) private var values: UnsafeMutablePointer<csq_cell>
  /// Whether the bytes of values are copied, since their source does not keep them.
  @exclusivity(unchecked) var copiesValues = false

  init(_ batch: RowBatch) {
    self.batch = batch
    values = batch.begin(0)
  }

  /// Begins a row of some columns, all NULL.
  func clear(_ count: Int) {
    values = batch.begin(count)
  }

  func set(_ column: Int, _ value: Int64) {
    values[column].kind = csq_kind_integer
    values[column].integer = value
  }

  func set(_ column: Int, _ value: Double) {
    values[column].kind = csq_kind_real
    values[column].real = value
  }

  /// Adds one for each column of the row that is set.
  func countSet(into counts: UnsafeMutableBufferPointer<Int>) {
    var value = values
    for index in counts.indices {
      if value.pointee.kind != csq_kind_null { counts[index] += 1 }
      value += 1
    }
  }

  /// The whole number that a column of the row is set to; nil for anything else.
  func integer(at column: Int) -> Int64? {
    values[column].kind == csq_kind_integer ? values[column].integer : nil
  }

  /// Sets a column to a text or blob that stays where it is until the row is in the store.
  func set(_ column: Int, inPlace bytes: UnsafeRawBufferPointer, isText: Bool) {
    values[column].kind = isText ? csq_kind_text : csq_kind_blob
    values[column].bytes = bytes.baseAddress
    values[column].count = UInt32(clamping: bytes.count)
  }

  /// Sets a column to the bytes of a value, which are copied if they do not stay where they are.
  @inline(__always)
  func set(_ column: Int, borrowing bytes: BorrowedBytes, isText: Bool) {
    if copiesValues {
      set(column, copying: bytes.buffer, isText: isText)
    } else {
      set(column, inPlace: bytes.buffer, isText: isText)
    }
  }

  /// Sets a column to a text that is copied.
  func set(_ column: Int, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      let copy = batch.scratch(utf8.count)
      copy.copyBytes(from: utf8)
      set(column, inPlace: UnsafeRawBufferPointer(copy), isText: true)
    }
  }

  /// Sets a column to a text or blob that is copied.
  func set(_ column: Int, copying bytes: UnsafeRawBufferPointer, isText: Bool) {
    let copy = batch.scratch(bytes.count)
    copy.copyMemory(from: bytes)
    set(column, inPlace: UnsafeRawBufferPointer(copy), isText: isText)
  }

  /// Sets a column to a real number.
  func set(_ column: Int, real value: Double) {
    // SQLite turns NaN into NULL; as a text it stays what it is.
    if value.isNaN { set(column, "NaN") } else { set(column, value) }
  }

  /// Memory that stays in place until the row is in the store.
  func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer { batch.scratch(count) }

  /// Goes on in another batch.
  func exchange(for other: RowBatch) {
    batch = other
    values = other.begin(0)
  }
}
