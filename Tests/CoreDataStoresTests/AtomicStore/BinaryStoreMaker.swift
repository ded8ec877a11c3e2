import ArchiveReader
import ArchiveWriter
import CoreDataStores
import DataModel
import Foundation
import TestSupport

/// Makes binary stores as Core Data writes them.
struct BinaryStoreMaker {
  /// A node of the map.
  struct Node {
    var key: Int64
    /// The key that the node says it has.
    var ownKey: Int64?
    var entity: String
    /// The row of values, without those in the places of relationships.
    var values: [PropertyListValue]
    /// How many of these follow.
    var relationships: Int
    var related: [(name: String, keys: [Int64])] = []
    /// What Core Data writes in no node.
    var others: [KeyValue] = []
  }

  var model = StoreModels.library
  var hashes: [String: Data]?
  var nodes: [Node] = []
  /// The archive that the values of nodes are added to.
  var archive = KeyedArchiveBuilder()

  /// The archive of the nodes.
  var data: Data {
    var archive = archive
    // What nothing refers to would be surplus.
    let hasNull = nodes.contains { $0.relationships > 0 || $0.values.contains(.null) }
    let null = hasNull ? archive.null() : .none
    let map = nodes.map { node in
      archive.storeNode(
        key: node.ownKey ?? node.key, entity: node.entity,
        row: node.values.map { $0 == .null ? null : $0 }
          + Array(repeating: null, count: node.relationships),
        related: node.related, others: node.others)
    }
    let root = archive.dictionary(
      keys: nodes.map { .integer($0.key) }, values: map, className: "NSMutableDictionary")
    archive.setTop("mapData", root)
    return archive.binary()
  }

  /// The archive of the metadata, as far as it is not of the store.
  var metadataArchive = KeyedArchiveBuilder()

  /// The archive of the metadata.
  var metadata: Data {
    var archive = metadataArchive
    let own = (hashes ?? model.hashes()).sorted { $0.key < $1.key }
    let hashList = archive.dictionary(
      keys: own.map { .string($0.key) }, values: own.map { archive.mutableData($0.value) })
    let identifiers = archive.array(["1.0"])
    let uuid = archive.mutableString("2CEA163C-E4AB-44E5-A33A-B43DFE633544")
    let root = archive.dictionary([
      "NSStoreType": "Binary", "NSStoreUUID": uuid, "NSPersistenceFrameworkVersion": 481,
      "NSStoreModelVersionHashes": hashList, "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionIdentifiers": identifiers, "lastOpened": "yesterday",
    ])
    archive.setTop("metadata", root)
    return archive.binary()
  }

  /// The whole file.
  var bytes: [UInt8] { Self.file(data: data, metadata: metadata) }

  var storage: ByteStorage { ByteStorage(bytes) }

  /// A file of two archives.
  static func file(data: Data, metadata: Data) -> [UInt8] {
    BinaryStoreFile.bytes(data: data, metadata: metadata, lastKey: 190)
  }

  /// Two folders, a note with a value of each type, and a tag: the objects of most tests.
  static let library: BinaryStoreMaker = {
    var maker = BinaryStoreMaker()
    let style = maker.archive.dictionary(
      ["size": 12, "font": maker.archive.instance(of: "Font", ["name": "Geneva"])])
    let uuid = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") ?? UUID()
    let amount = (try? maker.archive.decimal("3.33")) ?? .null
    maker.nodes = [
      Node(
        key: 104, entity: "Note",
        // Those of Item, then those of Note, capitals first.
        values: [
          -7, maker.archive.mutableString("Konst & Teknik"),
          maker.archive.url("https://example.org/"), amount,
          maker.archive.mutableData(Data([0, 1, 2])),
          maker.archive.date(secondsSince2001: 253_616_400.25), .integer(.max), 0.1,
          maker.archive.uuid(uuid), 3, style, 2.5,
        ], relationships: 2, related: [("parent", [20]), ("tags", [5])]),
      Node(
        key: 20, entity: "Folder", values: [.null, "", 1], relationships: 3,
        related: [("items", [104, 3])]),
      Node(
        key: 3, entity: "Folder", values: [.null, .null, 0], relationships: 3,
        related: [("parent", [20]), ("items", [])]),
      Node(
        key: 5, entity: "Tag", values: ["red"], relationships: 1, related: [("taggedItems", [104])]),
    ]
    return maker
  }()
}
