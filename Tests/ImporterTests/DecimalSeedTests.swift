import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// The article on currency: `TrackingPeriod.expenseTotal` was a double and becomes a decimal.
@Suite("Totals that were doubles become decimals")
struct DecimalSeedTests {
  /// Each total of the sample, and what becomes of it.
  static let rows = [
    "January 2012|2012-01-01T00:00:00.000Z|2012-02-01T00:00:00.000Z|56.79",
    "February 2012|2012-02-01T00:00:00.000Z|2012-03-01T00:00:00.000Z|1234.5",
    "March 2012|2012-03-01T00:00:00.000Z|2012-04-01T00:00:00.000Z|2.68",
    "April 2012|2012-04-01T00:00:00.000Z|2012-05-01T00:00:00.000Z|1.01",
    "May 2012|2012-05-01T00:00:00.000Z|2012-06-01T00:00:00.000Z|0.13",
    "June 2012|2012-06-01T00:00:00.000Z|2012-07-01T00:00:00.000Z|0.14",
    "July 2012|2012-07-01T00:00:00.000Z|2012-08-01T00:00:00.000Z|-2.68",
    "August 2012|2012-08-01T00:00:00.000Z|2012-09-01T00:00:00.000Z|-0.01",
    "September 2012|2012-09-01T00:00:00.000Z|2012-10-01T00:00:00.000Z|12",
    "October 2012|2012-10-01T00:00:00.000Z|2012-11-01T00:00:00.000Z|0",
    "November 2012|2012-11-01T00:00:00.000Z|2012-12-01T00:00:00.000Z|0",
    "December 2012|2012-12-01T00:00:00.000Z|2013-01-01T00:00:00.000Z|1000000000000000000000",
    "January 2013|2013-01-01T00:00:00.000Z|2013-02-01T00:00:00.000Z|123456789012345.67",
  ]
  static let query =
    "SELECT name, startDate, endDate, expenseTotal FROM TrackingPeriod ORDER BY id"

  /// An archive with one total.
  static func period(_ total: PropertyListValue) throws -> KeyedArchiveBuilder {
    .of("TrackingPeriod") { archive in
      let date = archive.date(secondsSince2001: 0)
      var total = total
      if case .string(let text) = total { total = archive.string(text) }
      return [
        "name": archive.string("June"), "startDate": date, "endDate": date, "expenseTotal": total,
      ]
    }
  }

