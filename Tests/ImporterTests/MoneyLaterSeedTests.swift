import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// The migrations that the app of the second article went through later.
@Suite("The money app's later migrations")
struct MoneyLaterSeedTests {
  /// A transaction, or a quick record that was processed or not.
  struct Entry {
    var className = "Transaction"
    var amount = "1"
    var day = 6_213.0
    var rawValue: Int64 = 0
    var tags: [String] = []
    var isProcessed = false
    var audio: UInt8 = 1
  }

  static func archive(_ entries: [Entry]) throws -> KeyedArchiveBuilder {
    try .archive { archive in
      archive.array(
        try entries.map { entry in
          let audio = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, entry.audio))
          return archive.instance(
            of: entry.className,
            [
              "amount": try archive.decimal(entry.amount), "audioUUID": archive.uuid(audio),
              "createdAt": archive.date(secondsSince2001: entry.day * 86_400),
              "isProcessed": .bool(entry.isProcessed),
              "tags": archive.set(entry.tags.map { archive.string($0) }),
              "type": archive.instance(
                of: "TransactionType", ["rawValue": .integer(entry.rawValue)]),
            ])
        })
    }
  }

  @Test("sums of each day and type are made of the transactions, by a policy")
  func dailySums() throws {
    let first = [
      Entry(amount: "0.1", day: 6_213), Entry(amount: "0.2", day: 6_213.999_988_425_926),
      Entry(amount: "-5", day: 6_213.5, rawValue: 1),
    ]
    let second = [Entry(amount: "0.3", day: 6_214), Entry(amount: "0.05", day: 6_213.25)]
    let store = try SeedRun(
      Self.archive(first), Self.archive(second),
      mapping: """
        classes: {TransactionType: {value: rawValue}}
        entities:
          Transaction: {from: Transaction}
          DailySum:
            from: Transaction
            policy: DailySums
            complete: true
            attributes:
              day: {value: null, type: string}
              type: {value: null, type: integer}
              sum: {value: null, type: decimal}
        """, policies: ["DailySums": DailySums.self]
    ).convert()
    #expect(
      try store.lines("SELECT day, type, sum FROM DailySum ORDER BY id") == [
        "2018-01-05|0|0.35", "2018-01-05|1|-5", "2018-01-06|0|0.3",
      ])
    #expect(try store.lines("SELECT count(*) FROM \"Transaction\"") == ["5"])
    #expect(store.report.conflictCount == 0)
    #expect(store.report.filteredObjects.isEmpty)
  }

  @Test("sets of tags become rows, each tag once")
  func tags() throws {
    let entries = [Entry(tags: ["food", "taxi"]), Entry(tags: ["taxi"]), Entry(tags: [])]
    let store = try SeedRun(
      Self.archive(entries), Self.archive([Entry(tags: ["rent", "food"])]),
      mapping: """
        entities:
          Transaction:
            relationships:
              tags: {into: Tag, by: name, toMany: true, inverse: transactions}
        """
    ).convert()
    #expect(try store.lines("SELECT * FROM Tag") == ["1|food", "2|taxi", "3|rent"])
    #expect(
      try store.lines("SELECT Transaction_id, Tag_id FROM Transaction_tags") == [
        "1|1", "1|2", "2|2", "4|3", "4|1",
      ])
  }

  @Test("records that were processed are dropped, and types are plain numbers")
  func filter() throws {
    let entries = [
      Entry(className: "QuickRecord", amount: "1", rawValue: 1),
      Entry(className: "QuickRecord", amount: "2", isProcessed: true),
      Entry(className: "QuickRecord", amount: "3"),
    ]
    let store = try SeedRun(
      Self.archive(entries),
      mapping: """
        classes: {TransactionType: {value: rawValue}}
        entities:
          QuickRecord: {where: isProcessed == NO, attributes: {type: {from: type}}}
        """
    ).convert()
    #expect(try store.lines("SELECT amount, type FROM QuickRecord") == ["1|1", "3|0"])
    #expect(
      try store.store.columns("QuickRecord").filter { $0.hasPrefix("type") } == ["type INTEGER"])
    #expect(
      store.report.filteredObjects.map { "\($0.className) \($0.count)" } == ["QuickRecord 1"])
    #expect(
      try store.lines("SELECT position, value_id FROM _collection_element") == [
        "0|1", "1|NULL", "2|2",
      ])
  }

  @Test("types are plain numbers without being named, alone and in collections")
  func values() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let types = [0, 1, 0].map { rawValue in
        archive.instance(of: "TransactionType", ["rawValue": .integer(rawValue)])
      }
      return archive.instance(
        of: "Filter", ["type": types[1], "types": archive.array(types), "other": .none])
    }
    let store = try SeedRun(
      archive, mapping: "classes: {TransactionType: {value: rawValue}}"
    ).convert()
    #expect(try store.tables() == ["table Filter", "table Filter_types"])
    #expect(
      try store.store.columns("Filter") == ["id INTEGER", "other ANY", "type INTEGER"])
    #expect(try store.lines("SELECT * FROM Filter") == ["1|NULL|1"])
    #expect(try store.lines("SELECT * FROM Filter_types") == ["1|1|0|0", "2|1|1|1", "3|1|2|0"])
    #expect(store.report.unreadKeys.isEmpty)
  }

  @Test("recordings are kept where there is a file, which a policy looks for beside the archive")
  func files() throws {
    let run = try SeedRun(
      Self.archive([Entry(className: "QuickRecord"), Entry(className: "QuickRecord", audio: 2)]),
      mapping: """
        classes: {TransactionType: {value: rawValue}}
        entities: {QuickRecord: {policy: ExistingAudio}}
        """, policies: ["ExistingAudio": ExistingAudio.self])
    try run.folder.write("", to: "00000000-0000-0000-0000-000000000002.m4a")
    let store = try run.convert()
    #expect(
      try store.lines("SELECT audioUUID, type FROM QuickRecord") == [
        "NULL|0", "00000000-0000-0000-0000-000000000002|0",
      ])
  }
}

/// Adds up the amounts of each day, in UTC, and type.
final class DailySums: MigrationPolicy {
  private struct Kind: Hashable {
    var day: ImportValue
    var type: ImportValue
  }

  private var sums: [Kind: Decimal] = [:]
  private var kinds: [Kind] = []

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let day = try ValueConversion([
      .dateText(form: .pattern("yyyy-MM-dd"), locale: "en_US_POSIX", timeZone: "UTC")
    ])
    let kind = Kind(
      day: try day.convert(source.value(forKey: "createdAt")).value,
      type: try source.value(forKey: "type"))
    guard case .decimal(let amount) = try source.value(forKey: "amount") else { return }
    if sums[kind] == nil { kinds.append(kind) }
    sums[kind, default: 0] += amount
  }

  func endInstanceCreation(forMapping mapping: MigrationMapping, manager: MigrationManager) throws {
    for kind in kinds {
      let sum = try manager.context.insert(into: mapping.destinationEntityName)
      sum["day"] = kind.day
      sum["type"] = kind.type
      sum["sum"] = .decimal(sums[kind] ?? 0)
    }
  }
}

/// Leaves out recordings without a file.
final class ExistingAudio: MigrationPolicy {
  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let record = try manager.createDestinationInstances(forSource: source, in: mapping)
    guard case .uuid(let uuid) = record["audioUUID"] else { return }
    let folder = URL(fileURLWithPath: source.archivePath).deletingLastPathComponent()
    let file = folder.appendingPathComponent("\(uuid).m4a")
    if !FileManager.default.fileExists(atPath: file.path) { record["audioUUID"] = .null }
  }
}
