import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@testable import migration_examples

/// The article on large stores: each event becomes rows of two entities, in two passes.
@Suite("Events that become rows of two entities, pass by pass")
struct PassesSeedTests {
  /// An archive with the article's first event and one with a fraction of a second.
  static let twoEvents = KeyedArchiveBuilder.archive { archive in
    archive.array(
      [327_793_920, 327_793_921.625].map { seconds in
        archive.instance(of: "Event", ["timeStamp": archive.date(secondsSince2001: seconds)])
      })
  }

  private static func printing(_ conversion: String) -> String {
    """
    entities:
      PrintedEvent:
        from: Event
        attributes: {printedDate: {from: timeStamp, convert: \(conversion)}}
    """
  }

  @Test("by the sample mapping: 2,000 and 2,000, in the store of one run")
  func mapping() throws {
    let store = try SeedRun(
      sample: "Events.archive", mapping: SeedRun.sampleMapping("Events.yaml")
    ).convert()
    #expect(try store.tables() == ["table PrintedEvent", "table StampedEvent"])
    #expect(
      try store.lines("SELECT * FROM PrintedEvent WHERE id IN (1, 3, 2000)") == [
        "1|May 22, 2011 at 9:52:00\u{202F}PM", "3|May 22, 2011 at 10:34:01\u{202F}PM",
        "2000|Jul 24, 2011 at 11:56:53\u{202F}AM",
      ])
    #expect(
      try store.lines("SELECT * FROM StampedEvent WHERE id IN (1, 3, 5)") == [
        "1|1306101120.0", "3|1306103641.0", "5|1306110838.375",
      ])
    #expect(
      try store.lines(
        """
        SELECT (SELECT count(*) FROM PrintedEvent), (SELECT count(*) FROM StampedEvent),
          (SELECT count(DISTINCT timeStamp) FROM StampedEvent)
        """) == ["2000|2000|2000"])
    #expect(
      store.report.entities.map { "\($0.name) \($0.archivedObjects) \($0.rows)" } == [
        "PrintedEvent 2000 2000", "StampedEvent 2000 2000",
      ])
    #expect(store.report.unmappedClasses.isEmpty)
    #expect(store.report.unreadKeys.isEmpty)
    #expect(store.report.filteredObjects.isEmpty)
  }

  @Test("by the article's policies: the same rows")
  func policies() throws {
    let policies: [String: any MigrationPolicy.Type] = [
      "StepOneEntityMigrationPolicy": StepOneEntityMigrationPolicy.self,
      "StepTwoEntityMigrationPolicy": StepTwoEntityMigrationPolicy.self,
    ]
    let byPolicies = try SeedRun(
      sample: "Events.archive",
      mapping: """
        passes:
          - name: StepOne
            entities:
              PrintedEvent:
                {from: Event, policy: StepOneEntityMigrationPolicy, complete: true,
                 attributes: {printedDate: {value: null, type: string}}}
          - name: StepTwo
            entities:
              StampedEvent:
                {from: Event, policy: StepTwoEntityMigrationPolicy, complete: true,
                 attributes: {timeStamp: {value: null, type: double}}}
        """, policies: policies
    ).convert()
    let byMapping = try SeedRun(
      sample: "Events.archive", mapping: SeedRun.sampleMapping("Events.yaml")
    ).convert()
    for table in ["PrintedEvent", "StampedEvent"] {
      let rows = try byPolicies.lines("SELECT * FROM \(table)")
      #expect(try rows == byMapping.lines("SELECT * FROM \(table)"))
    }
  }

  @Test(
    "with the words of the locale and zone that the mapping names, never those of the machine",
    arguments: [
      ("en_US", "UTC", "May 22, 2011 at 9:52:00\u{202F}PM"),
      ("en_GB", "UTC", "22 May 2011 at 21:52:00"), ("de_DE", "UTC", "22.05.2011, 21:52:00"),
      ("ja_JP", "UTC", "2011/05/22 21:52:00"),
      ("de_DE", "Asia/Taipei", "23.05.2011, 05:52:00"),
    ])
  func locales(locale: String, zone: String, text: String) throws {
    let conversion =
      "{dateText: {dateStyle: medium, timeStyle: medium, locale: \(locale), timeZone: \(zone)}}"
    let store = try SeedRun(Self.twoEvents, mapping: Self.printing(conversion)).convert()
    #expect(try store.lines("SELECT printedDate FROM PrintedEvent WHERE id = 1") == [text])
    #expect(store.report.losses.map(\.reason) == ["fractions of a second dropped"])
  }

  @Test("or in a form that no version of ICU changes, such as that of 2011")
  func pattern() throws {
    let conversion = "{dateText: {pattern: \"MMM d, yyyy h:mm:ss a\", locale: en_US}}"
    let store = try SeedRun(Self.twoEvents, mapping: Self.printing(conversion)).convert()
    #expect(
      try store.lines("SELECT printedDate FROM PrintedEvent") == [
        "May 22, 2011 9:52:00 PM", "May 22, 2011 9:52:01 PM",
      ])
  }

  @Test("and filters that split the events over passes give the rows of one pass")
  func filters() throws {
    let whole = try SeedRun(
      sample: "Events.archive", mapping: Self.printing("dateText")
    ).convert()
    let middle = try whole.lines("SELECT printedDate FROM PrintedEvent WHERE id = 1001")[0]
    let late = try whole.lines("SELECT printedDate FROM PrintedEvent WHERE id = 1501")[0]
    func block(_ filter: String) -> String {
      "{PrintedEvent: {from: Event, where: '\(filter)', attributes: "
        + "{printedDate: {from: timeStamp, convert: dateText}}}}"
    }
    func date(_ text: String) -> String { "CAST(\"\(text)\", \"NSDate\")" }
    let split = try SeedRun(
      sample: "Events.archive",
      mapping: """
        entities: \(block("timeStamp < \(date(middle))"))
        passes:
          - name: Middle
            entities: \(block("timeStamp >= \(date(middle)) AND timeStamp < \(date(late))"))
          - {name: Late, entities: \(block("timeStamp >= \(date(late))"))}
        """
    ).convert()
    let query = "SELECT * FROM PrintedEvent ORDER BY id"
    #expect(try split.lines(query) == whole.lines(query))
    #expect(try split.lines("SELECT count(*) FROM PrintedEvent") == ["2000"])
    #expect(split.report.filteredObjects.isEmpty)
    // References to events of later passes are there too.
    let roots = "SELECT position, value_id, value_type FROM _collection_element"
    #expect(try split.lines(roots) == whole.lines(roots))
  }

  @Test("and events that no filter takes are listed once")
  func filtered() throws {
    let mapping = """
      passes:
        - {name: One, entities: {A: {from: Event, where: 'timeStamp == nil'}}}
        - {name: Two, entities: {B: {from: Event, where: 'timeStamp == nil'}}}
      """
    let store = try SeedRun(Self.twoEvents, mapping: mapping).convert()
    #expect(
      store.report.filteredObjects.map { "\($0.className) \($0.count)" } == ["Event 2"])
  }

  @Test("and what no pass reads is listed once")
  func unread() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let other = archive.instance(of: "Other", ["name": archive.string("x")])
      return archive.instance(of: "Event", ["a": 1, "b": 2, "c": 3, "d": 4, "other": other])
    }
    let store = try SeedRun(
      archive,
      mapping: """
        classes: {Other: {ignore: true}}
        passes:
          - {name: One, entities: {A: {from: Event, complete: true, attributes: {a: a}}}}
          - name: Two
            entities: {B: {from: Event, complete: true, attributes: {b: b}, unread: [c]}}
        """
    ).convert()
    #expect(store.report.unreadKeys.map(\.key) == ["d"])
    #expect(store.report.unreadKeys.map(\.count) == [1])
    #expect(store.report.ignoredKeys.map(\.key) == ["c", "other"])
    #expect(store.report.unvisitedObjects.isEmpty)
    #expect(store.report.unmappedClasses.isEmpty)
  }
}
