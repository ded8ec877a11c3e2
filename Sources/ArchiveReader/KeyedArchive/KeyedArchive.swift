/// A keyed archive: the frame that NSKeyedArchiver writes around a graph of objects.
///
/// The archive is a property list with four keys: `$archiver` and `$version` say who wrote it,
/// `$objects` holds every object, and `$top` leads to those that were encoded first. Objects
/// refer to each other by UID, the place in `$objects`; entry 0 stands for nil.
public final class KeyedArchive: Sendable {
  /// The property list that the archive is.
  public let propertyList: PropertyList
  /// The name of the archiver's class.
  ///
  /// Subclasses of NSKeyedArchiver write their own. It is "property list" where an archive held
  /// another kind of property list, which is read as one without objects.
  public let archiver: String
  /// The version of the format: 100000 in all but a few archives.
  public let version: Int64
  /// The number of entries in `$objects`, the one for nil included.
  public let objectCount: Int

  /// The losses, if the archive is a damaged one of which the rest is read.
  public let salvage: Salvage?

  package let table: NodeTable
  package let objects: Node.Run
  package let topLevel: [TopLevelEntry]
  /// The keys of the outermost dictionary that are no part of the format, and further ones of the
  /// same name.
  let otherKeys: [String]

  /// A key of `$top` and its value, mostly a UID.
  package struct TopLevelEntry: Sendable {
    package var key: String
    package var node: Node
    /// The entry of `$objects` that stands here by itself, since what led to it is lost.
    package var stray: Int?
  }

  /// The keys of `$top`, in the order of the file.
  public var topLevelKeys: [String] { topLevel.map { ArchivedName.plain($0.key) } }

