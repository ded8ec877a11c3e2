import ArchiveReader

extension StoreVerifier {
  /// Finds out by which bytes an input is known, and opens it on the way.
  ///
  /// Several threads may do so at the same time.
  struct InputIdentifier: Sendable {
    /// Archives that stay open.
    let openArchives: OpenArchives
    /// The opener of the inputs.
    let opener: SourceOpener
    /// True if there is only one input.
    let isOnly: Bool

    /// The SHA-256 digest of a file, in hexadecimal.
    ///
    /// That of an archive is computed while the archive is checked.
    func digest(of path: String) -> Result<String, ArchiveError> {
      do throws(ArchiveError) {
        let storage = try ByteStorage(contentsOf: path, leases: true)
        // What does not stay open would have to be read again. The values of an XML document take
        // less than its text.
        let isBinary = FileKind(storage.head) == .binaryPropertyList
        let most = isBinary ? storage.residentBytes : storage.count
        if isOnly || openArchives.hasRoom(for: most),
          let file = try? ArchiveFile(storage, at: path, opener, needsDigest: true)
        {
          let digest = file.sha256
          try file.check()
          openArchives.keep(file, at: path, isOnly: isOnly)
          return .success(digest)
        }
        let digest = try FileDigest(of: storage, at: path, opener)
        let text = digest.text
        try digest.check()
        return .success(text)
      } catch {
        return .failure(error)
      }
    }
  }
}
