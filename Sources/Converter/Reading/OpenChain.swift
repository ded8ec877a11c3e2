import ArchiveReader

/// A file and the archives in it that lead to the one that was opened last: those beside it are
/// opened without opening the others again.
struct OpenChain {
  private var data: [NestedData] = []
  private var files: [ArchiveFile]
  /// For each file, what reads its data values, as soon as one was asked for.
  private var readers: [NestedDataReader?] = [nil]

  /// Begins with a file.
  init(_ file: ArchiveFile) {
    files = [file]
  }

  /// Opens an archive: the file that it is, or one inside of it.
  ///
  /// - Parameters:
  ///   - input: The archive.
  ///   - file: The file.
  ///   - chain: The archive inside of a file that was opened last, with those that lead to it.
  ///   - options: The options that archives are opened with.
  /// - Returns: The archive.
  /// - Throws: `ArchiveError` if it cannot be read.
  static func open(
    _ input: InputFinder.Input, in file: ArchiveFile, _ chain: inout OpenChain?,
    _ options: ConversionOptions
  ) throws(ArchiveError) -> ArchiveFile {
    guard let nesting = input.nesting else { return file }
    if chain?.begins(with: file) != true { chain = OpenChain(file) }
    if let inner = try chain?.open(nesting.data, options) { return inner }
    throw .changed
  }

  /// True if it begins with a file.
  func begins(with file: ArchiveFile) -> Bool { files[0] === file }

  /// Opens the archive at a place in the file; returns the file itself for an empty place.
  mutating func open(
    _ place: [NestedData], _ options: ConversionOptions
  ) throws(ArchiveError) -> ArchiveFile? {
    let common = zip(data, place).prefix { $0 == $1 }.count
    data.removeSubrange(common...)
    files.removeSubrange((common + 1)...)
    readers.removeSubrange((common + 1)...)
    for next in place.dropFirst(common) {
      files.append(try ArchiveFile(next, try innermostReader(), options.sourceOpener))
      readers.append(nil)
      data.append(next)
    }
    return files.last
  }

  /// The reader of data values of the innermost file.
  private mutating func innermostReader() throws(ArchiveError) -> NestedDataReader {
    let last = files.count - 1
    if let known = readers[last] { return known }
    guard let source = files[last].source.underlying as? any NestingSource else {
      throw .changed
    }
    let reader = source.makeDataReader()
    readers[last] = reader
    return reader
  }
}
