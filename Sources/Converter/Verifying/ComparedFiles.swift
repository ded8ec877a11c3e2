import ArchiveReader
import Support

extension Conversion {
  /// The files of a run that is compared: one after the other has its turn, and those that are open
  /// need not be opened again.
  final class ComparedFiles: ComparedArchives {
    private let inputs: [String: InputFinder.Input]
    private let opener: FileOpener.ArchiveOpener
    private let meter: ProgressMeter?
    private var current: (path: String, file: ArchiveFile)?
    private var chain: OpenChain?

    /// - Parameters:
    ///   - inputs: The archives, by their paths.
    ///   - opener: What opens their files.
    ///   - meter: Is told which archive is compared.
    init(
      _ inputs: [String: InputFinder.Input], _ opener: FileOpener.ArchiveOpener,
      _ meter: ProgressMeter?
    ) {
      self.inputs = inputs
      self.opener = opener
      self.meter = meter
    }

    func open(_ archive: VerifiedArchive) throws -> ArchiveFile {
      guard let input = inputs[archive.path] else {
        throw ConversionError.unreadable(path: archive.path, reason: "it was not found")
      }
      meter?.begin(archive.path)
      do throws(ArchiveError) {
        let file = try file(at: input.nesting?.file ?? input.path)
        return try OpenChain.open(input, in: file, &chain, opener.options)
      } catch {
        throw ConversionError.rejected(path: archive.path, error)
      }
    }

    private func file(at path: String) throws(ArchiveError) -> ArchiveFile {
      if let current, current.path == path { return current.file }
      try current?.file.check()
      current = nil
      let file = try opener.open(path)
      current = (path, file)
      return file
    }

    // What is inside of a file goes with it.

    func ticker(
      for archive: VerifiedArchive, part: ClosedRange<Double>
    ) -> ObjectTicker {
      ObjectTicker(
        archive.parent == nil ? meter : nil, archive.path, part: part, countsObjects: false)
    }

    func ticker(
      for archive: VerifiedArchive, after part: Double, share: Double
    ) -> ObjectTicker {
      guard archive.parent == nil, let meter else { return ObjectTicker(nil as ProgressMeter?) }
      meter.reach(part, of: archive.path)
      return ObjectTicker(meter.advancing(archive.path, by: share))
    }

    func end(_ archive: VerifiedArchive) {
      if archive.parent == nil { meter?.end(archive.path) }
    }

    func finish() throws {
      guard let current else { return }
      do throws(ArchiveError) {
        try current.file.check()
      } catch {
        throw ConversionError.rejected(path: current.path, error)
      }
    }
  }
}

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
