import ArchiveReader
import Foundation
import Stores

extension StoreWriter {
  /// Inserts the row of an archive; the place and the parent are those of one inside of another.
  package func insert(
    _ archive: any GraphSource, path: String, sha256: String, id: Int64, parent: Int64? = nil,
    place: NestedLocation? = nil
  ) throws(StoreError) {
    try insert(into: RelationalLayout.archiveTable) { row in
      row.set(0, id)
      row.set(1, FileName.printable(path))
      row.set(2, sha256)
      row.set(3, Int64(archive.byteCount))
      row.set(4, archive.format.rawValue)
      row.set(5, archive.archiver)
      row.set(6, archive.version)
      row.set(7, now())
      guard let parent, let place else { return }
      row.set(8, parent)
      if let uid = place.uid { row.set(9, Int64(uid)) }
      row.set(10, place.key)
    }
  }

  /// Inserts what applications keep with a Core Data store.
  ///
  /// - Parameters:
  ///   - rows: The rows, without the column of the archive.
  ///   - archive: The id of the store among the archives.
  /// - Throws: An error that an earlier row met.
  package func insertMetadata(_ rows: [[StoredValue]], archive: Int64) throws(StoreError) {
    for values in rows {
      try insert(into: RelationalLayout.metadataTable) { row in
        row.set(0, archive)
        for (column, value) in zip(1..., values) { row.set(column, value) }
      }
    }
  }

  /// The time, to the second.
  private func now() -> String {
    let second = time(nil)
    if let lastInstant, lastInstant.second == second { return lastInstant.text }
    let text = Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
    lastInstant = (second, text)
    return text
  }

  /// Inserts the row of a run: what was asked for, and which archives it converted.
  package func insertRun(
    id: Int64, _ mapping: String?, _ modelDigest: String?, options: String, _ fingerprint: String,
    archives: ClosedRange<Int64>
  ) throws(StoreError) {
    try insert(into: RelationalLayout.runTable) { row in
      row.set(0, id)
      if let mapping { row.set(1, mapping) }
      if let modelDigest { row.set(2, modelDigest) }
      row.set(3, options)
      row.set(4, fingerprint)
      row.set(5, archives.lowerBound)
      row.set(6, archives.upperBound)
    }
  }

  /// Inserts the classes of all archives, with the entities that their objects became.
  package func insertClasses(_ classes: [(name: String, hierarchy: [String], entity: String?)])
    throws(StoreError)
  {
    for found in classes {
      try insert(into: RelationalLayout.classTable) { row in
        row.set(0, ArchivedName.plain(found.name))
        row.set(1, found.hierarchy.map(ArchivedName.plain).joined(separator: " "))
        if let entity = found.entity { row.set(2, entity) }
      }
    }
  }
}
