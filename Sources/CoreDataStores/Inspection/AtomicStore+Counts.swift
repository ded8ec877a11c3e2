import ArchiveReader
import GraphCore

extension XMLStoreSource {
  /// The number of objects of each entity in an XML store, by the names in it.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limit on the number of entities.
  /// - Returns: The counts, by the names of entities.
  /// - Throws: `ArchiveError` if the store is damaged.
  /// - Complexity: Linear in the size of the file.
  static func objectCounts(
    of file: ByteStorage, limits: ReadingLimits
  ) throws(ArchiveError) -> [String: Int] {
    var counts: [String: Int] = [:]
    var depth = 0
    try XMLStoreEvents.read(file) { (event, _) throws(ArchiveError) in
      switch event {
      case .start(let name, let attributes):
        if depth == 1, name == "object", let type = attributes["type"] {
          counts[type, default: 0] += 1
          guard counts.count <= limits.classes else { throw limits.exceeded(.classes) }
        }
        depth += 1
      case .end: depth -= 1
      case .text: break
      }
      return true
    }
    try file.check()
    return counts
  }
}

extension BinaryStoreSource {
  /// The number of objects of each entity in a binary store.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits on the number of entities, and for the archive in the store.
  /// - Returns: The counts, by the names of entities.
  /// - Throws: `ArchiveError` if the store is damaged.
  /// - Complexity: Linear in the size of the file.
  static func objectCounts(
    of file: ByteStorage, limits: ReadingLimits
  ) throws(ArchiveError) -> [String: Int] {
    let envelope = try Envelope(file)
    let archive = try KeyedArchive.read(try part(envelope.data, of: file), limits: limits)
    let graph = archive.makeGraph(GraphOptions(limits: limits))
    guard let root = archive.roots.first(where: { $0.key == "mapData" }),
      case .collection(let id, .dictionary) = try graph.value(of: root)
    else { throw ArchiveError(.damagedStore, name: "its data has no mapData") }
    let nodes = try graph.elements(of: id, .dictionary)
    var counts: [String: Int] = [:]
    for position in 0..<nodes.count {
      guard case .object(let uid, _) = try graph.value(of: nodes, at: position) else { continue }
      let node = try graph.object(uid)
      guard let place = graph.position(of: "NSEntityName", in: node),
        case .text(let name) = try graph.value(of: node, at: place)
      else { continue }
      counts[name.string, default: 0] += 1
      guard counts.count <= limits.classes else { throw limits.exceeded(.classes) }
    }
    try archive.check()
    return counts
  }
}
