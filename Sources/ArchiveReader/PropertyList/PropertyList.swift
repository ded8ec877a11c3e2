import Support
import Synchronization

/// A property list, binary or XML, as a table of nodes; or a compiled nib, as that of a keyed
/// archive.
///
/// A binary list is read where it lies, in the mapped file; an XML one and a nib are parsed into the
/// same kind of table. Nothing above this type knows which it was, but for reports.
public final class PropertyList: Sendable {
  /// The encodings.
  public enum Format: String, Sendable, CaseIterable {
    /// A binary property list ("bplist00").
    case binary
    /// An XML property list.
    case xml
    /// A compiled nib ("NIBArchive").
    case nib
    /// A typedstream, read as the list that a keyed archive of its objects is.
    case typedstream
  }

  /// The encoding of the file.
  public let format: Format
  /// The size of the file in bytes.
  public let byteCount: Int
  /// The number of control characters in an XML file that XML 1.0 forbids.
  ///
  /// They are kept.
  public let forbiddenCharacters: Int

  /// The versions of classes in a typedstream.
  let classVersions: [String: Int64]
  /// The errors of a file of which the rest is read.
  let losses: [ArchiveError]
  /// Its nodes that are null since their objects are damaged, and why.
  let damagedNodes: [Int: ArchiveError]

  package let table: NodeTable
  package let top: Node
  /// The memory that `table` reads.
  private let storage: [ByteStorage]

