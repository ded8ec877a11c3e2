/// An archive in a file or inside of another, opened.
package final class ArchiveFile: Sendable {
  package let source: any GraphSource
  private let digest: FileDigest

  /// Opens the archive in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - opener: The opener of the file.
  ///   - arena: The memory that small files share.
  ///   - isUnprobed: True if the finder has not looked into it, and would have passed over a file
  ///     that does not begin as a source does.
  /// - Throws: `ArchiveError` if it is no sound archive, or a typedstream that was not probed.
  package convenience init(
    path: String, _ opener: SourceOpener, in arena: ByteArena? = nil, isUnprobed: Bool = false
  ) throws(ArchiveError) {
    let storage = try ByteStorage(contentsOf: path, in: arena, leases: true)
    guard !isUnprobed || opener.recognizes(storage.head) else {
      throw ArchiveError(.notAnArchive)
    }
    // The lists in typedstreams are found in all of them, before one is opened.
    guard !isUnprobed || FileKind(storage.head) != .typedStream else {
      throw ArchiveError(.unplanned)
    }
    try self.init(storage, at: path, opener)
  }

  /// Opens the archive in the bytes of a file.
  ///
  /// - Parameters:
  ///   - storage: The bytes.
  ///   - path: The path of the file.
  ///   - opener: The opener of the archive.
  ///   - needsDigest: True if the digest is waited for: then it is begun before the archive is
  ///     open, which takes several threads already.
  /// - Throws: `ArchiveError` if it is no sound archive.
  package init(
    _ storage: ByteStorage, at path: String, _ opener: SourceOpener, needsDigest: Bool = false
  ) throws(ArchiveError) {
    digest = try FileDigest(of: storage, at: path, opener)
    if needsDigest { digest.begin() }
    source = try opener.open(storage, at: path)
    if !needsDigest { digest.begin() }
  }

  /// The same archive, with other dictionaries as records.
  package init(_ file: ArchiveFile, _ opener: SourceOpener) {
    digest = file.digest
    source = opener.withRecords(file.source)
  }

  /// Opens what a data value of another archive holds.
  package init(
    _ data: NestedData, _ reader: NestedDataReader, _ opener: SourceOpener
  ) throws(ArchiveError) {
    let bytes: ByteStorage
    (source, bytes) = try opener.open(data, reader)
    digest = FileDigest(of: bytes)
  }

  /// The SHA-256 digest of its bytes, in hexadecimal.
  ///
  /// Waits for it if need be. That of a large file is in the making since it was opened.
  package var sha256: String { digest.text }

  /// Refuses what was read of the archive so far if its file could not be read where it is mapped.
  package func check() throws(ArchiveError) { try source.check() }

  /// The memory that the archive takes while it is open, in bytes.
  package var residentBytes: Int { source.residentBytes }
}
