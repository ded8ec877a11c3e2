import ArchiveReader
import Support

/// The content of files and directories, by kind and by class, as a run would find it.
public struct InputOverview: Sendable, Encodable {
  /// The files of a kind.
  public struct Kind: Sendable, Encodable {
    /// The format of archives and stores, or the kind of other files: see `SkippedFile.Kind`.
    public var kind: String
    /// The number of files.
    public var files: Int
    /// Their size in bytes; nil if there are too many to be listed.
    public var bytes: Int?
    /// The number of their objects; nil where nobody counts them.
    public var objects: Int?
  }

  /// A class, or an entity of a Core Data store.
  public struct Class: Sendable, Encodable {
    /// The name as archived.
    public var name: String
    /// The name in Swift, where that is another one.
    public var plainName: String?
    /// The number of its objects in all files.
    public var objects: Int
    /// The number of files that hold such objects.
    public var files: Int
  }

  /// An archive or a store.
  public struct File: Sendable, Encodable {
    /// The path as it was found.
    public var path: String
    /// The format; nil if it cannot be read.
    public var format: String?
    /// The size in bytes.
    public var bytes: Int?
    /// The digest of its bytes.
    public var sha256: String?
    /// The number of its objects.
    public var objects: Int?
    /// The first file with the same bytes.
    public var duplicateOf: String?
    /// Why a run rejects it.
    public var error: String?
  }

  /// A file that is neither an archive nor a store.
  public struct OtherFile: Sendable, Encodable {
    /// The path as it was found.
    public var path: String
    /// The kind: see `SkippedFile.Kind`.
    public var kind: String
    /// The kind in words.
    public var reason: String
    /// The size in bytes, if that is known.
    public var bytes: Int?
  }

  /// The kinds: archives and stores first, then files that hold objects in other forms.
  public private(set) var kinds: [Kind] = []
  /// The classes, those with the most objects first.
  ///
  /// Objects of duplicates are counted once.
  public private(set) var classes: [Class] = []
  /// The archives and stores, in the order of a run, those that are rejected included.
  public private(set) var files: [File] = []
  /// The first of the other files.
  public private(set) var otherFiles: [OtherFile] = []
  /// The number of those that are not listed.
  public private(set) var otherFilesLeftOut = 0
  /// The number of files and directories that a filter leaves out.
  public private(set) var excludedFiles = 0

  /// The archives and stores that a run rejects.
  public var rejected: [File] { files.filter { $0.error != nil } }
  /// The number of files with the bytes of another.
  public var duplicates: Int { files.count { $0.duplicateOf != nil } }

  /// Looks into files.
  ///
  /// - Parameters:
  ///   - inputs: Paths of files and of directories.
  ///   - options: How they would be converted.
  public init(inputs: [String], options: ConversionOptions) {
    let opener = options.sourceOpener
    let finder = InputFinder(inputs, options.filter, opener)
    let work = OrderedWork(finder.inputs, jobs: options.jobs) { input in
      Result { () throws(ArchiveError) in try Content(input.path, opener, options.limits) }
    }
    defer { work.cancel() }
    var skipped = finder.skipped
    var counts: [String: Class] = [:]
    var formats: [String: Kind] = [:]
    var firsts: [String: String] = [:]
    for input in finder.inputs {
      guard let outcome = work.next() else { break }
      do throws(ArchiveError) {
        let found = try outcome.get()
        var file = File(
          path: input.path, format: found.format, bytes: found.bytes, sha256: found.sha256,
          objects: found.objects)
        file.duplicateOf = firsts[found.sha256]
        firsts[found.sha256] = file.duplicateOf ?? input.path
        files.append(file)
        let known = formats[found.format]
        formats[found.format] = Kind(
          kind: found.format, files: (known?.files ?? 0) + 1,
          bytes: [known?.bytes ?? 0, found.bytes].boundedSum,
          objects: [known?.objects ?? 0, found.objects].boundedSum)
        guard file.duplicateOf == nil else { continue }
        for one in found.classes {
          let known = counts[one.name]
          counts[one.name] = Class(
            name: one.name, plainName: one.plainName,
            objects: [known?.objects ?? 0, one.objects].boundedSum, files: (known?.files ?? 0) + 1)
        }
      } catch {
        if error.code == .notAnArchive, let other = try? SkippedFile(path: input.path) {
          skipped.add(other)
        } else {
          files.append(File(path: input.path, error: "\(error)"))
        }
      }
    }
    files += finder.unreadable.map { File(path: $0.path, error: "cannot be read: \($0.reason)") }
    classes = counts.values.sorted { ($1.objects, $0.name) < ($0.objects, $1.name) }
    kinds = formats.values.sorted { $0.kind < $1.kind }
    kinds += skipped.kinds.map { kind, count in
      let listed = skipped.listed.filter { $0.kind == kind }
      return Kind(
        kind: kind.rawValue, files: count,
        bytes: listed.count < count ? nil : listed.compactMap(\.bytes).boundedSum)
    }
    otherFiles = skipped.listed.map {
      OtherFile(path: $0.path, kind: $0.kind.rawValue, reason: $0.reason, bytes: $0.bytes)
    }
    otherFilesLeftOut = skipped.leftOut
    excludedFiles = finder.excludedFiles
  }

  /// The content of an archive or a store.
  private struct Content: Sendable {
    var format: String
    var bytes: Int
    var sha256: String
    var objects: Int
    var classes: [Class]

    init(_ path: String, _ opener: SourceOpener, _ limits: ReadingLimits) throws(ArchiveError) {
      let file = try ArchiveFile(path: path, opener)
      let found = try file.source.inspect(limits: limits)
      if let error = found.danglingReferences.first { throw error }
      format = file.source.format.rawValue
      bytes = file.source.byteCount
      objects = found.objects
      classes = found.classes.map {
        Class(name: $0.name, plainName: $0.plainName, objects: $0.count, files: 1)
      }
      try file.check()
      sha256 = file.sha256
    }
  }
}