  /// Reads a file.
  ///
  /// - Complexity: Linear in the size of the file. A binary list takes no memory beyond the
  ///   mapped file, an XML one some bytes for each value; most texts stay in the file.
  public convenience init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    try self.init(try ByteStorage(contentsOf: path), limits: limits)
  }

  /// Reads bytes in memory.
  public convenience init(
    bytes: some Collection<UInt8>, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    guard !bytes.isEmpty else { throw ArchiveError(.empty) }
    try self.init(ByteStorage(bytes), limits: limits)
  }

  /// The memory that the list takes, in bytes, mapped files left out.
  package var residentBytes: Int { storage.reduce(0) { $0 + $1.residentBytes } }

  /// True if a text of ASCII characters occurs in its bytes, or if their encoding hides that.
  func mayContain(_ text: String) -> Bool {
    storage.contains { part in
      let bytes = unsafe part.bytes
      // UTF-16 and UTF-32 have zeros between characters, or begin with a mark.
      let isWide = unsafe format == .xml && bytes.prefix(2).contains { $0 == 0 || $0 >= 0xFE }
      return isWide || Self.contains(text, part)
    }
  }

  /// Threads search parts of this many bytes.
  private static let searchedPart = 4 << 20

  /// True if a text occurs among the bytes of a file.
  private static func contains(_ text: String, _ part: ByteStorage) -> Bool {
    // A text may begin in one part and end in the next.
    let overlap = text.utf8.count - 1
    let isFound = Atomic(false)
    WorkerThread.perform(iterations: part.count / searchedPart + 1) { index in
      guard !isFound.load(ordering: .relaxed) else { return }
      let start = index * searchedPart
      let end = min(part.count, start + searchedPart + overlap)
      if FileSystem.contains(text, part.borrowed.part(start..<end)) {
        isFound.store(true, ordering: .relaxed)
      }
    }
    return isFound.load(ordering: .relaxed)
  }

  /// Refuses what was read if its file could not be read: see `ByteStorage.check()`.
  package func check() throws(ArchiveError) {
    for part in storage { try part.check() }
  }

  /// The bytes of one of its data values, where they lie.
  ///
  /// - Throws: `ArchiveError` if there are no such bytes: the place was found in a file that has
  ///   changed since.
  package func part(_ range: ByteRange) throws(ArchiveError) -> ByteStorage {
    // The first piece of memory is the one that nodes are in.
    guard let memory = storage.first, range.offset >= 0, range.count > 0,
      range.offset <= memory.count, range.count <= memory.count - range.offset
    else { throw .changed }
    return unsafe ByteStorage(table.bytes(range), of: storage)
  }

  /// The error that a reader of the values met, or what explains it: see `LineEndDamage`.
  ///
  /// - Parameter error: The error.
  /// - Returns: The error to tell.
  package func explained(_ error: ArchiveError) -> ArchiveError {
    guard format == .binary, error.code.isDamage, let file = storage.first else { return error }
    return LineEndDamage.explain(error, in: file)
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - file: The bytes.
  ///   - limits: The limits of the reader.
  ///   - isSalvaging: True if what can still be read of a damaged file is read. A file whose line
  ///     ends were converted is refused: what it would give is not what was written.
  ///   - positions: The names of positions in a typedstream.
  /// - Throws: `ArchiveError` if it is no property list, or damaged.
  package convenience init(
    _ file: ByteStorage, limits: ReadingLimits, isSalvaging: Bool = false,
    positions: PositionRules = PositionRules()
  ) throws(ArchiveError) {
    switch FileKind(file.head) {
    case .binaryPropertyList:
      try self.init(binary: file, limits: limits, isSalvaging: isSalvaging)
    case .xml:
      let result = try withExtendedLifetime(file) { () throws(ArchiveError) in
        try unsafe XMLReader.read(file.bytes, limits: limits, isSalvaging: isSalvaging)
      }
      self.init(result, of: file, .xml)
    case .nib: self.init(try NibReader.read(file, limits: limits), of: file, .nib)
    case .typedStream: try self.init(typedstream: file, positions, limits: limits)
    case .other(let name):
      throw ArchiveError(.notAnArchive, at: .byte(0), name: name)
    }
  }

  private init(
    binary file: ByteStorage, limits: ReadingLimits, isSalvaging: Bool
  ) throws(ArchiveError) {
    byteCount = file.count
    format = .binary
    (forbiddenCharacters, classVersions) = (0, [:])
    do throws(ArchiveError) {
      (table, top) = try BinaryReader.read(file, limits: limits)
      (storage, losses, damagedNodes) = ([file], [], [:])
    } catch {
      guard isSalvaging, error.code.leavesRest else { throw error }
      (table, top, storage, losses, damagedNodes) = try Self.repair(file, after: error, limits)
    }
  }

  /// Makes what can be made of a binary list that can be read, but is no archive for an error: its
  /// offsets may be wrong.
  init(
    repairing file: ByteStorage, after error: ArchiveError, limits: ReadingLimits
  ) throws(ArchiveError) {
    byteCount = file.count
    format = .binary
    (forbiddenCharacters, classVersions) = (0, [:])
    (table, top, storage, losses, damagedNodes) = try Self.repair(file, after: error, limits)
  }

  private static func repair(
    _ file: ByteStorage, after error: ArchiveError, _ limits: ReadingLimits
  ) throws(ArchiveError) -> (NodeTable, Node, [ByteStorage], [ArchiveError], [Int: ArchiveError]) {
    let repaired = try unsafe BinaryRepair.repair(file.bytes, after: error)
    let copy = ByteStorage(repaired.bytes)
    let (table, top) = try BinaryReader.read(copy, limits: limits)
    return (table, top, [copy], repaired.losses, repaired.damagedNodes)
  }

  /// Reads a typedstream, as the property list that a keyed archive of the same objects is.
  ///
  /// - Complexity: Linear in the size of the file. Takes some bytes for each value; texts stay in the
  ///   file.
  package init(
    typedstream file: ByteStorage, _ positions: PositionRules = PositionRules(),
    limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    let stream = try Typedstream.Reader.read(file.borrowed, limits: limits)
    let made = try Typedstream.Converter.convert(stream, file.borrowed, positions, limits: limits)
    byteCount = file.count
    format = .typedstream
    forbiddenCharacters = 0
    (table, top, storage) = (made.table, made.top, [made.storage, file])
    var names: Set<Int> = []
    let classes = stream.classes.filter { names.insert($0.name).inserted }
    classVersions = Dictionary(
      classes.map { (stream.string($0.name, file.borrowed), $0.version) },
      uniquingKeysWith: { first, _ in first })
    (losses, damagedNodes) = (made.losses, [:])
  }

  private init(_ result: Assembler.Result, of file: ByteStorage, _ format: Format) {
    byteCount = file.count
    self.format = format
    (table, top) = (result.table, result.top)
    forbiddenCharacters = result.controlCharacters
    classVersions = [:]
    storage = result.readsFile ? [result.storage, file] : [result.storage]
    (losses, damagedNodes) = (result.losses, result.damagedNodes)
  }
}

extension PropertyList {
  /// The two readers of XML property lists.
  package enum XMLReading: Sendable {
    /// The one for lists as archivers write them.
    case scanner
    /// The one for all XML.
    case libxml2
  }

  /// Reads an XML property list with one of the two readers, to compare them; nil if the scanner
  /// leaves it to libxml2.
  ///
  /// - Parameters:
  ///   - file: The bytes.
  ///   - reader: The reader.
  ///   - limits: The limits of the reader.
  /// - Throws: `ArchiveError` if libxml2 finds it to be damaged.
  package convenience init?(
    _ file: ByteStorage, with reader: XMLReading, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    let result: Assembler.Result?
    switch reader {
    case .scanner: result = unsafe XMLScanner.read(file.bytes, limits: limits)
    case .libxml2: result = try unsafe XMLReader.parse(file.bytes, limits: limits)
    }
    guard let result else { return nil }
    self.init(result, of: file, .xml)
  }
}

extension ArchiveError.Code {
  /// True if the parts of the file that the error does not concern can still be read.
  var leavesRest: Bool {
    switch self {
    case .unreadable, .empty, .notAnArchive, .outOfMemory, .damagedLineEnds, .entityDeclared,
      .tooDeep, .tooMany, .expansion:
      false
    default: true
    }
  }

  /// True if the file ends too early.
  var isTruncation: Bool { self == .truncated || self == .truncatedXML }
}
