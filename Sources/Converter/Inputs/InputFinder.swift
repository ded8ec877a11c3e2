import ArchiveReader
import Foundation
import Stores
import Support
import Synchronization

/// Finds the archives among the inputs: files that were named, and what directories hold.
///
/// Archives in directories are told by their content, whatever their names. The order is that of
/// the inputs and, within directories, of the paths.
struct InputFinder {
  /// A file that may be an archive.
  struct Input: Sendable {
    var path: String
    /// True if the file itself was named: then it is an error if it is no archive.
    var isNamed: Bool
    /// The number of bytes at the end of the file's path that stand below the directory that was
    /// searched, or are the name of a file that was named.
    var nameSize: Int
    /// The size of the file, in bytes, when it was found in a directory.
    var byteCount = 0
    /// True if it is known to be no database, which other files may be parts of.
    var isNoDatabase = false
    /// True if it is known to be a typedstream.
    var isTypedstream = false
    /// True if it was taken for a property list, like others, and is yet to be looked into.
    var isUnprobed = false
    /// For an archive inside of another, where it is found.
    var nesting: Nesting?

    /// The path of the file below the directory that was searched; its name if it was named.
    var name: String {
      String(decoding: (nesting?.file ?? path).utf8.suffix(nameSize), as: UTF8.self)
    }
  }

  /// Puts the inputs into the order of numbers; those without one, and equal ones, stay in theirs.
  mutating func sort(by number: (Input) -> Double?) {
    let numbers = inputs.map { number($0) ?? -.infinity }
    inputs = inputs.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { inputs[$0] }
  }

  /// The paths that cannot be looked into, each with the reason.
  private(set) var unreadable: [(path: String, reason: String)] = []
  private(set) var inputs: [Input] = []
  private(set) var hasDirectory = false
  /// The files of directories that are no property lists.
  private(set) var skipped = SkippedFiles()
  /// The number of files and directories that the filter leaves out.
  private(set) var excludedFiles = 0
  private let filter: FileFilter
  private var seen: Set<FileIdentity> = []
  /// The entries that were found, in order: files of directories are yet to be looked into.
  private var found: [Found] = []
  private let probesOnlySample: Bool
  private let opener: SourceOpener

  /// The entry that a path leads to.
  private enum Found {
    case input(Input)
    case file(Input)
    case skipped(SkippedFile)
    case unreadable(path: String, reason: String)
  }

  /// A path that is to be looked at.
  private struct Visit {
    var path: String
    /// The kind of entry, according to the directory listing.
    var kind: DirectoryListing.Kind
    /// The path below the directory that was named; nil if the path itself was.
    var place: String?
  }

  /// Searches paths.
  ///
  /// - Parameters:
  ///   - paths: The paths.
  ///   - filter: The filter for the files of directories.
  ///   - opener: The opener that recognizes the files of directories.
  ///   - probesOnlySample: True if only some of many files are looked into, provided that all of
  ///     these are sources: whoever opens the others does so. See `Input.isUnprobed`.
  ///   - spill: Takes the files that are passed over, after those that are listed.
  init(
    _ paths: [String], _ filter: FileFilter = FileFilter(), _ opener: SourceOpener = SourceOpener(),
    probesOnlySample: Bool = false, spill: EntrySpill? = nil
  ) {
    self.opener = opener
    self.filter = filter
    skipped = SkippedFiles(spill)
    self.probesOnlySample = probesOnlySample
    // Directories take no stack, however deep they are.
    var pending = paths.reversed().map { Visit(path: $0, kind: .unknown, place: nil) }
    while let next = pending.popLast() {
      visit(next, &pending)
    }
    lookIntoFiles()
  }

  /// Looks at files that somebody has found in directories.
  init(found paths: [String], _ opener: SourceOpener) {
    (self.opener, filter, probesOnlySample) = (opener, FileFilter(), false)
    hasDirectory = true
    var pending = paths.reversed().map {
      Visit(path: $0, kind: .unknown, place: fileName(of: $0))
    }
    while let next = pending.popLast() { visit(next, &pending) }
    lookIntoFiles()
  }

