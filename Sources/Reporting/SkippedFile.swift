import ArchiveReader
import Foundation
import Support

/// A file of a directory that holds no keyed archive, and what it is.
public struct SkippedFile: Sendable, Hashable {
  /// The kinds of files that are not converted.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// A stream that NSArchiver wrote.
    case typedstream
    /// A store of Core Data: SQLite, XML or binary.
    case coreDataStore = "Core Data store"
    /// An SQLite database in which archives are.
    case databaseWithArchives = "SQLite database with archives"
    /// A compiled nib.
    case nib
    /// A property list that is no archive.
    case propertyList = "property list"
    /// Any other SQLite database.
    case database = "SQLite database"
    /// A file without content.
    case empty
    /// Anything else.
    case other

    /// True if such files hold objects that somebody archived or stored: their content is missing.
    public var holdsObjects: Bool {
      switch self {
      case .typedstream, .coreDataStore, .databaseWithArchives, .nib: true
      case .propertyList, .database, .empty, .other: false
      }
    }

    /// The kind as a noun, for one file and for several.
    var words: (one: String, many: String) {
      switch self {
      case .empty: ("empty file", "empty files")
      case .other: ("other file", "other files")
      case .coreDataStore, .database, .typedstream, .nib, .propertyList:
        (rawValue, rawValue + "s")
      case .databaseWithArchives: (rawValue, "SQLite databases with archives")
      }
    }
  }

  /// The path as it was found.
  public var path: String
  /// The kind of the file.
  public var kind: Kind
  /// The kind of the file, in words.
  public var reason: String
  /// The size in bytes, if that is known.
  public var bytes: Int?
  /// The digest of its bytes; nil for a file of another kind, of which no more is read than what
  /// tells the kind.
  public var sha256: String?

  package init(
    path: String, kind: Kind, reason: String, bytes: Int? = nil, sha256: String? = nil
  ) {
    (self.path, self.kind, self.reason) = (path, kind, reason)
    (self.bytes, self.sha256) = (bytes, sha256)
  }
}

extension SkippedFile {
  /// Looks what a file is that holds no keyed archive.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - digests: True if the digest is taken of a file whose kind says that it may hold data.
  /// - Throws: The system's error if the file cannot be read: then nobody knows what is in it.
  package init(path: String, digests: Bool = true) throws(SystemError) {
    let descriptor = try FileSystem.open(path)
    defer { close(descriptor) }
    let size = Int(try FileSystem.status(of: descriptor).st_size)
    let head = try FileHead(of: descriptor)
    guard !head.bytes.isEmpty else {
      self.init(
        path: path, kind: .empty, reason: "an empty file", bytes: 0,
        sha256: digests ? MessageDigest.sha256(of: [UInt8]()).hexadecimal : nil)
      return
    }
    let (kind, reason) = try Self.kind(of: head, descriptor)
    let digest = digests && kind != .other ? try Self.digest(of: descriptor) : nil
    self.init(path: path, kind: kind, reason: reason, bytes: size, sha256: digest)
  }

  private static func kind(
    of head: FileHead, _ descriptor: CInt
  ) throws(SystemError) -> (Kind, String) {
    if head.starts(with: "CoreData") { return (.coreDataStore, "a Core Data binary store") }
    switch FileKind(head) {
    case .typedStream: return (.typedstream, "a typedstream (NSArchiver's format)")
    case .nib: return (.nib, "a compiled nib (NIBArchive)")
    case .binaryPropertyList: return (.propertyList, "a property list that is not a keyed archive")
    case .xml where FileKind.isPropertyList(head):
      return (.propertyList, "a property list that is not a keyed archive")
    case .xml where isCoreData(head): return (.coreDataStore, "a Core Data XML store")
    case .xml: return (.other, "XML or HTML")
    case .other where head.isDatabase: return try database(descriptor)
    case .other(let name): return (.other, name)
    }
  }

  private static func digest(of descriptor: CInt) throws(SystemError) -> String {
    var digest = MessageDigest.sha256()
    lseek(descriptor, 0, SEEK_SET)
    while true {
      let part = try FileSystem.read(descriptor, upTo: 1 << 20)
      guard !part.isEmpty else { return digest.finish().hexadecimal }
      digest.update(part)
    }
  }

  private static func isCoreData(_ head: FileHead) -> Bool {
    let text = head.text
    return text.contains("CoreData.dtd") || text.contains("<databaseInfo>")
  }

  /// The greatest number of bytes of a database that are looked at.
  private static let maxOfDatabase = 64 << 20

