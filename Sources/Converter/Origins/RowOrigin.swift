import ArchiveReader
import Foundation
import Stores
import Support
import Verification

/// The object that a row of a store was, in its source, which is read again.
package struct RowOrigin {
  /// The path of the archive, as the store has it.
  package let path: String
  /// The class of the object, and its number in the source: in an archive its UID, in a store its
  /// primary key, in a database the row ID.
  package let className: String
  package let number: Int64
  /// The source, and the object's number there.
  package let source: any GraphSource
  package let uid: Int
  /// The place in the file.
  package let place: ObjectPlace
  /// The keys that lead to the object: from a top-level key, or in a database from a column.
  package let keyPath: String?
  /// Further objects that became the same row, which had their identity; the last ones first.
  package let others: [Recorded]

  /// An object as the store records it.
  package struct Recorded: Sendable {
    package let path: String
    package let className: String
    package let number: Int64
    fileprivate let archive: Int64
    fileprivate let sha256: String
  }

  /// Finds the object.
  ///
  /// - Parameters:
  ///   - row: The ID of the row.
  ///   - table: The table of the store.
  ///   - store: The path of the store, which has the table `_objects`.
  ///   - input: The file with the archive, if it is not where it was; of several objects that became
  ///     the row, its object is meant.
  /// - Throws: `ConversionError` if the store does not tell, or the archive is not the same any
  ///   more.
  package init(
    ofRow row: Int64, in table: String, ofStoreAt store: String, input: String?
  ) throws(ConversionError) {
    do {
      self = try Self.find(row, table, store, input)
    } catch let error as ConversionError {
      throw error
    } catch let error as StoreError {
      throw .unreadable(path: store, reason: error.reason)
    } catch let error as ArchiveError {
      throw .rejected(path: input ?? store, error)
    } catch {
      throw .unreadable(path: store, reason: "\(error)")
    }
  }

  private static func find(
    _ row: Int64, _ table: String, _ store: String, _ input: String?
  ) throws -> RowOrigin {
    func unknown(_ reason: String) -> ConversionError {
      .store(StoreError(.noOrigin, path: store, reason: reason))
    }
    let found = try VerifiedStore(path: store)
    let records = try StoreVerifier.RunRecord.all(in: found, path: store)
    let objects = RelationalLayout.objectsTable
    guard found.has("uid", in: objects) else {
      throw unknown("it does not record objects: convert with --provenance")
    }
    var recorded = try found.rows(
      """
      SELECT o.archive_id, o.uid, o.class, a.path, a.sha256
        FROM \(objects) AS o JOIN \(RelationalLayout.archiveTable) AS a ON a.id = o.archive_id
        WHERE o.entity = ? COLLATE NOCASE AND o."row" = ? ORDER BY o.archive_id DESC, o.uid
      """, [.text(table), .integer(row)]
    ).compactMap { row -> Recorded? in
      guard case .integer(let archive) = row[0], case .integer(let number) = row[1],
        case .text(let name) = row[2], case .text(let path) = row[3],
        case .text(let sha256) = row[4]
      else { return nil }
      return Recorded(
        path: path, className: name, number: number, archive: archive, sha256: sha256)
    }
    func options(_ archive: Int64) throws -> ConversionOptions {
      guard let record = records.first(where: { $0.archives.contains(archive) }) else {
        throw unknown("no run is recorded for archive \(archive)")
      }
      return record.conversionOptions(ConversionOptions())
    }
    if let input, recorded.count > 1 {
      let opener = try options(recorded[0].archive).sourceOpener
      let digest = try FileDigest(of: ByteStorage(contentsOf: input), at: input, opener).text
      if let place = recorded.firstIndex(where: { $0.sha256 == digest }) {
        recorded.insert(recorded.remove(at: place), at: 0)
      }
    }
    guard let first = recorded.first else {
      throw unknown("no object is recorded for row \(row) of \(table)")
    }
    let (number, className) = (first.number, first.className)
    let options = try options(first.archive)
    let (path, file) = try open(first.archive, in: found, options, input, store)
    let source = file.source
    guard let uid = source.makeNumberLookup()(number, className) else {
      throw unknown("\(path) has no object \(number)")
    }
    var routes = ObjectRoutes(source.makeGraph(GraphOptions(limits: options.limits)))
    let place = source.place(ofObject: uid)
    return RowOrigin(
      path: path, className: className, number: number, source: source, uid: uid, place: place,
      keyPath: try routes.path(to: uid, at: place),
      others: Array(recorded.dropFirst()))
  }

  private init(
    path: String, className: String, number: Int64, source: any GraphSource, uid: Int,
    place: ObjectPlace, keyPath: String?, others: [Recorded]
  ) {
    (self.path, self.className, self.number) = (path, className, number)
    (self.source, self.uid, self.place) = (source, uid, place)
    (self.keyPath, self.others) = (keyPath, others)
  }

  /// Opens an archive of a store, and for one inside of another that one first.
  private static func open(
    _ archive: Int64, in store: VerifiedStore, _ options: ConversionOptions, _ input: String?,
    _ storePath: String
  ) throws -> (path: String, file: ArchiveFile) {
    let isNested = store.has(RelationalLayout.nestingColumn, in: RelationalLayout.archiveTable)
    let rows = try store.rows(
      """
      SELECT path, sha256, \(isNested ? RelationalLayout.nestingColumn : "NULL")
        FROM \(RelationalLayout.archiveTable) WHERE id = ?
      """, [.integer(archive)])
    guard case .text(let path)? = rows.first?[0], case .text(let digest)? = rows.first?[1] else {
      throw ConversionError.unreadable(path: storePath, reason: "it has no archive \(archive)")
    }
    let file: ArchiveFile
    if case .integer(let parent)? = rows.first?[2], parent < archive {
      let outer = try open(parent, in: store, options, input, storePath)
      let owner = InputFinder.Input(path: outer.path, isNamed: true, nameSize: 0)
      let data = try NestedDataFinder.find(
        in: outer.file.source, limits: options.limits, options.sourceOpener.recognizesNested)
      guard let held = data.first(where: { owner.nested($0).path == path }) else {
        throw ConversionError.unreadable(path: path, reason: "it is not there any more")
      }
      guard let reader = (outer.file.source.underlying as? any NestingSource)?.makeDataReader()
      else { throw ArchiveError.changed }
      file = try ArchiveFile(held, reader, options.sourceOpener)
    } else {
      do throws(ArchiveError) {
        file = try ArchiveFile(path: input ?? path, options.sourceOpener)
      } catch {
        throw ConversionError.rejected(path: input ?? path, error)
      }
    }
    guard file.sha256 == digest else {
      throw ConversionError.unreadable(
        path: input ?? path, reason: "its bytes are not those that were converted")
    }
    return (path, file)
  }
}