  @Test("by the sample mapping: rounded in their shortest form, halves away from zero")
  func mapping() throws {
    let run = try SeedRun(
      sample: "Expenses.archive", mapping: SeedRun.sampleMapping("Expenses.yaml"))
    let store = try run.convert()
    #expect(try store.lines(Self.query) == Self.rows)
    #expect(
      try store.store.columns("TrackingPeriod") == [
        "id INTEGER", "expenseTotal TEXT", "endDate TEXT", "name TEXT", "startDate TEXT",
      ])
    #expect(
      store.losses == [
        "TrackingPeriod.expenseTotal: 56.78888 → 56.79: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: 2.675 → 2.68: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: 1.005 → 1.01: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: 0.125 → 0.13: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: 0.135 → 0.14: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: -2.675 → -2.68: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: -0.005 → -0.01: rounded to 2 digits",
        "TrackingPeriod.expenseTotal: -0 → 0: sign of -0.0 dropped",
      ])
    #expect(store.report.unreadKeys.isEmpty && store.report.unmappedClasses.isEmpty)
  }

  @Test("by the article's policy: the same rows")
  func policy() throws {
    let run = try SeedRun(
      sample: "Expenses.xml", mapping: PeriodPolicy.mapping,
      policies: ["SduTrackingPeriodMigration016To023": PeriodPolicy.self])
    let store = try run.convert()
    #expect(try store.lines(Self.query) == Self.rows)
    #expect(
      try store.lines("SELECT count(*), min(value_id), max(value_id) FROM _collection_element")
        == ["13|1|13"])
  }

  @Test("as texts with two digits, where they are to be printed so")
  func padded() throws {
    let store = try SeedRun(
      sample: "Expenses.archive",
      mapping:
        "entities: {TrackingPeriod: {attributes: {expenseTotal: {convert: {decimalText: 2}}}}}"
    ).convert()
    #expect(
      try store.lines("SELECT expenseTotal FROM TrackingPeriod ORDER BY id") == [
        "56.79", "1234.50", "2.68", "1.01", "0.13", "0.14", "-2.68", "-0.01", "12.00", "0.00",
        "0.00", "1000000000000000000000.00", "123456789012345.67",
      ])
  }

  @Test("without a conversion: as they are, by their shortest form and not their binary value")
  func exact() throws {
    let run = try SeedRun(
      Self.period(.real(56.78888)), mapping: "model: SAMPLES/Expenses.xcdatamodeld")
    #expect(try run.convert().lines(Self.query).map { $0.suffix(9) } == ["|56.78888"])
  }

  @Test("and NaN and infinity are errors, one for each, and nothing is written")
  func notFinite() throws {
    let run = try SeedRun(
      sample: "Expenses-Unusual.archive", mapping: SeedRun.sampleMapping("Expenses.yaml"))
    let messages = try run.messages()
    #expect(
      messages == [
        "Expenses-Unusual.archive: object 5 (TrackingPeriod), key expenseTotal: "
          + "TrackingPeriod.expenseTotal: NaN is not a decimal number",
        "Expenses-Unusual.archive: object 9 (TrackingPeriod), key expenseTotal: "
          + "TrackingPeriod.expenseTotal: infinity is not a decimal number",
      ])
  }

  @Test("and NaN and infinity are NULL on request, where the attribute may be empty")
  func notFiniteAsNull() throws {
    let mapping = """
      entities:
        TrackingPeriod:
          attributes:
            expenseTotal: {default: 0, convert: {decimal: {scale: 2, notFinite: "null"}}}
      """
    let store = try SeedRun(sample: "Expenses-Unusual.archive", mapping: mapping).convert()
    #expect(
      try store.lines("SELECT name, expenseTotal FROM TrackingPeriod") == [
        "January 2012|NULL", "February 2012|NULL",
      ])
    #expect(
      store.losses == [
        "TrackingPeriod.expenseTotal: NaN → nil: not finite, replaced by nil",
        "TrackingPeriod.expenseTotal: Infinity → nil: not finite, replaced by nil",
      ])
  }

  @Test("and NaN does not become the model's default where the attribute must not be empty")
  func notFiniteInRequired() throws {
    let mapping = """
      model: SAMPLES/Expenses.xcdatamodeld
      entities:
        TrackingPeriod:
          attributes:
            expenseTotal: {convert: {decimal: {scale: 2, notFinite: "null"}}}
      """
    let run = try SeedRun(Self.period(.real(.nan)), mapping: mapping)
    let messages = try run.messages()
    #expect(
      messages == [
        "a0.plist: object 4 (TrackingPeriod), key expenseTotal: TrackingPeriod.expenseTotal: "
          + "is empty, but must not be"
      ])
  }

  @Test("and an archive with such a total is left out whole, the others are kept")
  func skips() throws {
    var run = try SeedRun(
      Self.period(.real(1.005)), Self.period(.real(.infinity)), Self.period(.real(2.675)),
      mapping: SeedRun.sampleMapping("Expenses.yaml"))
    run.options.errorPolicy = .skip
    let store = try run.convert()
    #expect(try store.lines("SELECT id, expenseTotal FROM TrackingPeriod") == ["1|1.01", "2|2.68"])
    #expect(
      store.report.archives.map { "\($0.outcome): \($0.error ?? "")" } == [
        "converted: ",
        "rejected: object 4 (TrackingPeriod), key expenseTotal: TrackingPeriod.expenseTotal: "
          + "infinity is not a decimal number", "converted: ",
      ])
  }
}
