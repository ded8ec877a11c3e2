import ArchiveWriter
import Foundation
import TestSupport

extension ArchivedFile {
  /// The bytes of the archive.
  package func bytes() throws -> Data {
    var archive = KeyedArchiveBuilder()
    var generator = SeededGenerator(seed: order)
    var objectSlots: [KeyedArchiveBuilder.Slot?] = objects.map { _ in nil }
    var collectionSlots: [KeyedArchiveBuilder.Slot?] = collections.map { _ in nil }
    let count = objects.count + collections.count
    for number in order == 0 ? Array(0..<count) : (0..<count).shuffled(using: &generator) {
      if number < objects.count {
        objectSlots[number] = archive.reserve()
      } else {
        collectionSlots[number - objects.count] = archive.reserve()
      }
    }
    func value(
      _ content: Content, isElement: Bool, _ archive: inout KeyedArchiveBuilder
    ) -> PropertyListValue {
      switch content {
      case .none: .none
      case .null: archive.null()
      case .leaf(let leaf, let isBoxed):
        leaf.encoded(isBoxed: isBoxed || isElement, &archive)
      case .object(let number): objectSlots[number]?.reference ?? .none
      case .collection(let number): collectionSlots[number]?.reference ?? .none
      }
    }
    for (object, slot) in zip(objects, objectSlots) {
      guard let slot else { continue }
      let pairs = object.pairs.map {
        KeyValue($0.key, value($0.content, isElement: false, &archive))
      }
      archive.fill(slot, className: object.className, pairs)
    }
    for (collection, slot) in zip(collections, collectionSlots) {
      guard let slot else { continue }
      // The counts of a counted set are plain.
      let isBoxed = collection.kind != .countedSet
      let elements = collection.elements.map { value($0, isElement: isBoxed, &archive) }
      let keys = collection.keys.map { value($0, isElement: true, &archive) }
      archive.fill(
        slot, className: collection.kind.rawValue, Self.pairs(collection.kind, elements, keys))
    }
    for pair in top {
      archive.setTop(pair.key, value(pair.content, isElement: false, &archive))
    }
    return isXML ? try archive.xml() : archive.binary()
  }

  private static func pairs(
    _ kind: ArchivedCollection.Kind, _ elements: [PropertyListValue], _ keys: [PropertyListValue]
  ) -> [KeyValue] {
    switch kind {
    case .array, .mutableArray, .set, .mutableSet: [KeyValue("NS.objects", .array(elements))]
    case .orderedSet:
      elements.enumerated().map { KeyValue("NS.object.\($0.offset)", $0.element) }
    case .dictionary, .mutableDictionary:
      [KeyValue("NS.keys", .array(keys)), KeyValue("NS.objects", .array(elements))]
    case .countedSet:
      [KeyValue("NS.count", .integer(Int64(keys.count)))]
        + zip(keys, elements).enumerated().flatMap { place, pair in
          [KeyValue("NS.object\(place)", pair.0), KeyValue("NS.count\(place)", pair.1)]
        }
    }
  }
}
