/// A data value of an archive that begins as a property list does, and who holds it.
package struct NestedData: Hashable, Sendable {
  /// The object that holds it; nil if a top-level key does.
  package var uid: Int?
  /// The key as archived, of the object or the top level.
  package var key: String
  /// Where it stands in the collection under the key, and in those inside of that, as far as
  /// 16 of them; empty if the key holds the data itself.
  package var positions: [Int]
  /// Where its bytes stand.
  package var bytes: ByteRange

  /// How many bytes it has.
  package var byteCount: Int { bytes.count }

  package init(uid: Int?, key: String, positions: [Int], bytes: ByteRange) {
    (self.uid, self.key, self.positions, self.bytes) = (uid, key, positions, bytes)
  }
}