  /// The kind of a database, by the marks that it holds: it is not opened.
  private static func database(_ descriptor: CInt) throws(SystemError) -> (Kind, String) {
    let archiveMarks = ["bplist00", "streamtyped", "NSKeyedArchiver"]
    var hasArchives = false
    let isStore = try readParts(of: descriptor) { part in
      hasArchives =
        hasArchives
        || archiveMarks.contains { mark in
          part.withBorrowedBytes { FileSystem.contains(mark, $0) }
        }
      return part.withBorrowedBytes { FileSystem.contains(storeMark, $0) }
    }
    if isStore { return (.coreDataStore, "a Core Data SQLite store") }
    return hasArchives
      ? (.databaseWithArchives, "an SQLite database that contains archives")
      : (.database, "an SQLite database")
  }

  /// The mark of a database, or of its log, with tables of Core Data.
  private static let storeMark = "TABLE Z_METADATA"

  /// True if a database, or the log of one, is of Core Data, by the mark that it holds.
  package static func isCoreDataStore(_ path: String) -> Bool {
    guard let descriptor = try? FileSystem.open(path) else { return false }
    defer { close(descriptor) }
    let found = try? readParts(of: descriptor) { part in
      part.withBorrowedBytes { FileSystem.contains(storeMark, $0) }
    }
    return found ?? false
  }

  /// Reads as much of a file as is looked at, until a part has what is looked for; returns whether
  /// one has.
  private static func readParts(
    of descriptor: CInt, _ isFound: ([UInt8]) -> Bool
  ) throws(SystemError) -> Bool {
    var part: [UInt8] = []
    var total = 0
    lseek(descriptor, 0, SEEK_SET)
    while total < maxOfDatabase {
      let read = try FileSystem.read(descriptor, upTo: 1 << 20)
      guard !read.isEmpty else { break }
      // A mark may stand across the end of a part.
      part = part.suffix(32) + read
      if isFound(part) { return true }
      total += read.count
    }
    return false
  }
}

/// The files of directories that hold no keyed archive: how many of each kind, and which.
public struct SkippedFiles: Sendable, Hashable {
  /// The first of each kind.
  public private(set) var listed: [SkippedFile] = []
  private var counts: [SkippedFile.Kind: Int] = [:]
  private var listedCounts: [SkippedFile.Kind: Int] = [:]
  /// The others, where they are kept.
  private(set) var unlisted: UnlistedEntries

  /// The most files of each kind that are listed.
  static let maxListed = 1_000

  package init(_ spill: EntrySpill? = nil) { unlisted = UnlistedEntries(spill) }

  /// Files that were listed before, and how many there were.
  init(listed: [SkippedFile], counts: [SkippedFile.Kind: Int]) {
    (self.listed, self.counts) = (listed, counts)
    for file in listed { listedCounts[file.kind, default: 0] += 1 }
    unlisted = UnlistedEntries()
  }

  /// Adds a file.
  package mutating func add(_ file: SkippedFile) {
    counts[file.kind] = [counts[file.kind] ?? 0, 1].boundedSum
    guard listedCounts[file.kind, default: 0] < Self.maxListed else {
      unlisted.add(.skippedFiles, ConversionReport.Archive(file))
      return
    }
    listed.append(file)
    listedCounts[file.kind, default: 0] += 1
  }

  /// Adds those of another list after these.
  mutating func add(_ others: SkippedFiles) {
    for file in others.listed { add(file) }
    for (kind, count) in others.counts {
      counts[kind] = [counts[kind] ?? 0, count - others.listedCounts[kind, default: 0]].boundedSum
    }
  }

  /// Puts the listed files in the order of their paths: some are passed over when they are found,
  /// others when they are read.
  package mutating func sort() { listed.sort { $0.path.precedesInBytes($1.path) } }

  /// Leaves the list away, which stands somewhere else.
  mutating func forgetList() { listed = [] }

  /// The number of files in all.
  public var count: Int { Array(counts.values).boundedSum }

  /// The number of files that are not listed.
  public var leftOut: Int { max(0, count - Array(listedCounts.values).boundedSum) }

  /// The number of files of each kind, those that hold objects first.
  public var kinds: [(kind: SkippedFile.Kind, count: Int)] {
    SkippedFile.Kind.allCases.compactMap { kind in
      counts[kind].flatMap { $0 > 0 ? (kind, $0) : nil }
    }
  }

  /// The number of files of each kind, in words: "3 typedstreams, 12 property lists, 7 other
  /// files".
  package var words: String { Self.words(kinds) }

  /// The same for those that hold objects alone, or for the others.
  func words(holdingObjects: Bool) -> String {
    Self.words(kinds.filter { $0.kind.holdsObjects == holdingObjects })
  }

  private static func words(_ kinds: [(kind: SkippedFile.Kind, count: Int)]) -> String {
    // There are no others where nothing stands before them.
    guard kinds.contains(where: { $0.kind != .other }) else {
      return kinds.first.map { Words.count($0.count, "file") } ?? ""
    }
    return kinds.map { kind, count in
      Words.count(count, kind.words.one, plural: kind.words.many)
    }.joined(separator: ", ")
  }
}
