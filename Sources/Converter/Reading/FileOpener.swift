import ArchiveReader
import Support

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
