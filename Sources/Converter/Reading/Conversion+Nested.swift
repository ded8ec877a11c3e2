import ArchiveReader

/// Archives of the second reading.
extension Conversion {
  /// Opens an archive: the file that it is, or one inside of it.
  mutating func open(
    _ input: InputFinder.Input, in file: ArchiveFile
  ) throws(ArchiveError) -> ArchiveFile {
    try OpenChain.open(input, in: file, &openChain, options)
  }

  /// Refuses a file that is not what it was in the first reading.
  ///
  /// - Parameters:
  ///   - file: The file, which may have been opened again.
  ///   - archive: What was found then; its digest is empty as long as none is known.
  /// - Throws: `ArchiveError` if it is another.
  func check(_ file: ArchiveFile, _ archive: ArchiveSurveyor.SurveyedArchive) throws(ArchiveError) {
    guard archive.input.nesting != nil || archive.sha256.isEmpty || file.sha256 == archive.sha256
    else { throw .changed }
  }
}
