import ArchiveReader
import Foundation
import Stores
import Support
import Verification

/// The archives that a store keeps beside their rows, deflated in parts.
enum OriginalArchives {
  private static let table = RelationalLayout.originalTable
  /// The number of bytes of a part before they are deflated.
  private static let partSize = 4 << 20

  /// Puts archives into a store that is complete but for them.
  ///
  /// - Parameters:
  ///   - archives: The archives, with the ids and the digests that the store has of them.
  ///   - path: The file that the store is built in: no other connection holds it.
  ///   - jobs: The number of threads that deflate parts.
  /// - Throws: `ConversionError` if one has changed since it was read; the error of SQLite.
  static func keep(
    _ archives: [VerifiedArchive], inStoreAt path: String, jobs: Int
  ) throws {
    let database = try Database(path: path)
    // As for all of the store: the file is private, and synced when it is published.
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")
    for archive in archives {
      do throws(ArchiveError) {
        let bytes = try ByteStorage(contentsOf: archive.path, leases: true)
        let digest = FileDigest(of: bytes)
        digest.begin()
        let starts = stride(from: 0, to: bytes.count, by: partSize)
        let parts = OrderedWork(Array(starts), jobs: jobs) { start in
          ByteStorage(start..<min(bytes.count, start + partSize), of: bytes)
            .flatMap { Deflate.deflate($0.data, isFast: true) }
        }
        defer { parts.cancelAndWait() }
        for _ in starts {
          guard let deflated = parts.next() ?? nil else { throw ArchiveError(.outOfMemory) }
          do throws(StoreError) {
            _ = try database.rows(
              "INSERT INTO \(table) (archive_id, bytes) VALUES (?, ?)",
              [.integer(archive.id), .blob(deflated)])
          } catch {
            throw ArchiveError(.unreadable, name: error.reason)
          }
        }
        let known = try? database.rows(
          "SELECT 1 FROM \(RelationalLayout.archiveTable) WHERE id = ? AND sha256 = ?",
          [.integer(archive.id), .text(digest.text)])
        try bytes.check()
        guard known?.isEmpty == false else { throw .changed }
      } catch {
        throw ConversionError.rejected(path: archive.path, error)
      }
    }
    try database.execute("COMMIT;")
  }

  /// The files that the archives of a store were written to, and those whose bytes are not theirs.
  struct Restored {
    var files: [Int64: String] = [:]
    var damaged: Set<Int64> = []
  }

  /// Writes the archives that a store keeps to files in a folder, each named by its id.
  ///
  /// - Parameters:
  ///   - known: The sizes and digests of the archives, by their ids.
  ///   - path: The path of the store.
  ///   - folder: The folder.
  /// - Returns: The files, by the ids of the archives.
  /// - Throws: `StoreError` if the store cannot be read, `SystemError` if there is no room.
  static func restore(
    _ known: [Int64: (bytes: Int64, sha256: String)], fromStoreAt path: String,
    to folder: PrivateFolder
  ) throws -> Restored {
    var restored = Restored()
    let database = try Database(reading: path)
    guard try database.has(tables: table) else { return restored }
    let statement = try database.prepare("SELECT archive_id, bytes FROM \(table) ORDER BY id")
    try statement.begin([])
    var output: (archive: Int64, descriptor: CInt)?
    /// The number of bytes that the archive still lacks: parts may become far more than they are.
    var rest = 0
    defer { if let output { close(output.descriptor) } }
    while try statement.step() {
      let row = try statement.copies()
      guard case .integer(let archive) = row[0], known[archive] != nil else { continue }
      if output?.archive != archive {
        if let output { close(output.descriptor) }
        output = nil
        guard restored.files[archive] == nil else {
          restored.damaged.insert(archive)
          continue
        }
        let file = "\(folder.path)/\(archive)"
        output = (archive, try OutputFile.create(file, isPrivate: true))
        rest = Int(clamping: known[archive]?.bytes ?? 0)
        restored.files[archive] = file
      }
      guard case .blob(let deflated) = row[1], let output, !restored.damaged.contains(archive),
        let (bytes, surplus) = try? Deflate.inflate(deflated, limit: min(partSize, max(0, rest))),
        surplus == 0
      else {
        restored.damaged.insert(archive)
        continue
      }
      rest -= bytes.count
      try OutputFile.write(bytes, to: output.descriptor)
    }
    for (archive, file) in restored.files {
      let digest = (try? ByteStorage(contentsOf: file)).map { FileDigest(of: $0).text }
      if digest != known[archive]?.sha256 { restored.damaged.insert(archive) }
    }
    return restored
  }
}
