import ArchiveReader
import GraphCore

extension XMLStoreSource.Reader {
  /// The head of an XML store, before its objects: `databaseInfo`, with the metadata in it.
  ///
  /// All of it may be missing, in stores that other programs made.
  struct Head {
    private(set) var uuid = ""
    /// The property list, written again without attributes.
    private var list: [UInt8] = []
    /// The names of the elements that are open in `databaseInfo`.
    private var path: [String] = []
    private let limits: ReadingLimits

    /// The greatest size of the property list, in bytes: far beyond real ones.
    private static let largestList = 64 << 20

    init(limits: ReadingLimits) {
      self.limits = limits
    }

    private var isInList: Bool { path.count >= 2 && path[0] == "metadata" && path[1] == "plist" }

    mutating func start(_ name: String) throws(ArchiveError) {
      guard path.count < limits.depth else { throw limits.exceeded(.depth) }
      path.append(name)
      if isInList { try append("<\(name)>".utf8) }
    }

    mutating func text(_ bytes: some Collection<UInt8>) throws(ArchiveError) {
      if path == ["UUID"] {
        guard uuid.utf8.count + bytes.count <= 1_024 else {
          throw ArchiveError(.damagedMetadata, name: "the UUID is too long")
        }
        uuid += String(decoding: bytes, as: UTF8.self)
      } else if isInList {
        for byte in bytes {
          switch byte {
          case UInt8(ascii: "<"): try append("&lt;".utf8)
          case UInt8(ascii: ">"): try append("&gt;".utf8)
          case UInt8(ascii: "&"): try append("&amp;".utf8)
          default: try append(CollectionOfOne(byte))
          }
        }
      }
    }

    /// Ends the innermost element; returns false if none is open.
    mutating func end() throws(ArchiveError) -> Bool {
      guard let name = path.last else { return false }
      if isInList { try append("</\(name)>".utf8) }
      path.removeLast()
      return true
    }

    private mutating func append(_ bytes: some Collection<UInt8>) throws(ArchiveError) {
      guard list.count + bytes.count <= Self.largestList else {
        throw ArchiveError(.damagedMetadata, name: "it is too large")
      }
      list.append(contentsOf: bytes)
    }

    /// The metadata of the store.
    func metadata() throws(ArchiveError) -> CoreDataMetadata {
      let uuid = String(uuid.filter { !$0.isWhitespace })
      guard !list.isEmpty else { return CoreDataMetadata(values: [], uuid: uuid) }
      let archive: KeyedArchive
      do throws(ArchiveError) {
        let bytes = ByteStorage(Array("<?xml version=\"1.0\"?>".utf8) + list)
        archive = try KeyedArchive.read(bytes, limits: limits)
      } catch {
        throw ArchiveError(.damagedMetadata, name: "\(error)")
      }
      let graph = archive.makeGraph(GraphOptions(limits: limits))
      var reader = MetadataReader(graph, limits: limits)
      return CoreDataMetadata(values: try reader.values(ofRoots: archive.roots), uuid: uuid)
    }
  }
}
