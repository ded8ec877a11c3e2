import ArchiveReader

/// An archive in a file or inside of another, opened.
final class ArchiveFile: Sendable {
  let archive: KeyedArchive
  private let digest: FileDigest

  /// Opens the archive in a file, whose bytes may stand together with those of others.
  convenience init(
    path: String, limits: ReadingLimits, salvages: Bool = false, in arena: ByteArena? = nil
  ) throws(ArchiveError) {
    try self.init(
      try ByteStorage(contentsOf: path, in: arena), limits: limits, salvages: salvages)
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

  /// How much memory the archive takes while it is open.
  var residentBytes: Int { archive.propertyList.residentBytes }
}