  /// Reads the archive in a file.
  ///
  /// - Complexity: As `PropertyList.init(contentsOf:limits:)`.
  public convenience init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    try self.init(try PropertyList(contentsOf: path, limits: limits))
  }

  /// Reads the archive in bytes in memory.
  public convenience init(
    bytes: some Collection<UInt8>, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    try self.init(try PropertyList(bytes: bytes, limits: limits))
  }

  /// Reads the archive that a property list is.
  public convenience init(_ propertyList: PropertyList) throws(ArchiveError) {
    do throws(ArchiveError) {
      try self.init(frameOf: propertyList)
    } catch {
      throw propertyList.explained(error)
    }
  }

  private init(frameOf propertyList: PropertyList) throws(ArchiveError) {
    let table = propertyList.table
    let name = propertyList.format == .binary ? "binary" : "XML"
    guard case .dictionary(let keys, let values) = table.value(of: propertyList.top) else {
      throw ArchiveError(.notAnArchive, at: .topLevel, name: "a plain \(name) property list")
    }
    let frame = Frame(table, keys, values)
    guard Self.isArchive(propertyList) else {
      throw ArchiveError(.notAnArchive, at: .topLevel, name: "a plain \(name) property list")
    }
    guard case .text(let archiver) = frame.archiver else {
      throw ArchiveError(.missingArchiver, at: .topLevelKey("$archiver"))
    }
    guard case .integer(let version) = frame.version else {
      throw ArchiveError(.missingVersion, at: .topLevelKey("$version"))
    }
    guard case .array(let objects) = frame.objects else {
      throw ArchiveError(.missingObjects, at: .topLevelKey("$objects"))
    }
    guard case .dictionary(let topKeys, let topValues) = frame.top else {
      throw ArchiveError(.missingTop, at: .topLevelKey("$top"))
    }
    guard version >= 0, version <= 100_000 else {
      throw ArchiveError(
        .unsupportedVersion, at: .topLevelKey("$version"), name: "\(version)")
    }
    self.propertyList = propertyList
    self.table = table
    self.objects = objects
    self.archiver = table.string(archiver)
    self.version = version
    otherKeys = frame.otherKeys
    salvage = nil
    objectCount = objects.count
    topLevel = (0..<topKeys.count).map { position in
      TopLevelEntry(
        key: table.name(at: table[topKeys, position]) ?? "", node: table[topValues, position])
    }
    if hasNoReference, propertyList.format != .typedstream {
      throw ArchiveError(.noReference, at: .topLevelKey("$top"))
    }
  }

  /// True if there are objects, and top-level keys that lead to none of them: an archiver writes an
  /// object because something refers to it.
  private var hasNoReference: Bool {
    objectCount > 1 && !topLevel.isEmpty
      && !topLevel.contains { entry in
        switch table.value(of: entry.node) {
        case .uid: true
        case .array(let run), .set(let run), .dictionary(_, let run):
          (0..<run.count).contains { table.uid(of: table[run, $0]) != nil }
        default: false
        }
      }
  }

  /// An archive without objects, whose top-level keys hold values of a property list.
  init(plain propertyList: PropertyList, _ topLevel: [TopLevelEntry]) {
    self.propertyList = propertyList
    table = propertyList.table
    objects = Node.Run(offset: 0, count: 0)
    archiver = Self.plainArchiver
    version = 0
    objectCount = 0
    salvage = nil
    otherKeys = []
    self.topLevel = topLevel
  }

  /// The values of the outermost dictionary under the keys of the format, and its other keys.
  private struct Frame {
    private(set) var archiver: Node.Value?
    private(set) var version: Node.Value?
    private(set) var objects: Node.Value?
    private(set) var top: Node.Value?
    private(set) var otherKeys: [String] = []

    init() {}

    init(_ table: NodeTable, _ keys: Node.Run, _ values: Node.Run) {
      for position in 0..<keys.count {
        let key = table.name(at: table[keys, position]) ?? ""
        let value = table.value(of: table[values, position])
        // The first of equal keys counts.
        switch key {
        case "$archiver" where archiver == nil: archiver = value
        case "$version" where version == nil: version = value
        case "$objects" where objects == nil: objects = value
        case "$top" where top == nil: top = value
        default: otherKeys.append(key)
        }
      }
    }
  }

  /// The same archive, with what is known to be lost of it.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - salvage: The losses.
  ///   - strays: Entries of `$objects` that are to be read beside the top-level keys, since what
  ///     led to them is lost.
  init(_ archive: KeyedArchive, salvage: Salvage, strays: [Int] = []) {
    propertyList = archive.propertyList
    table = archive.table
    objects = archive.objects
    archiver = archive.archiver
    version = archive.version
    objectCount = archive.objectCount
    otherKeys = archive.otherKeys
    topLevel =
      archive.topLevel
      + strays.map { uid in
        TopLevelEntry(
          key: "salvaged object \(uid)", node: archive.table[archive.objects, uid], stray: uid)
      }
    self.salvage = salvage
  }

  /// Reads the archive that a damaged property list was; adds what is missing of its frame.
  init(damaged propertyList: PropertyList, losses: inout [ArchiveError]) throws(ArchiveError) {
    let table = propertyList.table
    var frame = Frame()
    if case .dictionary(let keys, let values) = table.value(of: propertyList.top) {
      frame = Frame(table, keys, values)
    }
    guard case .array(let objects) = frame.objects else {
      throw ArchiveError(.missingObjects, at: .topLevelKey("$objects"))
    }
    func note(_ code: ArchiveError.Code, _ key: String) {
      losses.append(ArchiveError(code, at: .topLevelKey(key)))
    }
    if case .text(let text) = frame.archiver {
      archiver = table.string(text)
    } else {
      note(.missingArchiver, "$archiver")
      archiver = "NSKeyedArchiver"
    }
    if case .integer(let number) = frame.version, (0...100_000).contains(number) {
      version = number
    } else {
      note(.missingVersion, "$version")
      version = 100_000
    }
    if case .dictionary(let keys, let values) = frame.top {
      topLevel = (0..<keys.count).map { position in
        TopLevelEntry(
          key: table.name(at: table[keys, position]) ?? "", node: table[values, position])
      }
    } else {
      note(.missingTop, "$top")
      topLevel = []
    }
    self.propertyList = propertyList
    self.table = table
    self.objects = objects
    objectCount = objects.count
    salvage = nil
    otherKeys = frame.otherKeys
    if hasNoReference { note(.noReference, "$top") }
  }
}

extension NodeTable {
  /// A text as a string; unpaired surrogates become U+FFFD.
  package func string(_ text: Text) -> String {
    borrowed(text).string
  }

  /// A text as a string; nil if it has unpaired surrogates, which a string cannot hold.
  package func exactString(_ text: Text) -> String? {
    borrowed(text).exactString
  }

  /// The string that a node holds, or nil if it holds something else.
  package func string(at node: Node) -> String? {
    guard case .text(let text) = value(of: node) else { return nil }
    return string(text)
  }
}
