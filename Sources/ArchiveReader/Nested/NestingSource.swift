/// A source whose data values can be found again, so that those that hold archives can be opened.
package protocol NestingSource: GraphSource {
  /// The range of bytes that the source has given, by which a value that several objects hold is
  /// known; nil where each object has values of its own.
  func place(of bytes: BorrowedBytes) -> ByteRange?
  /// The positions of the keys under which objects of a shape may hold data; nil for all keys.
  func dataPositions(ofShape shape: Int) -> [Int]?
  /// The reader of data values that were found: for one thread, as long as it likes.
  func makeDataReader() -> NestedDataReader
}

/// Gives the bytes of a data value, which stay as long as the storage lives.
///
/// It throws `ArchiveError` if the value is not there any more.
package typealias NestedDataReader = (NestedData) throws(ArchiveError) -> ByteStorage

extension NestingSource {
  package func dataPositions(ofShape shape: Int) -> [Int]? { nil }
}

extension KeyedArchive: NestingSource {
  package func place(of bytes: BorrowedBytes) -> ByteRange? { table.range(of: bytes) }

  package func makeDataReader() -> NestedDataReader {
    { [self] data throws(ArchiveError) in try part(data.bytes) }
  }

  /// The bytes at a place, which keep the archive open.
  ///
  /// - Throws: `ArchiveError` if there are none.
  package func part(_ place: ByteRange) throws(ArchiveError) -> ByteStorage {
    try propertyList.part(place)
  }
}
