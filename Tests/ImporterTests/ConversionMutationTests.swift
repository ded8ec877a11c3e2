import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("Conversions of damaged archives")
struct ConversionMutationTests {
  /// Converts an archive into a store beside it; the store is there if and only if that worked.
  ///
  /// It ends in the same way if rows are written before the profile is complete.
  private static func converts(
    _ bytes: some Sequence<UInt8>, in folder: TemporaryFolder
  ) throws -> Bool {
    let archive = try folder.write(bytes, to: "archive")
    let late = try messages(archive, in: folder) { _ in }
    let early = try messages(archive, in: folder) { options in
      options.speculation.bytes = 0
      options.speculation.sample.objects = 4
    }
    #expect(early == late)
    return late.isEmpty
  }

  /// Converts an archive; returns the messages if that fails.
  private static func messages(
    _ archive: String, in folder: TemporaryFolder, _ change: (inout ConversionOptions) -> Void
  ) throws -> [String] {
    let store = folder.file(named: "store")
    var options = ConversionOptions()
    change(&options)
    var conversion = Conversion(inputs: [archive], destination: store, options: options)
    do throws(ConversionError) {
      _ = try conversion.run()
    } catch {
      #expect(!error.messages.isEmpty)
      #expect(try folder.names() == ["archive"])
      return error.messages
    }
    #expect(try folder.names() == ["archive", "store"])
    try FileManager.default.removeItem(atPath: store)
    return []
  }

  @Test(
    "end in a store or an error, and leave nothing behind",
    arguments: (["keyed-binary", "keyed-xml"].flatMap { Repository.corpusFiles(in: $0) }
      + Repository.sampleArchives))
  func neverCrash(file: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    // Large files take the time of many small ones.
    let share = bytes.count > 1 << 18 ? 0.01 : 0.05
    let folder = try TemporaryFolder()
    var mutator = ArchiveMutator(bytes, seed: UInt64(bytes.count) + 1)
    var refused = 0
    let count = MutationCount.perFile(usual: 2, share: share)
    for _ in 0..<count where try !Self.converts(mutator.next(), in: folder) { refused += 1 }
    // What becomes of a mutation depends on its place: counted is that each came to an end.
    #expect((0...count).contains(refused))
  }

  @Test("that fuzzing found are mended", arguments: Repository.fuzzCrashes)
  func pastCrashesAreMended(file: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let walk = ArchiveWalk(bytes)
    #expect(walk.values > 0 || !walk.errors.isEmpty)
    let list = PropertyListWalk(bytes)
    #expect(list.nodes > 0 || list.error != nil)
    _ = try Self.converts(bytes, in: try TemporaryFolder())
  }

  @Test("keep a class that is first met as an element of a collection")
  func keepsClassesInCollections() throws {
    let folder = try TemporaryFolder()
    let archive = try folder.write(
      KeyedArchiveBuilder.archive { archive in
        let other = archive.classRecord("Other")
        return archive.instance(of: "Owner", ["list": archive.array(["a", other])])
      }.binary(), to: "archive")
    let store = folder.file(named: "store")
    var conversion = Conversion(
      inputs: [archive], destination: store, options: ConversionOptions())
    _ = try conversion.run()
    let query = try StoreQuery(store)
    #expect(try query.lines("SELECT * FROM Owner_list") == ["1|1|0|a", "2|1|1|Other"])
  }
}
