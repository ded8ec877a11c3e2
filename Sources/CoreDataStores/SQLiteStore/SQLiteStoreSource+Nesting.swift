import ArchiveReader
import GraphCore

/// Archives in the values of a store: in its rows, or in the files next to it.
extension SQLiteStoreSource: NestingSource {
  package func place(of bytes: BorrowedBytes) -> ByteRange? { nil }

  package func dataPositions(ofShape shape: Int) -> [Int]? {
    let properties = rows.layout.entities[shape].properties
    return properties.indices.filter { position in
      guard case .attribute(let type, _, _) = properties[position] else { return false }
      return type == .binary || type == .transformable
    }
  }

  /// A reader that copies the bytes of data values, each time from the store; large ones into a
  /// file without a name.
  package func makeDataReader() -> NestedDataReader {
    let graph = SQLiteStoreGraph(rows, of: self, salvages: salvages)
    return { data throws(ArchiveError) in
      guard let uid = data.uid else { throw ArchiveError(.noValue) }
      let object = try graph.object(uid)
      guard let position = graph.position(of: data.key, in: object),
        case .data(let bytes) = try graph.value(of: object, at: position)
      else { throw ArchiveError(.noValue) }
      return try ByteStorage(copying: bytes)
    }
  }
}
