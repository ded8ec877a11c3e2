import ArchiveReader

/// All that can be read from some bytes, and every error on the way.
package struct ArchiveWalk {
  /// The errors, in the order in which they were met.
  package private(set) var errors: [ArchiveError] = []
  /// How many values were read.
  package private(set) var values = 0
  /// How many elements may still be read: what a small file shares among many owners need not be
  /// read for each of them.
  private var elementsLeft = 50_000

  /// Reads and inspects an archive, and reads each of its entries, reached or not.
  package init(_ bytes: some Collection<UInt8>) {
    do throws(ArchiveError) {
      let archive = try KeyedArchive(bytes: bytes)
      do throws(ArchiveError) {
        errors += try ArchiveInspection(archive).danglingReferences
      } catch {
        errors.append(error)
      }
      readAll(archive)
    } catch {
      errors.append(error)
    }
  }

  /// Reads what is left of an archive that may be damaged: what is left can be read.
  package init(salvaging bytes: some Collection<UInt8>) {
    guard let archive = try? KeyedArchive.salvage(bytes: bytes) else { return }
    readAll(archive)
  }

  private mutating func readAll(_ archive: KeyedArchive) {
    let reader = archive.makeGraph(GraphOptions(countsUnreached: true))
    for entry in archive.roots {
      attempt { (left: inout Int) throws(ArchiveError) in
        try reader.touch(try reader.value(of: entry), &left)
      }
    }
    // A mutation can make $objects refer to itself; a few thousand entries tell enough.
    for uid in 0..<min(archive.objectCount, 2_000) {
      attempt { (left: inout Int) throws(ArchiveError) in
        let value = try reader.value(ofObject: uid)
        try reader.touch(value, &left)
        guard case .object(let uid, _) = value else { return }
        let object = try reader.object(uid)
        for position in 0..<object.keyCount {
          try reader.touch(try reader.value(of: object, at: position), &left)
        }
      }
    }
    _ = reader.countUnreachedObjects()
  }

  private mutating func attempt(_ body: (inout Int) throws(ArchiveError) -> Void) {
    do throws(ArchiveError) {
      try body(&elementsLeft)
      values += 1
    } catch {
      errors.append(error)
    }
  }
}

extension ObjectGraph {
  /// Reads all that belongs to a value: its bytes, or the elements of a collection.
  fileprivate func touch(
    _ value: GraphValue, _ elementsLeft: inout Int
  ) throws(ArchiveError) {
    guard case .collection(let id, let kind) = value else { return try touch(value) }
    let elements = try elements(of: id, kind)
    let count = min(elements.count, elementsLeft)
    elementsLeft -= count
    for position in 0..<count {
      if kind.isKeyed { try touch(try key(of: elements, at: position)) }
      try touch(try self.value(of: elements, at: position))
    }
  }

  private func touch(_ value: GraphValue) throws(ArchiveError) {
    switch value {
    case .foundation(let uid, _): _ = try foundationValue(uid)?.json.utf8.count
    case .wideInteger(let wide): _ = wide.value
    case .text(let text): _ = text.string
    case .data(let bytes), .uuid(let bytes): _ = bytes.buffer.reduce(0, &+)
    case .date(let seconds): _ = DateText.text(secondsSince2001: seconds)
    case .decimal(let decimal): _ = decimal.text
    case .url(let text): _ = text.string
    case .relativeURL(let uid): _ = urlText(uid)
    default: break
    }
  }
}
