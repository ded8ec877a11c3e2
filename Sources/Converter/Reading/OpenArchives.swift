import ArchiveReader
import Support
import Synchronization

/// Archives that stay open between the readings, as long as they take little memory.
final class OpenArchives: Sendable {
  private struct State {
    var files: [String: ArchiveFile] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())

  private static let maxBytes = 64 << 20
  /// The cost counted for each open archive in addition to its bytes, so that their number is
  /// bounded.
  private static let bytesForEach = 4 << 10

  /// The archive that was opened at a path.
  subscript(path: String) -> ArchiveFile? {
    state.withLock { $0.files[path] }
  }

  /// True if there is room for an archive that takes so much memory.
  func hasRoom(for bytes: Int) -> Bool {
    state.withLock { $0.bytes + bytes + Self.bytesForEach <= Self.maxBytes }
  }

  /// Keeps an archive, if there is room for it or there is to be no other.
  func keep(_ file: ArchiveFile, at path: String, isOnly: Bool = false) {
    let bytes = file.residentBytes + Self.bytesForEach
    state.withLock { state in
      guard state.files[path] == nil, isOnly || state.bytes + bytes <= Self.maxBytes
      else { return }
      state.files[path] = file
      state.bytes += bytes
    }
  }

  /// Has other dictionaries of all archives as records.
  func reopen(_ opener: SourceOpener) {
    state.withLock { state in
      state.files = state.files.mapValues { ArchiveFile($0, opener) }
      state.bytes = state.files.values.reduce(0) { $0 + $1.residentBytes + Self.bytesForEach }
    }
  }

  /// Hands an archive over, which is not kept any longer.
  func take(_ path: String) -> ArchiveFile? {
    state.withLock { state in
      guard let file = state.files.removeValue(forKey: path) else { return nil }
      state.bytes -= file.residentBytes + Self.bytesForEach
      return file
    }
  }
}

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

extension FileOpener {
  /// Opens the files of the second reading, or finds them open.
  struct ArchiveOpener: Sendable {
    let openArchives: OpenArchives
    /// True if no other reading comes: then they need not be kept open.
    let isLast: Bool
    let options: ConversionOptions

    /// The file at a path; the arena is for the bytes of small files.
    func open(
      _ path: String, in arena: ByteArena? = nil, isUnprobed: Bool = false
    ) throws(ArchiveError) -> ArchiveFile {
      if let file = isLast ? openArchives.take(path) : openArchives[path] { return file }
      return try ArchiveFile(path: path, options.sourceOpener, in: arena, isUnprobed: isUnprobed)
    }
  }
}

/// Opens the files of the second reading, ahead of their turn where that takes time.
struct FileOpener {
  private let work: OrderedWork<String, Result<ArchiveFile, ArchiveError>>
  private var current: (path: String, file: ArchiveFile)?

  /// - Parameters:
  ///   - paths: The files, in the order of their turns.
  ///   - opener: The opener of the files.
  init(_ paths: [String], _ opener: ArchiveOpener) {
    let closed = paths.count { opener.openArchives[$0] == nil }
    work = OrderedWork(paths, jobs: closed > 1 ? opener.options.jobs : 1) { path in
      do throws(ArchiveError) {
        return .success(try opener.open(path))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The file whose turn it is: the one that was asked for last, or the next.
  mutating func file(at path: String) throws(ArchiveError) -> ArchiveFile {
    if let current, current.path == path { return current.file }
    current = nil
    guard let opened = work.next() else {
      throw .changed
    }
    let file = try opened.get()
    current = (path, file)
    return file
  }

  /// Opens nothing more.
  func cancel() { work.cancel() }
}
