import ArchiveReader

/// An archive in a file or inside of another, opened.
final class ArchiveFile: Sendable {
  let archive: KeyedArchive
  private let digest: FileDigest

  /// Opens the archive in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: How far hostile files are followed.
  ///   - salvages: Whether it is opened even if it is damaged.
  ///   - arena: Where the bytes of small files stand together.
  ///   - isUnseen: Whether the finder has not looked into it, and would have passed over a file that
  ///     does not begin as a property list does.
  /// - Throws: `ArchiveError` if it is no sound archive.
  convenience init(
    path: String, limits: ReadingLimits, salvages: Bool = false, in arena: ByteArena? = nil,
    isUnseen: Bool = false
  ) throws(ArchiveError) {
    let storage = try ByteStorage(contentsOf: path, in: arena, leases: true)
    guard !isUnseen || FileKind.isPropertyList(storage.bytes) else {
      throw ArchiveError(.notAnArchive)
    }
    try self.init(storage, limits: limits, salvages: salvages)
  }

  /// Opens the archive in the bytes of a file.
  ///
  /// - Parameters:
  ///   - storage: The bytes.
  ///   - limits: How far hostile files are followed.
  ///   - salvages: Whether it is opened even if it is damaged.
  ///   - needsDigest: Whether the digest is waited for: then it is begun before the archive is open,
  ///     which takes several threads already.
  /// - Throws: `ArchiveError` if it is no sound archive.
  init(
    _ storage: ByteStorage, limits: ReadingLimits, salvages: Bool, needsDigest: Bool = false
  ) throws(ArchiveError) {
    digest = FileDigest(of: storage)
    if needsDigest { digest.begin() }
    archive =
      salvages
      ? try KeyedArchive.salvage(storage, limits: limits)
      : try KeyedArchive(try PropertyList(storage, limits: limits))
    if !needsDigest { digest.begin() }
  }

  /// Opens what a data value of another archive holds.
  init(
    _ data: NestedData, in outer: ArchiveFile, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) {
    let bytes: ByteStorage
    (archive, bytes) = try KeyedArchive.read(
      data, in: outer.archive, limits: limits, salvages: salvages)
    digest = FileDigest(of: bytes)
  }

  /// The SHA-256 digest of its bytes, in hexadecimal.
  ///
  /// Waits for it if need be. That of a large file is in the making since it was opened.
  var sha256: String { digest.text }

  /// Refuses what was read of the archive so far if its file could not be read where it is mapped.
  func check() throws(ArchiveError) { try archive.check() }

  /// How much memory the archive takes while it is open.
  var residentBytes: Int { archive.residentBytes }
}
