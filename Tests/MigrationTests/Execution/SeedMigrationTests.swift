import Converter
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Mappings
import Migration
import Testing

/// Migrations that developers have written about, with the rows that they expect.
@Suite("Migrations known from articles")
struct SeedMigrationTests {
  private typealias Mapping = MigrationEntityMapping

  // MARK: Amounts

  /// Doubles become exact decimals of two digits.
  private final class ExpensePolicy: MigrationPolicy {
    private var toCents: ValueConversion?

    func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      toCents = try ValueConversion([.decimal(scale: 2, rounding: .halfUp, notFinite: .error)])
    }

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      let period = try manager.createDestinationInstances(forSource: source, in: mapping)
      let total = try toCents?.convert(source.value(forKey: "expenseTotal")).value
      period["expenseTotal"] = total ?? .null
    }
  }

  private static func periods(_ type: AttributeType) -> [Entity] {
    [
      Entity(
        name: "TrackingPeriod",
        attributes: [
          Attribute(name: "expenseTotal", type: type), Attribute(name: "name", type: .string),
        ])
    ]
  }

  private static let expenses = Mapping(
    "TrackingPeriod", "TrackingPeriod", policy: "ExpensePolicy", ["name": "$source.name"])

  @Test("Doubles become decimals by their shortest form, rounded half up")
  func expenses() throws {
    let totals = [
      ("56.78888", "56.79"), ("1234.5", "1234.5"), ("2.675", "2.68"), ("1.005", "1.01"),
      ("0.125", "0.13"), ("0.135", "0.14"), ("-2.675", "-2.68"), ("-0.005", "-0.01"), ("12", "12"),
      ("0", "0"), ("-0.0", "0"), ("1e21", "1000000000000000000000"),
      ("123456789012345.678", "123456789012345.67"),
    ]
    let rows = totals.enumerated().map { "(\($0 + 1), 1, 1, \($1.0), 'n\($0)')" }
    let store = try MadeStore(
      Self.periods(.double),
      "INSERT INTO ZTRACKINGPERIOD (Z_PK, Z_ENT, Z_OPT, ZEXPENSETOTAL, ZNAME) VALUES "
        + rows.joined(separator: ", ") + ";")
    let migrated = try store.migrated(
      to: Self.periods(.decimal), [Self.expenses],
      policies: ["ExpensePolicy": ExpensePolicy.self])
    let objects = try StoreContent.objects(migrated)
    #expect(objects.map { $0.attributes["expenseTotal"] } == totals.map { "decimal \($0.1)" })
    #expect(objects.map { $0.attributes["name"] } == totals.indices.map { "\"n\($0)\"" })
  }

  @Test("An amount that is not finite ends the migration")
  func infiniteExpense() throws {
    let store = try MadeStore(
      Self.periods(.double),
      "INSERT INTO ZTRACKINGPERIOD (Z_PK, Z_ENT, Z_OPT, ZEXPENSETOTAL) VALUES (1, 1, 1, 9e999);")
    let error = #expect(throws: MigrationError.self) {
      try store.migrated(
        to: Self.periods(.decimal), [Self.expenses],
        policies: ["ExpensePolicy": ExpensePolicy.self])
    }
    #expect(error?.code == .failedPolicy)
    #expect(error?.name?.hasPrefix("ExpensePolicy.createDestinationInstances, mapping ") == true)
  }

  // MARK: Two entities out of one

  @Test("Two entity mappings make objects of two entities out of 2,000 events")
  func twoPasses() throws {
    let store = try MadeStore(
      [Entity(name: "Event", attributes: [Attribute(name: "timeStamp", type: .date)])],
      """
      INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
        WITH RECURSIVE count(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM count WHERE i < 2000)
        SELECT i, 1, 1, 327793920 + i FROM count;
      """)
    let destination = [
      Entity(name: "PrintedEvent", attributes: [Attribute(name: "printedDate", type: .string)]),
      Entity(name: "StampedEvent", attributes: [Attribute(name: "seconds", type: .double)]),
    ]
    let stamped = [
      "timeStamp < CAST(327794921, \"NSDate\")", "timeStamp >= CAST(327794921, \"NSDate\")",
    ]
    .enumerated().map { index, filter in
      Mapping(
        "Event", "StampedEvent", name: "StepTwo\(index)", where: filter,
        ["seconds": "CAST($source.timeStamp, \"NSNumber\") + 978307200"])
    }
    let printed = Mapping(
      "Event", "PrintedEvent", name: "StepOne",
      ["printedDate": "CAST($source.timeStamp, \"NSString\")"])
    let migrated = try store.migrated(to: destination, [printed] + stamped)
    let objects = try StoreContent.objects(migrated)
    #expect(objects.count { $0.entity == "PrintedEvent" } == 2_000)
    #expect(
      objects.filter { $0.entity == "StampedEvent" }.map { $0.attributes["seconds"] }
        == (1...2_000).map { "\(1_306_101_120.0 + Double($0))" })
    #expect(objects.first?.attributes == ["printedDate": "\"2011-05-22T21:52:01.000Z\""])
    #expect(migrated.summary.entityMappings.map(\.destinationObjects) == [2_000, 1_000, 1_000])
    #expect(migrated.residentBytes < 50_000)
  }

  // MARK: Texts that were numbers

  @Test(
    "A text never becomes a number without a policy",
    arguments: ["12.30", "1,234.5", "abc", ""])
  func textAsNumber(text: String) throws {
    let store = try MadeStore(
      [Entity(name: "Record", attributes: [Attribute(name: "amount", type: .string)])],
      "INSERT INTO ZRECORD (Z_PK, Z_ENT, Z_OPT, ZAMOUNT) VALUES (1, 1, 1, '\(text)');")
    let error = #expect(throws: ArchiveError.self) {
      try store.migrated(
        to: [Entity(name: "Record", attributes: [Attribute(name: "amount", type: .decimal)])],
        [Mapping("Record", "Record", ["amount": "$source.amount"])])
    }
    #expect(error?.position == .record("Record 1", property: "amount"))
  }
}