  /// Looks at what a path leads to; what is in a directory is looked at next.
  private mutating func visit(_ visit: Visit, _ pending: inout [Visit]) {
    let (path, place, isNamed) = (visit.path, visit.place, visit.place == nil)
    let kind: DirectoryListing.Kind
    do throws(SystemError) {
      kind =
        visit.kind == .unknown
        ? DirectoryListing.Kind(mode: try FileSystem.status(of: path).st_mode) : visit.kind
    } catch {
      return note(path, error, isNamed: isNamed)
    }
    switch kind {
    case .directory:
      if isNamed { hasDirectory = true }
      guard place.map(filter.admits(directory:)) ?? true else {
        excludedFiles += 1
        return
      }
      do throws(SystemError) {
        // A directory that symbolic links lead to again is not searched twice.
        let folder = FileIdentity(try FileSystem.status(of: path))
        guard seen.insert(folder).inserted else { return }
        let entries = try DirectoryListing(path).entries
        // The path as it stands before each name.
        let start = path.hasSuffix("/") ? path : path + "/"
        let parts = StoreParts.names(in: entries.map(\.name), start)
        for (name, kind) in entries.reversed() where !parts.contains(name) {
          pending.append(
            Visit(path: start + name, kind: kind, place: place.map { "\($0)/\(name)" } ?? name))
        }
      } catch {
        found.append(
          .unreadable(path: path, reason: "the directory cannot be read: \(error.words)"))
      }
    case .file:
      if let container = Container.find(path) { return search(container, visit) }
      guard place.map(filter.admits(file:)) ?? true else {
        excludedFiles += 1
        return
      }
      let input = Input(
        path: path, isNamed: isNamed, nameSize: (place ?? fileName(of: path)).utf8.count)
      found.append(isNamed ? .input(input) : .file(input))
    case .other, .unknown:
      found.append(
        isNamed
          ? .unreadable(path: path, reason: "not a regular file")
          : .skipped(SkippedFile(path: path, kind: .other, reason: "not a regular file")))
    }
  }

  /// Finds the files of a container, as if it were a directory; one in another is a file: it may be
  /// its own copy.
  private mutating func search(_ container: Container, _ visit: Visit) {
    if visit.place == nil { hasDirectory = true }
    guard visit.place.map(filter.admits(directory:)) ?? true else {
      excludedFiles += 1
      return
    }
    if let damage = container.damage {
      found.append(.unreadable(path: visit.path, reason: damage.words))
    }
    for (name, refusal) in container.entries {
      let (path, place) = ("\(visit.path)/\(name)", visit.place.map { "\($0)/\(name)" } ?? name)
      guard filter.admits(file: place) else {
        excludedFiles += 1
        continue
      }
      found.append(
        refusal.map { .unreadable(path: path, reason: $0.words) }
          ?? .file(Input(path: path, isNamed: false, nameSize: place.utf8.count)))
    }
  }

  /// Notes what the system does not let be looked at.
  private mutating func note(_ path: String, _ error: SystemError, isNamed: Bool) {
    // A symbolic link that leads nowhere is there, and is no archive.
    if !isNamed, error.code == ENOENT,
      let link = try? FileSystem.status(of: path, followsLinks: false),
      link.st_mode & S_IFMT == S_IFLNK
    {
      let reason = "a broken symbolic link"
      found.append(.skipped(SkippedFile(path: path, kind: .other, reason: reason)))
    } else {
      found.append(.unreadable(path: path, reason: error.words))
    }
  }

  // MARK: Files of directories

  /// Tells archives from other files, and puts what was found in its place.
  private mutating func lookIntoFiles() {
    let files = found.compactMap { if case .file(let input) = $0 { input.path } else { nil } }
    var contents = contents(of: files)[...]
    var outputs: [String: [FileOrigin]] = [:]
    inputs.reserveCapacity(found.count)
    for one in found {
      switch one {
      case .input(let input): inputs.append(input)
      case .skipped(let file): skipped.add(file)
      case .unreadable(let path, let reason): unreadable.append((path, reason))
      case .file(var input):
        switch contents.popFirst() {
        case .source(let byteCount, let kind, let origins):
          (input.byteCount, input.isUnprobed) = (byteCount, kind == .unprobed)
          (input.isNoDatabase, input.isTypedstream) = (kind != .database, kind == .typedstream)
          if !origins.isEmpty { outputs[input.path] = origins }
          inputs.append(input)
        case .unreadable(let reason): unreadable.append((input.path, reason))
        case .other(let file): skipped.add(file)
        case nil: break
        }
      }
    }
    found = []
    if !outputs.isEmpty { passOver(outputs) }
  }

