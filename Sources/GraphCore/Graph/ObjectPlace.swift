/// The place of an object in its file, as far as the source tells it.
package struct ObjectPlace: Sendable {
  /// The number of the object of the source's own in whose values it is; nil for such an object.
  package var owner: Int?
  /// The row of a database that is the object, or in whose value it is.
  package var row: (table: String, id: Int64)?
  /// The column of the row with the archive that the object is in.
  package var column: String?
  /// The number of the object in its archive; nil for a row, and for an archive as a whole.
  package var uid: Int?
  /// The bytes of the object in its archive, as offset and count: of binary property lists alone.
  package var bytes: (offset: Int, count: Int)?

  package init(
    owner: Int? = nil, row: (table: String, id: Int64)? = nil, column: String? = nil,
    uid: Int? = nil, bytes: (offset: Int, count: Int)? = nil
  ) {
    self.owner = owner
    (self.row, self.column, self.uid, self.bytes) = (row, column, uid, bytes)
  }
}
