/// A source whose data values lie in one piece of memory, so that those that hold archives can be
/// found again.
package protocol NestingSource: GraphSource {
  /// Where bytes lie that the source has given.
  func place(of bytes: BorrowedBytes) -> ByteRange
  /// The bytes at such a place, which keep the source open.
  ///
  /// - Throws: `ArchiveError` if there are none.
  func part(_ place: ByteRange) throws(ArchiveError) -> ByteStorage
}

extension KeyedArchive: NestingSource {
  package func place(of bytes: BorrowedBytes) -> ByteRange { table.range(of: bytes) }

  package func part(_ place: ByteRange) throws(ArchiveError) -> ByteStorage {
    try propertyList.part(place)
  }
}
