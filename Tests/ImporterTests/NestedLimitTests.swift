import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Archives inside of archives keep within limits")
struct NestedLimitTests {
  private static func item(
    _ className: String = "Item", name: Int, _ payloads: [Data] = []
  ) -> Data {
    KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: className,
        ["name": .integer(Int64(name)), "payloads": .array(payloads.map { .data($0) })])
    }.binary()
  }

  /// Archives inside of each other, so many that the innermost has the number.
  private static func chain(_ count: Int) -> Data {
    (0...count).reversed().reduce(nil as Data?) { inner, number in
      item(name: number, inner.map { [$0] } ?? [])
    } ?? Data()
  }

  /// Converts an archive; returns the names of the objects that became rows, and what was rejected.
  private func convert(
    _ bytes: Data, _ limits: ReadingLimits, tables: [String] = ["Item"]
  ) throws -> (names: [String], rejected: [String]) {
    let folder = try TemporaryFolder()
    var options = ConversionOptions()
    options.opensNested = true
    options.limits = limits
    var conversion = Conversion(
      inputs: [try folder.write(bytes, to: "a")], destination: folder.file(named: "out.db"),
      options: options)
    let report = try conversion.run()
    let store = try StoreQuery(folder.file(named: "out.db"))
    #expect(try store.flaws() == [])
    let names = try tables.flatMap { try store.lines("SELECT name FROM \($0)") }
    let prefix = folder.file(named: "")
    return (
      names,
      report.archives.filter { $0.outcome == .rejected }.map {
        "\($0.path.dropFirst(prefix.count)): \($0.error ?? "")"
      }
    )
  }

  @Test("of depth", arguments: [(0, 3), (1, 3), (2, 3), (3, 3), (8, 1_000)])
  func depth(limit: Int, count: Int) throws {
    let found = try convert(Self.chain(count), ReadingLimits(nesting: limit))
    #expect(found.names == (0...min(limit, count)).map(String.init))
    let place = String(repeating: "#1.payloads[0]", count: limit + 1)
    let words = "\(ReadingLimits(nesting: limit).exceeded(.nesting))"
    #expect(found.rejected == (limit < count ? ["a\(place): \(words)"] : []))
    #expect(words.hasPrefix("archives are nested deeper than the limit of \(limit) levels"))
  }

  @Test("of number, deep ones included; the first that is too many is listed, and no other")
  func number() throws {
    let bytes = Self.item(
      name: 0, [Self.item(name: 1, [Self.item(name: 2)])] + (3...9).map { Self.item(name: $0) })
    func found(_ most: Int) throws -> [String] {
      let found = try convert(bytes, ReadingLimits(nestedArchives: most))
      return found.names + found.rejected.map { $0.replacing(" \(most);", with: " N;") }
    }
    let words =
      "the file holds more nested archives than the limit of N; "
      + "raise it with --limit nested-archives=N"
    #expect(try found(9) == (0...9).map(String.init))
    #expect(try found(8) == (0...8).map(String.init) + ["a#1.payloads[7]: \(words)"])
    #expect(try found(2) == ["0", "1", "2", "a#1.payloads[1]: \(words)"])
    #expect(try found(1) == ["0", "1", "a#1.payloads[0]#1.payloads[0]: \(words)"])
    #expect(try found(0) == ["0", "a#1.payloads[0]: \(words)"])
  }

  @Test("of size: together they are no larger than so many times the file")
  func size() throws {
    // Each level is nearly as large as the file.
    let large = Self.item("Large", name: 9, [Data(repeating: 7, count: 100_000)])
    let bytes = (0...4).reversed().reduce(large) { inner, number in
      Self.item(name: number, [inner])
    }
    let found = try convert(bytes, ReadingLimits(expansion: 3))
    #expect(found.names == ["0", "1", "2", "3"])
    let place = String(repeating: "#1.payloads[0]", count: 4)
    #expect(
      found.rejected == [
        "a\(place): \(ReadingLimits(expansion: 3).exceeded(.expansion))"
      ])
  }

  @Test("of classes and of keys with collections, those of all archives in a file together")
  func tables() throws {
    let bytes = Self.item(name: 0, (1...3).map { Self.item("Inner\($0)", name: $0) })
    let classes = try convert(bytes, ReadingLimits(classes: 3), tables: ["Item", "Inner2"])
    #expect(classes.names == ["0", "2"])
    #expect(
      classes.rejected == [
        "a#1.payloads[2]: the file holds more classes than the limit of 3; "
          + "raise it with --limit classes=N"
      ])
    let keys = try convert(bytes, ReadingLimits(collectionKeys: 2), tables: ["Item", "Inner1"])
    #expect(keys.names == ["0", "1"])
    #expect(
      keys.rejected
        == [1, 2].map {
          "a#1.payloads[\($0)]: \(ReadingLimits(collectionKeys: 2).exceeded(.collectionKeys))"
        })
    // The classes and keys of the archive around are not counted again.
    let same = Self.item(name: 0, (1...3).map { Self.item(name: $0) })
    #expect(
      try convert(same, ReadingLimits(classes: 1, collectionKeys: 1)).names == ["0", "1", "2", "3"])
  }

  @Test("of expansion: many small ones must not make a large store")
  func expansion() throws {
    // 200 owners of one array of 1,200 numbers: within the limit for a file, as it is small.
    let inner = KeyedArchiveBuilder.archive { archive in
      let shared = archive.array((0..<1_200).map { .integer($0) })
      return archive.array((0..<200).map { _ in archive.instance(of: "Owner", ["all": shared]) })
    }.binary()
    #expect(try convert(inner, .standard, tables: []).rejected == [])
    let found = try convert(Self.item(name: 0, [inner]), .standard)
    #expect(found.names == ["0"])
    #expect(
      found.rejected == [
        "a#1.payloads[0]: values would expand to more than the limit of 64 times the file's "
          + "size; raise it with --limit expansion=N (object 1376, key all)"
      ])
  }

  @Test("A value that a thousand objects hold is opened once")
  func shared() throws {
    let bytes = KeyedArchiveBuilder.archive { archive in
      let data = archive.data(Self.item("Inner", name: 1))
      return archive.array(
        (0..<1_000).map { archive.instance(of: "Item", ["name": .integer($0), "data": data]) })
    }.binary()
    let found = try convert(bytes, ReadingLimits(nestedArchives: 1), tables: ["Inner"])
    #expect(found.names == ["1"])
    #expect(found.rejected == [])
  }
}
