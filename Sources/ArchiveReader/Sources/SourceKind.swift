import Support

/// A kind of source: how its files are recognized, and opened.
///
/// Documentation/internals/sources.md tells how to add one.
package protocol SourceKind: Sendable {
  /// True if a file begins as those of this kind do.
  ///
  /// - Parameter head: The file's first bytes.
  /// - Returns: True if it does.
  func recognizes(_ head: FileHead) -> Bool

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - path: The path of the file; nil for bytes that are no file of their own.
  ///   - limits: The limits on hostile files.
  ///   - salvages: True if what can still be read of a damaged file is read.
  /// - Returns: The source.
  /// - Throws: `ArchiveError` if the file is not sound.
  func open(
    _ file: ByteStorage, at path: String?, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource

  /// The files next to a file that hold a part of what it says, such as a write-ahead log.
  ///
  /// A file is known by its bytes and theirs.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the file.
  ///   - path: The path of the file.
  /// - Returns: Their paths, in an order that is always the same.
  func companions(of head: FileHead, at path: String) -> [String]

  /// The files that an earlier run made a file of: a search that finds them passes over the file.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the file.
  ///   - path: The path of the file.
  /// - Returns: The files; none if no run made it, or somebody may have written to it since.
  func origins(of head: FileHead, at path: String) -> [FileOrigin]
}

/// A file that an earlier run made another of.
package struct FileOrigin: Sendable {
  /// The path that it had then.
  package let path: String
  package let sha256: String

  package init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
}

extension SourceKind {
  package func companions(of head: FileHead, at path: String) -> [String] { [] }

  package func origins(of head: FileHead, at path: String) -> [FileOrigin] { [] }
}

/// Keyed archives, binary and XML, and what is read as one: compiled nibs and typedstreams.
package struct KeyedArchiveKind: SourceKind {
  /// The names of positions in typedstreams.
  let positions: PositionRules

  package init(positions: PositionRules = PositionRules()) { self.positions = positions }

  package func recognizes(_ head: FileHead) -> Bool {
    FileKind.isPropertyList(head)
  }

  package func open(
    _ file: ByteStorage, at path: String?, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource {
    salvages
      ? try KeyedArchive.salvage(file, limits: limits, positions)
      : try KeyedArchive(try PropertyList(file, limits: limits, positions: positions))
  }
}
