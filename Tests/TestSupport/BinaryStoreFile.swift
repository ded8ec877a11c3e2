import ArchiveWriter
import Foundation

/// A binary store of Core Data: its envelope, and the archives in it.
package enum BinaryStoreFile {
  /// The bytes of a store.
  ///
  /// - Parameters:
  ///   - data: The archive of the objects.
  ///   - metadata: The archive of the metadata.
  ///   - lastKey: The highest primary key ever given.
  /// - Returns: The bytes.
  package static func bytes(data: Data, metadata: Data, lastKey: Int) -> [UInt8] {
    var bytes = Array("CoreData".utf8)
    func put(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }
    put(1 as UInt32)
    put(0x0804_0800 as UInt32)
    for number in [64 + data.count, metadata.count, 64, data.count, lastKey, 0] {
      put(UInt64(number))
    }
    return bytes + data + metadata
  }
}

extension KeyedArchiveBuilder {
  /// Adds a node of the map of a binary store.
  ///
  /// - Parameters:
  ///   - key: The primary key.
  ///   - entity: The name of the entity.
  ///   - row: The values, then those in the places of relationships.
  ///   - related: The keys that each relationship holds.
  ///   - others: Keys that Core Data writes in no node.
  /// - Returns: The reference to the node.
  package mutating func storeNode(
    key: Int64, entity: String, row: [PropertyListValue],
    related: [(name: String, keys: [Int64])], others: [KeyValue]
  ) -> PropertyListValue {
    let row = array(row)
    // A dictionary that nothing refers to would be surplus.
    let links: PropertyListValue =
      related.isEmpty
      ? .none
      : dictionary(
        keys: related.map { .string($0.name) },
        values: related.map { mutableArray($0.keys.map { .integer($0) }) },
        className: "NSMutableDictionary")
    return instance(
      of: "NSDictionaryMapNode",
      hierarchy: ["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"],
      [
        KeyValue("NSPrimaryKey64", .integer(key)), KeyValue("NSEntityName", string(entity)),
        KeyValue("NSAttributeValues", row), KeyValue("NSRelatedNodes", links),
      ] + others)
  }
}
