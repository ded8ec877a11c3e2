import ArchiveReader

/// Archives of the second reading.
extension Conversion {
  /// Opens an archive: the file that it is, or one inside of it.
  mutating func open(
    _ input: InputFinder.Input, in file: ArchiveFile
  ) throws(ArchiveError) -> ArchiveFile {
    guard let nesting = input.nesting else { return file }
    if openChain?.begins(with: file) != true { openChain = OpenChain(file) }
    if let inner = try openChain?.open(nesting.data, options) { return inner }
    throw changed()
  }

  /// An archive that is not what it was in the first reading.
  func changed() -> ArchiveError {
    ArchiveError.changed
  }
}
