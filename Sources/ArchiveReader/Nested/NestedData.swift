/// A data value of a source that begins as a property list does, and who holds it.
package struct NestedData: Hashable, Sendable {
  /// The object that holds it; nil if a top-level key does.
  package var uid: Int?
  /// The number by which people know this object: see `GraphSource.number(ofObject:)`.
  package var number: Int64?
  /// The class of the object, where numbers are those of a class: in a Core Data store.
  package var className: String?
  /// The key as archived, of the object or the top level.
  package var key: String
  /// Its positions in the collection under the key and in those inside of that, at most 16 of them;
  /// empty if the key holds the data itself.
  package var positions: [Int]
  /// The range of its bytes; from its own first byte where each value has memory of its own.
  package var bytes: ByteRange

  /// The number of its bytes.
  package var byteCount: Int { bytes.count }

  package init(uid: Int?, key: String, positions: [Int], bytes: ByteRange) {
    (self.uid, self.key, self.positions, self.bytes) = (uid, key, positions, bytes)
    number = uid.map(Int64.init)
  }
}
