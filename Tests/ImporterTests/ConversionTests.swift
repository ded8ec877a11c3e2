import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("A conversion reads all archives into one store")
struct ConversionTests {
  private static func archive(_ name: String) -> KeyedArchiveBuilder {
    .archive { archive in
      let parent = archive.instance(of: "Thing", ["name": .string(name), "parent": .none])
      return archive.instance(of: "Thing", ["name": .string(name + "!"), "parent": parent])
    }
  }

  @Test("Every row leads back to its archive")
  func severalArchives() throws {
    let converted = try ConvertedStore(Self.archive("a"), Self.archive("b"), Self.archive("c"))
    #expect(
      try converted.lines("SELECT id, name, parent_id FROM Thing") == [
        "1|a!|2", "2|a|NULL", "3|b!|4", "4|b|NULL", "5|c!|6", "6|c|NULL",
      ])
    #expect(
      try converted.lines("SELECT * FROM _rows") == [
        "1|1|Thing|1|2", "2|2|Thing|3|4", "3|3|Thing|5|6",
      ])
    #expect(
      try converted.lines("SELECT archive_id, key, entity, row FROM _top") == [
        "1|root|Thing|1", "2|root|Thing|3", "3|root|Thing|5",
      ])
    #expect(try converted.lines("SELECT id, format, version FROM _archive").count == 3)
  }

  @Test("The digest is that of the file")
  func digest() throws {
    let folder = try TemporaryFolder()
    let archive = Self.archive("a")
    let path = try folder.write(archive.binary(), to: "a.plist")
    var conversion = Conversion(
      inputs: [path], destination: folder.file(named: "o.sqlite"), options: .init())
    let report = try conversion.run()
    // Computed with sha256sum.
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sha256sum", path]
    process.standardOutput = pipe
    try process.run()
    process.waitUntilExit()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(report.archives.map(\.sha256) == [String(output.prefix(64))])
  }

  @Test("Top-level keys hold plain values, objects and collections")
  func topLevelKeys() throws {
    var archive = KeyedArchiveBuilder()
    archive.setTop("version", 3)
    archive.setTop("title", archive.string("é"))
    archive.setTop("none", .none)
    archive.setTop("list", archive.array([1]))
    archive.setTop("$own", archive.instance(of: "Thing"))
    let converted = try ConvertedStore([archive]) { $0.dictionaries = .pairs }
    #expect(
      try converted.lines("SELECT key, value, entity, row FROM _top") == [
        "version|3|NULL|NULL", "title|é|NULL|NULL", "none|NULL|NULL|NULL",
        "list|NULL|_collection|1", "$own|NULL|Thing|1",
      ])
  }

  @Test("Objects that nothing leads to are counted, not converted")
  func unreachable() throws {
    var archive = Self.archive("a")
    _ = archive.instance(of: "Lost", ["text": archive.string("nobody reads this")])
    let converted = try ConvertedStore(archive)
    #expect(converted.report.unreachableObjects == 2)
    #expect(try converted.tables() == ["Thing"])
  }

  @Test("Provenance leads every row back to its object")
  func provenance() throws {
    let converted = try ConvertedStore(Self.archive("a")) { $0.recordsProvenance = true }
    #expect(
      try converted.lines("SELECT archive_id, class, entity, row FROM _objects") == [
        "1|Thing|Thing|1", "1|Thing|Thing|2",
      ])
    #expect(try converted.store.value("SELECT count(DISTINCT uid) FROM _objects") == "2")
  }

  @Test("A damaged archive is skipped with its reason and leaves no rows")
  func damagedArchive() throws {
    let folder = try TemporaryFolder()
    let sound = try folder.write(Self.archive("a").binary(), to: "1.plist")
    var broken = Self.archive("b")
    broken.setTop("bad", .uid(99))
    let damaged = try folder.write(broken.binary(), to: "2.plist")
    var options = ConversionOptions()
    options.errorPolicy = .skip
    let output = folder.file(named: "o.sqlite")
    var conversion = Conversion(inputs: [damaged, sound], destination: output, options: options)
    let report = try conversion.run()
    #expect(report.archives.map(\.outcome) == [.rejected, .converted])
    #expect(
      report.archives[0].error
        == "refers to object 99, which does not exist (top-level key bad)")
    let store = try StoreQuery(output)
    #expect(try store.lines("SELECT name FROM Thing") == ["a!", "a"])
    #expect(try folder.names() == ["1.plist", "2.plist", "o.sqlite"])
  }

  @Test(
    "Limits end a hostile archive",
    arguments: [ReadingLimits(expansion: 0), ReadingLimits(classes: 1)])
  func limits(_ limits: ReadingLimits) throws {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { archive in
      let shared = archive.array((0..<400).map { .integer($0) })
      return archive.array(
        (0..<400).map { archive.instance(of: "Thing\($0 % 2)", ["all": shared]) })
    }
    let input = try folder.write(archive.binary(), to: "a.plist")
    var options = ConversionOptions()
    options.limits = limits
    var conversion = Conversion(
      inputs: [input], destination: folder.file(named: "o.sqlite"), options: options)
    #expect(throws: ConversionError.self) { try conversion.run() }
    #expect(try folder.names() == ["a.plist"])
  }
}
