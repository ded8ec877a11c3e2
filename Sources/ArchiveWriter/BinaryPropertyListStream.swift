import Foundation

/// A binary property list that is written object by object, in any order.
///
/// It keeps eight bytes for each object, and the bytes that nobody has taken yet.
package struct BinaryPropertyListStream {
  private var bytes = BinaryPropertyListWriter.ObjectTable.ObjectBytes()
  private var offsets: [UInt64] = []
  /// The number of bytes that were taken.
  private var takenCount: UInt64 = 0
  private let referenceSize: Int

  /// Begins a list.
  ///
  /// - Parameter maxObjects: An upper bound on the number of objects.
  package init(maxObjects: Int) {
    referenceSize = Self.referenceSize(for: maxObjects)
    bytes.append(ascii: "bplist00")
  }

  /// The number of bytes of a reference where there are so many objects.
  package static func referenceSize(for objectCount: Int) -> Int {
    BinaryPropertyListWriter.ObjectTable.size(for: UInt64(max(0, objectCount)))
  }

  /// The number of objects.
  package var count: Int { offsets.count }

  /// The number of bytes that nobody has taken yet.
  package var pendingCount: Int { bytes.storage.count }

  /// Takes the bytes up to here.
  package mutating func takeBytes() -> [UInt8] {
    let taken = bytes.storage
    takenCount += UInt64(taken.count)
    bytes.storage.removeAll(keepingCapacity: true)
    return taken
  }

  /// Reserves the number of an object that is yet to be written.
  package mutating func reserve() -> Int {
    offsets.append(0)
    return offsets.count - 1
  }

  /// Reserves the numbers of objects that are yet to be written; returns the first.
  package mutating func reserve(_ count: Int) -> Int {
    offsets.append(contentsOf: repeatElement(0, count: count))
    return offsets.count - count
  }

  private mutating func begin(_ number: Int) {
    offsets[number] = takenCount + UInt64(bytes.storage.count)
  }

  /// Writes a value that is not a container.
  package mutating func write(_ value: PropertyListValue, as number: Int) {
    begin(number)
    bytes.append(value)
  }

  /// Writes an integer of 16 bytes.
  package mutating func write(wideInteger value: Int128, as number: Int) {
    begin(number)
    bytes.storage.append(0x14)
    bytes.append(UInt64(truncatingIfNeeded: value >> 64), size: 8)
    bytes.append(UInt64(truncatingIfNeeded: value), size: 8)
  }

  /// Begins an array or a set, whose references follow.
  package mutating func beginList(_ count: Int, isSet: Bool, as number: Int) {
    begin(number)
    bytes.append(marker: isSet ? 0xC0 : 0xA0, count: count)
  }

  /// Begins a dictionary, whose references follow: those to its keys, then those to its values.
  package mutating func beginDictionary(_ count: Int, as number: Int) {
    begin(number)
    bytes.append(marker: 0xD0, count: count)
  }

  /// Writes a reference of the container that was begun last.
  package mutating func write(reference number: Int) {
    bytes.append(UInt64(number), size: referenceSize)
  }

  /// Writes references of the container that was begun last.
  package mutating func write(references numbers: [Int]) {
    bytes.append(references: numbers, size: referenceSize)
  }

  /// Writes the table of the objects' places and the trailer.
  ///
  /// - Parameters:
  ///   - top: The object that holds the others.
  ///   - flush: Takes bytes now and then.
  /// - Throws: What `flush` throws.
  package mutating func finish<Failure>(
    top: Int, flush: (inout Self) throws(Failure) -> Void
  ) throws(Failure) {
    let start = takenCount + UInt64(bytes.storage.count)
    let offsetSize = BinaryPropertyListWriter.ObjectTable.size(for: start)
    for (index, offset) in offsets.enumerated() {
      bytes.append(offset, size: offsetSize)
      if index & 0xFFFF == 0xFFFF { try flush(&self) }
    }
    bytes.storage.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
    for number in [UInt64(offsets.count), UInt64(top), start] { bytes.append(number, size: 8) }
    try flush(&self)
  }
}
