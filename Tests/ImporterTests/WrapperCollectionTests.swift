import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("A class whose objects are what one of their keys holds")
struct WrapperCollectionTests {
  /// A document whose key holds a wrapper around something.
  private static func archive(
    _ content: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let inner = content(&archive)
      let wrapper = archive.instance(of: "Wrapper", ["content": inner])
      return archive.instance(of: "Document", ["pages": wrapper, "name": archive.string("d")])
    }
  }

  private static func page(_ archive: inout KeyedArchiveBuilder, _ name: String)
    -> PropertyListValue
  {
    archive.instance(of: "Page", ["name": archive.string(name)])
  }

  private static func convert(
    _ archive: KeyedArchiveBuilder, _ mapping: String = ""
  ) throws -> (store: StoreQuery, report: ConversionReport) {
    var run = try SteeredConversion(
      [archive], mapping: "classes: {Wrapper: {value: content}}\n" + mapping, ImportExtensions())
    run.options.verifies = true
    let result = try run.run()
    #expect(result.report.verification?.isPassed == true)
    #expect(result.report.unmappedClasses == [])
    #expect(result.report.unvisitedObjects == [])
    return result
  }

  @Test(
    "can hold an array or a set of objects, which become a relationship", arguments: [true, false])
  func collection(isOrdered: Bool) throws {
    let archive = Self.archive { archive in
      let pages = ["a", "b", "c"].map { Self.page(&archive, $0) }
      return isOrdered ? archive.array(pages) : archive.set(pages)
    }
    for mapping in ["", "entities: {Document: {relationships: {pages: {to: Page}}}}"] {
      let (store, _) = try Self.convert(archive, mapping)
      let names = try store.lines(
        """
        SELECT Page.name FROM Document_pages JOIN Page ON Page.id = Page_id
          ORDER BY \(isOrdered ? "position" : "name")
        """)
      #expect(names == ["a", "b", "c"], "\(mapping)")
    }
  }

  @Test("can hold one object, or another wrapper")
  func single() throws {
    let one = Self.archive { Self.page(&$0, "a") }
    let (store, _) = try Self.convert(one)
    #expect(
      try store.lines("SELECT Page.name FROM Document JOIN Page ON Page.id = pages_id") == ["a"])
    let two = Self.archive { archive in
      let pages = archive.array([Self.page(&archive, "a"), Self.page(&archive, "b")])
      return archive.instance(of: "Wrapper", ["content": pages])
    }
    #expect(throws: Never.self) { try Self.convert(two) }
  }

  @Test("can hold a dictionary, or plain values in an array")
  func values() throws {
    let pairs = Self.archive { archive in
      archive.dictionary(
        keys: [archive.string("k")], values: [Self.page(&archive, "a")])
    }
    let (store, _) = try Self.convert(pairs)
    #expect(
      try store.lines("SELECT key, Page.name FROM Document_pages JOIN Page ON Page.id = value_id")
        == ["k|a"])
    let texts = Self.archive { archive in
      archive.array([archive.string("x"), archive.string("y")])
    }
    let (other, _) = try Self.convert(texts)
    #expect(try other.lines("SELECT value FROM Document_pages ORDER BY position") == ["x", "y"])
  }

  @Test("can stand in a collection itself, around objects")
  func elements() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let wrappers = ["a", "b"].map { name in
        archive.instance(of: "Wrapper", ["content": Self.page(&archive, name)])
      }
      return archive.instance(of: "Document", ["pages": archive.array(wrappers)])
    }
    let (store, _) = try Self.convert(archive)
    #expect(
      try store.lines(
        """
        SELECT Page.name FROM Document_pages JOIN Page ON Page.id = Page_id ORDER BY position
        """) == ["a", "b"])
  }

  @Test("can stand under a top-level key, whatever they hold")
  func topLevel() throws {
    func rows(_ content: (inout KeyedArchiveBuilder) -> PropertyListValue) throws -> [String] {
      let archive = KeyedArchiveBuilder.archive { archive in
        let inner = content(&archive)
        return archive.instance(of: "Wrapper", ["content": inner])
      }
      let (store, _) = try Self.convert(archive)
      return try store.lines("SELECT value, entity, row FROM _top")
        + store.lines("SELECT value, value_type, value_id FROM _collection_element")
    }
    #expect(try rows { $0.string("secret") } == ["secret|NULL|NULL"])
    #expect(try rows { Self.page(&$0, "a") } == ["NULL|Page|1"])
    #expect(
      try rows { $0.array([$0.string("a"), Self.page(&$0, "b")]) } == [
        "NULL|_collection|1", "a|NULL|NULL", "NULL|Page|1",
      ])
  }

  @Test("can hold a value here and objects there")
  func mixed() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let plain = archive.instance(of: "Wrapper", ["content": archive.string("x")])
      let list = archive.array([Self.page(&archive, "a")])
      let pages = archive.instance(of: "Wrapper", ["content": list])
      return archive.array([
        archive.instance(of: "Document", ["pages": plain]),
        archive.instance(of: "Document", ["pages": pages]),
      ])
    }
    let (store, _) = try Self.convert(archive)
    #expect(try store.lines("SELECT pages FROM Document ORDER BY id") == ["x", "NULL"])
    #expect(try store.lines("SELECT Document_id FROM Document_pages") == ["2"])
  }
}