  /// Passes over stores that earlier runs made of files that were found, too.
  ///
  /// - Parameter outputs: The inputs that earlier runs wrote, with what they made them of.
  private mutating func passOver(_ outputs: [String: [FileOrigin]]) {
    let found = Dictionary(grouping: inputs.map(\.path), by: { fileName(of: $0) })
    var digests: [String: String] = [:]
    func digest(of path: String) -> String {
      if let known = digests[path] { return known }
      let bytes = try? ByteStorage(contentsOf: path, leases: true)
      let digest = bytes.flatMap { try? FileDigest(of: $0, at: path, opener).text } ?? ""
      digests[path] = digest
      return digest
    }
    inputs.removeAll { input in
      guard !input.isNamed, let origins = outputs[input.path] else { return false }
      let isFound = origins.allSatisfy { origin in
        found[fileName(of: origin.path)]?.contains {
          $0 != input.path && digest(of: $0) == origin.sha256
        } ?? false
      }
      guard isFound else { return false }
      skipped.add(Self.earlierStore(input.path, input.byteCount))
      return true
    }
  }

  /// The content of a file.
  private enum Content: Sendable {
    case source(byteCount: Int, SourceForm, origins: [FileOrigin] = [])
    case other(SkippedFile)
    case unreadable(String)
  }

  /// The forms of sources that matter before these are opened.
  private enum SourceForm { case archive, typedstream, database, unprobed }

  /// The number of files that a thread looks into at a time.
  private static let partSize = 64

  /// The contents of files; several threads look into many.
  private func contents(of paths: [String]) -> [Content] {
    guard paths.count > Self.partSize else { return paths.map { Self.content(of: $0, opener) } }
    let trusted = probesOnlySample ? trustedExtensions(paths) : []
    let count = (paths.count + Self.partSize - 1) / Self.partSize
    let parts = Mutex<[[Content]]>(Array(repeating: [], count: count))
    WorkerThread.perform(iterations: count) { [opener] number in
      let start = number * Self.partSize
      let part = paths[start..<min(paths.count, start + Self.partSize)].map { path in
        let isTrusted = !trusted.isEmpty && trusted.contains(Self.fileExtension(path))
        return (isTrusted ? Self.trusted(path) : nil) ?? Self.content(of: path, opener)
      }
      parts.withLock { $0[number] = part }
    }
    return parts.withLock { $0.flatMap(\.self) }
  }

  /// Looks into some of many files; returns the extensions of names that only sources have.
  private func trustedExtensions(_ paths: [String]) -> Set<Substring> {
    var (trusted, others): (Set<Substring>, Set<Substring>) = ([], [])
    for number in stride(from: 0, to: paths.count, by: paths.count / Self.partSize + 1) {
      // Databases may be the stores of earlier runs, and typedstreams have to be known.
      if case .source(_, .archive, _) = Self.content(of: paths[number], opener) {
        trusted.insert(Self.fileExtension(paths[number]))
      } else {
        others.insert(Self.fileExtension(paths[number]))
      }
    }
    return trusted.subtracting(others)
  }

  /// The part of a path after its last point: the whole path if it has none.
  private static func fileExtension(_ path: String) -> Substring {
    let start = path.utf8.lastIndex(of: UInt8(ascii: ".")).map(path.utf8.index(after:))
    return path[(start ?? path.startIndex)...]
  }

  private static func earlierStore(_ path: String, _ size: Int?) -> SkippedFile {
    SkippedFile(
      path: path, kind: .database, reason: "a store that an earlier run wrote", bytes: size)
  }

  /// A file that is taken for a source; nil if it cannot be.
  private static func trusted(_ path: String) -> Content? {
    guard let status = try? FileSystem.status(of: path), status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0
    else { return nil }
    return .source(byteCount: Int(status.st_size), .unprobed)
  }

  /// The content of a file, by its head.
  private static func content(of path: String, _ opener: SourceOpener) -> Content {
    do throws(SystemError) {
      let descriptor = try FileSystem.open(path)
      defer { close(descriptor) }
      let head = try FileHead(of: descriptor)
      guard opener.recognizes(head) else { return .other(try SkippedFile(path: path)) }
      if head.isDatabase, Container.holds(path) {
        var file = try SkippedFile(path: path)
        file.reason += ", which SQLite cannot open in a container"
        return .other(file)
      }
      let size = Int(try FileSystem.status(of: descriptor).st_size)
      let form: SourceForm =
        head.isDatabase ? .database : FileKind(head) == .typedStream ? .typedstream : .archive
      if head.isDatabase, RelationalLayout.isStore(path) { return .other(earlierStore(path, size)) }
      return .source(byteCount: size, form, origins: opener.origins(of: head, at: path))
    } catch {
      return .unreadable(error.words)
    }
  }
}
