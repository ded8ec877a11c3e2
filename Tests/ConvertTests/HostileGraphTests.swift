import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Graphs that only look hostile")
struct HostileGraphTests {
  /// Converts an archive within the limits that hostile ones get.
  private func convert(_ archive: Data) throws -> ConvertedStore {
    // A collection under a top-level key stands by itself, and not in a document.
    try ConvertedStore(
      archive: archive, ["--dictionaries", "pairs"], limits: HostileFile.limits)
  }

  @Test("an NSArray that holds itself is a collection that leads to itself")
  func keepsCircularArray() throws {
    let converted = try convert(
      HostileFile.archive { archive in
        let slot = archive.reserve()
        archive.fill(slot, className: "NSArray", ["NS.objects": [slot.reference]])
        return slot.reference
      })
    try converted.store.expect("SELECT * FROM _top", ["1|1|root|NULL|_collection|1"])
    try converted.store.expect("SELECT * FROM _collection", ["1|array"])
    try converted.store.expect(
      "SELECT * FROM _collection_element", ["1|1|0|NULL|NULL|NULL|NULL|1|_collection"])
  }

  @Test("a dictionary that is its own key and value leads to itself")
  func keepsCircularDictionary() throws {
    let converted = try convert(
      HostileFile.archive { archive in
        let slot = archive.reserve()
        archive.fill(
          slot, className: "NSDictionary",
          ["NS.keys": [slot.reference], "NS.objects": [slot.reference]])
        return archive.instance(of: "Owner", ["pairs": slot.reference])
      })
    try converted.store.expect(
      "SELECT * FROM Owner_pairs", ["1|1|1|_collection|1|_collection"])
    try converted.store.expect(
      "SELECT * FROM _collection_element", ["1|1|NULL|NULL|1|_collection|NULL|1|_collection"])
  }

  @Test("a chain of NSArrays, each of which holds the next twice, is kept once")
  func keepsDoublingChain() throws {
    let depth = 60
    let converted = try convert(
      HostileFile.archive { archive in
        (0..<depth).reduce(archive.string("lol")) { last, _ in archive.array([last, last]) }
      })
    try converted.store.expect("SELECT count(*) FROM _collection", "\(depth)")
    try converted.store.expect(
      "SELECT count(*), count(value), count(value_id) FROM _collection_element",
      ["\(2 * depth)|2|\(2 * depth - 2)"])
  }

  @Test("a chain of 100,000 NSArrays takes no stack")
  func keepsDeepChain() throws {
    let depth = 100_000
    var raw = RawArchive()
    let leaf = raw.addObject(raw.string("leaf"))
    let root = (0..<depth).reduce(leaf) { last, _ in
      let list = raw.node(.array([last]))
      return raw.addObject(raw.instance(of: "NSArray", ["NS.objects": list]))
    }
    let converted = try convert(raw.data(root: root))
    try converted.store.expect("SELECT count(*), max(id) FROM _collection", ["\(depth)|\(depth)"])
    try converted.store.expect(
      "SELECT count(*), sum(value_id = collection_id + 1), sum(value = 'leaf') "
        + "FROM _collection_element", ["\(depth)|\(depth - 1)|1"])
  }

  @Test("an object that leads to itself under every key is one row")
  func keepsSelfReference() throws {
    let converted = try convert(
      HostileFile.archive { archive in
        let slot = archive.reserve()
        let all = archive.array([slot.reference, slot.reference])
        return archive.fill(
          slot, className: "Self", ["one": slot.reference, "other": slot.reference, "all": all])
      })
    try converted.store.expect("SELECT id, one_id, other_id FROM Self", ["1|1|1"])
  }

  @Test("a string that is its own content is kept as an object")
  func keepsCircularString() throws {
    let converted = try convert(
      HostileFile.archive { archive in
        let slot = archive.reserve()
        archive.fill(slot, className: "NSMutableString", ["NS.string": slot.reference])
        return archive.instance(of: "Thing", ["name": slot.reference])
      })
    try converted.store.expect("SELECT id, name_id FROM Thing", ["1|1"])
    try converted.store.expect("SELECT * FROM NSMutableString", ["1|1"])
  }

  @Test("a URL that is its own base is kept as an object")
  func keepsCircularURL() throws {
    let converted = try convert(
      HostileFile.archive { archive in
        let slot = archive.reserve()
        archive.fill(
          slot, className: "NSURL", ["NS.base": slot.reference, "NS.relative": archive.string("x")])
        return archive.instance(of: "Thing", ["link": slot.reference])
      })
    try converted.store.expect("SELECT id, link_id FROM Thing", ["1|1"])
    try converted.store.expect("SELECT * FROM NSURL", ["1|x|1"])
  }

  @Test("an inline array that holds itself leads to itself")
  func keepsCircularInlineArray() throws {
    let converted = try convert(
      HostileFile.tornArchive { archive in
        archive.node(.array([RawArchive.Node(archive.table.count)]))
      })
    try converted.store.expect("SELECT * FROM Thing_list", ["1|1|0|1|_collection"])
    try converted.store.expect("SELECT collection_id, value_id FROM _collection_element", ["1|1"])
  }

  @Test("inline arrays that double 60 times are kept once")
  func keepsDoublingInlineArrays() throws {
    let converted = try convert(
      HostileFile.tornArchive { archive in
        (0..<60).reduce(archive.string("lol")) { last, _ in archive.node(.array([last, last])) }
      })
    try converted.store.expect("SELECT count(*) FROM _collection", "59")
    try converted.store.expect("SELECT count(*) FROM _collection_element", "118")
  }

  @Test("inline arrays 100,000 deep take no stack")
  func keepsDeepInlineArrays() throws {
    let converted = try convert(
      HostileFile.tornArchive { archive in
        (0..<100_000).reduce(archive.string("leaf")) { last, _ in archive.node(.array([last])) }
      })
    try converted.store.expect("SELECT count(*), max(id) FROM _collection", ["99999|99999"])
    try converted.store.expect(
      "SELECT value FROM _collection_element WHERE value_id IS NULL", "leaf")
  }
}
