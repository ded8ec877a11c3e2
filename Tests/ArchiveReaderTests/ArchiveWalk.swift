import ArchiveReader

/// All that can be read from some bytes, and every error on the way.
struct ArchiveWalk {
  private(set) var errors: [ArchiveError] = []
  /// How many values were read.
  private(set) var values = 0

  /// Reads and inspects an archive, and reads each of its entries, reached or not.
  init(_ bytes: some Collection<UInt8>) {
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

  private mutating func readAll(_ archive: KeyedArchive) {
    var reader = ObjectReader(archive, foundationValues: true)
    for entry in archive.topLevel {
      attempt { () throws(ArchiveError) in
        _ = try reader.text(of: try reader.value(of: entry.node))
      }
    }
    // A mutation can make $objects refer to itself; a few thousand entries tell enough.
    for uid in 0..<min(archive.objectCount, 2_000) {
      attempt { () throws(ArchiveError) in
        let value = try reader.value(ofObject: uid)
        _ = try reader.text(of: value)
        guard case .object(let uid, _) = value else { return }
        let object = try reader.object(uid)
        for position in 0..<object.values.count {
          _ = try reader.value(of: object, at: position)
        }
      }
    }
    reader.noteReachedEntries()
    _ = reader.countUnreachedEntries()
  }

  private mutating func attempt(_ body: () throws(ArchiveError) -> Void) {
    do throws(ArchiveError) {
      try body()
      values += 1
    } catch {
      errors.append(error)
    }
  }
}
