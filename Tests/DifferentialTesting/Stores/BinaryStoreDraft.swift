import ArchiveWriter
import DataModel
import Foundation
import TestSupport

/// A binary store as Core Data writes it, before it is written.
struct BinaryStoreDraft {
  /// A node of the map from primary keys to objects.
  struct Node {
    var key: Int64
    var entity: String
    /// Its values; none where it has an NSNull.
    var row: [PropertyListValue?]
    var related: [(name: String, keys: [Int64])]
    /// Further keys.
    var surplus: [KeyValue] = []
  }

  let content: StoreContent
  var nodes: [Node] = []
  /// The archive of the objects.
  var archive = KeyedArchiveBuilder()
  /// What stands beside its top-level keys.
  var outermost: [KeyValue] = []
  /// The archive of the metadata.
  var listArchive = KeyedArchiveBuilder()
  /// What stands beside its top-level keys.
  var listOutermost: [KeyValue] = []
  /// What an application keeps in the metadata.
  var metadata: [KeyValue] = []

  init(_ content: StoreContent) {
    self.content = content
    for (number, object) in content.objects.enumerated() {
      let levels = content.ancestors(of: object.entity).reversed()
      let row = levels.flatMap(\.storedAttributes).map { attribute in
        object.values[attribute.name].map { $0.encoded(isBoxed: true, &archive) }
      }
      let relationships = content.whole(object.entity).relationships
      nodes.append(
        Node(
          key: Self.key(number), entity: object.entity,
          row: row + relationships.map { _ in nil },
          related: relationships.compactMap { relationship in
            object.links[relationship.name].map { (relationship.name, $0.map(Self.key)) }
          }))
    }
  }

  static func key(_ object: Int) -> Int64 { Int64(object + 1) }

  /// The place of an attribute in the row of an entity's objects.
  func place(of attribute: String, in entity: String) -> Int? {
    content.ancestors(of: entity).reversed().flatMap(\.storedAttributes)
      .firstIndex { $0.name == attribute }
  }

  // MARK: Bytes

  var bytes: Data {
    Data(BinaryStoreFile.bytes(data: data, metadata: list, lastKey: nodes.count + 1))
  }

  private var data: Data {
    var archive = archive
    // An NSNull that nothing refers to would be surplus.
    let null = nodes.contains { $0.row.contains { $0 == nil } } ? archive.null() : .none
    let objects = nodes.map { node in
      archive.storeNode(
        key: node.key, entity: node.entity, row: node.row.map { $0 ?? null },
        related: node.related, others: node.surplus)
    }
    archive.setTop(
      "mapData",
      archive.dictionary(
        keys: nodes.map { .integer($0.key) }, values: objects, className: "NSMutableDictionary"))
    return archive.binary(with: outermost)
  }

  private var list: Data {
    var archive = listArchive
    let hashes = ModelSource(content.model).hashes().sorted { $0.key < $1.key }
    let pairs: [KeyValue] = [
      KeyValue("NSStoreType", "Binary"),
      KeyValue("NSStoreUUID", archive.string("2CEA163C-E4AB-44E5-A33A-B43DFE633544")),
      KeyValue("NSPersistenceFrameworkVersion", 481),
      KeyValue(
        "NSStoreModelVersionHashes",
        archive.dictionary(
          keys: hashes.map { .string($0.key) },
          values: hashes.map { archive.mutableData($0.value) })),
      KeyValue("NSStoreModelVersionHashesVersion", 3),
      KeyValue("NSStoreModelVersionIdentifiers", archive.array([])),
    ]
    let all = pairs + metadata
    archive.setTop(
      "metadata",
      archive.dictionary(keys: all.map { .string($0.key) }, values: all.map(\.value)))
    return archive.binary(with: listOutermost)
  }
}
