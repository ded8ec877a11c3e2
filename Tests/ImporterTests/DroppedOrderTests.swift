import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Arrays where a mapping says that the order does not matter, as a draft does that was made from
/// sets.
@Suite("The order of a collection that a mapping has without one")
struct DroppedOrderTests {
  private func conversion(
    _ block: String, lists: [[String]], inSets: Bool = false
  ) throws -> SteeredConversion {
    let archive = KeyedArchiveBuilder.archive { archive in
      let roots = lists.map { names in
        let items = names.map { archive.instance(of: "Item", ["name": archive.string($0)]) }
        let texts = names.map { archive.string($0) }
        return archive.instance(
          of: "List",
          [
            "items": inSets ? archive.set(items) : archive.array(items),
            "texts": inSets ? archive.set(texts) : archive.array(texts),
          ])
      }
      return archive.array(roots)
    }
    var conversion = try SteeredConversion(
      [archive], mapping: "entities: {List: {\(block)}, Item: {}}", ImportExtensions())
    conversion.options.verifies = true
    return conversion
  }

  @Test(
    "is told as lost, once for each collection of several elements",
    arguments: [
      (
        "complete: true, relationships: {items: {to: Item, toMany: true, ordered: false}}, "
          + "collections: {texts: {ordered: false, values: string}}", ["items", "texts"]
      ),
      ("relationships: {items: {toMany: true, ordered: false}}", ["items"]),
      (
        "relationships: {items: {to: Item, toMany: true, ordered: false, inverse: list}}", ["items"]
      ),
      ("where: 1 = 1, relationships: {items: {toMany: true, ordered: false}}", ["items"]),
      ("collections: {texts: {ordered: false, values: string}}", ["texts"]),
      ("where: 1 = 1, collections: {texts: {ordered: false, values: string}}", ["texts"]),
      ("relationships: {items: {ordered: true}}, collections: {texts: {ordered: true}}", []),
      ("relationships: {items: {toMany: true}}, collections: {texts: {values: string}}", []),
    ])
  func losses(block: String, keys: [String]) throws {
    let (_, report) = try conversion(block, lists: [["b", "a"], ["a"], [], ["c", "a", "b"]])
      .run(isRepeated: false)
    #expect(report.verification?.differences == [])
    #expect(
      report.lossKinds.map { "\($0.className).\($0.key)" }.sorted() == keys.map { "List.\($0)" })
    #expect(report.lossKinds.allSatisfy { $0.count == 2 && $0.reason == "order dropped" })
  }

  @Test("is nothing to tell of where the archives have sets")
  func sets() throws {
    let block =
      "relationships: {items: {toMany: true, ordered: false}}, "
      + "collections: {texts: {ordered: false, values: string}}"
    let (_, report) = try conversion(block, lists: [["b", "a"]], inSets: true).run(
      isRepeated: false)
    #expect(report.lossCount == 0)
  }

  @Test("is that of the archives where a block has only the types of the elements")
  func unsaid() throws {
    let (store, _) = try conversion(
      "collections: {texts: {values: string}}", lists: [["b", "a"]]
    ).run(isRepeated: false)
    #expect(try store.lines("SELECT position, value FROM List_texts") == ["0|b", "1|a"])
  }
}
