import ArchiveReader
import Foundation
import Reporting
import Support
import Testing

@testable import Importer

@Suite("Entries that are too many for memory")
struct UnlistedEntriesTests {
  private struct Entry: Encodable {
    var number: Int
    var text = String(repeating: "x", count: 500)
  }

  /// Entries with numbers.
  private static func entries(_ numbers: Range<Int>, _ spill: EntrySpill?) -> UnlistedEntries {
    var entries = UnlistedEntries(spill)
    for number in numbers { entries.add(.conflicts, Entry(number: number)) }
    return entries
  }

  /// The numbers of the entries, behind some number of bytes.
  private static func numbers(_ entries: UnlistedEntries, from start: Int64 = 0) throws -> [Int] {
    var bytes: [UInt8] = []
    try entries.read(from: start, orThrow: { $0 }) { (piece) throws(SystemError) in bytes += piece }
    return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      #expect(object?["list"] as? String == "conflicts")
      return try #require(object?["number"] as? Int)
    }
  }

  @Test("are not kept where nobody wants them")
  func unwanted() throws {
    let entries = Self.entries(0..<10, nil)
    #expect(!entries.areKept)
    #expect(entries.byteCount == 0 && entries.count == 0)
    #expect(try Self.numbers(entries) == [])
  }

  @Test("are read as they came, however many there are", arguments: [0, 1, 100, 2_000])
  func order(count: Int) throws {
    let entries = Self.entries(0..<count, EntrySpill())
    #expect(entries.count == count)
    #expect(try Self.numbers(entries) == Array(0..<count))
  }

  @Test("stay in order where lists are put together, and copies go on by themselves")
  func together() throws {
    let spill = EntrySpill()
    var first = Self.entries(0..<300, spill)
    let second = Self.entries(300..<700, spill)
    let small = Self.entries(700..<703, spill)
    let attempt = first
    first.append(second)
    first.append(small)
    first.append(UnlistedEntries())
    #expect(try Self.numbers(first) == Array(0..<703))
    #expect(first.count == 703)
    #expect(try Self.numbers(attempt) == Array(0..<300))
    var other = UnlistedEntries()
    other.append(first)
    #expect(try Self.numbers(other) == Array(0..<703))
    let tail = Self.entries(0..<703, spill).byteCount
    #expect(first.byteCount == tail)
    #expect(try Self.numbers(first, from: attempt.byteCount) == Array(300..<703))
    #expect(try Self.numbers(first, from: first.byteCount) == [])
  }

  @Test("of several threads do not mix")
  func threads() async throws {
    let spill = EntrySpill()
    let lists = await withTaskGroup(of: (Int, UnlistedEntries).self) { group in
      for task in 0..<4 {
        group.addTask { (task, Self.entries(task * 1_000..<task * 1_000 + 500, spill)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (task, list) in lists {
      #expect(try Self.numbers(list) == Array(task * 1_000..<task * 1_000 + 500))
    }
  }

  @Test("cover all damages of an archive")
  func damages() throws {
    let errors = (0..<1_500).map { ArchiveError(.badNumber, at: .object($0, key: "k")) }
    let spill = EntrySpill()
    let archive = ConversionReport.Archive(
      path: "a", outcome: .converted, damages: errors, spill: spill)
    #expect(archive.damages.count == 1_000)
    #expect(archive.damageCount == 1_500)
    #expect(archive.unlistedDamages.count == 500)
    var report = ConversionReport(storePath: "out.db", isDryRun: false)
    report.archives = [archive]
    #expect(report.missingEntryCount(of: FullReportList.allCases) == 0)
  }

  @Test("are counted by kind, and so are those of other lists")
  func kinds() {
    func loss(_ key: String, _ reason: String = "rounded") -> ConversionReport.Loss {
      ConversionReport.Loss(
        archive: "a", uid: 1, className: "Thing", key: key, before: "1", after: "2", reason: reason)
    }
    var kinds = LossKinds()
    for _ in 0..<5 {
      kinds.add(loss("a"))
      kinds.add(loss("b"))
      kinds.add(loss("b", "dropped"))
    }
    var others = LossKinds(kinds.list)
    others.add(kinds)
    #expect(
      others.list.map { "\($0.key) \($0.reason) \($0.count)" } == [
        "a rounded 10", "b rounded 10", "b dropped 10",
      ])
    for number in 0..<2_000 { others.add(loss("\(number)")) }
    #expect(others.list.count == 1_000)
  }
}
