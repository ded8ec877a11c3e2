import ArchiveReader

/// A file and the archives in it that lead to the one that was opened last: those beside it are
/// opened without opening the others again.
struct OpenChain {
  private var data: [NestedData] = []
  private var files: [ArchiveFile]

  /// Begins with a file.
  init(_ file: ArchiveFile) {
    files = [file]
  }

  /// Whether it begins with a file.
  func begins(with file: ArchiveFile) -> Bool { files[0] === file }

  /// Opens the archive at a place in the file; returns the file itself for an empty place.
  mutating func open(
    _ place: [NestedData], _ options: ConversionOptions
  ) throws(ArchiveError) -> ArchiveFile? {
    let common = zip(data, place).prefix { $0 == $1 }.count
    data.removeSubrange(common...)
    files.removeSubrange((common + 1)...)
    for next in place.dropFirst(common) {
      guard let outer = files.last else { return nil }
      files.append(try ArchiveFile(next, in: outer, options.sourceOpener))
      data.append(next)
    }
    return files.last
  }
}
