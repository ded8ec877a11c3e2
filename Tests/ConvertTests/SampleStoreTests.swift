import TestSupport
import Testing

@Suite("The stores of the other samples")
struct SampleStoreTests {
  @Test(
    "share enumeration objects, and do not mistake a key for the primary key",
    arguments: ["archive", "xml"])
  func quickRecords(form: String) throws {
    let sample = try ConvertedStore(sample: "QuickRecord.\(form)", "--provenance")
    try sample.expectSchema(
      """
      CREATE TABLE QuickRecord (
        id INTEGER PRIMARY KEY NOT NULL,
        amount TEXT,
        audioUUID TEXT,
        created_at TEXT,
        id_2 TEXT,
        type_id INTEGER REFERENCES TransactionType(id)
      ) STRICT
      CREATE TABLE TransactionType (
        id INTEGER PRIMARY KEY NOT NULL,
        rawValue INTEGER
      ) STRICT
      CREATE TABLE QuickRecord_tags (
        id INTEGER PRIMARY KEY NOT NULL,
        QuickRecord_id INTEGER NOT NULL REFERENCES QuickRecord(id),
        value TEXT
      ) STRICT
      CREATE INDEX QuickRecord_tags_by_QuickRecord_id ON QuickRecord_tags (QuickRecord_id)

      """, objects: BookkeepingSchema.objectsTable)
    try sample.expectRoot("QuickRecord", count: 5)
    try sample.store.expect(
      "SELECT id, amount, created_at, id_2, type_id FROM QuickRecord",
      [
        "1|12.30|2018-01-05T09:00:00.000Z|3F2504E0-4F89-41D3-9A0C-0305E82C3301|1",
        "2|-7|2018-01-05T10:30:00.250Z|3F2504E0-4F89-41D3-9A0C-0305E82C3302|2",
        "3|1e3|NULL|3F2504E0-4F89-41D3-9A0C-0305E82C3303|2",
        "4| 5 |2018-01-06T11:03:04.500Z|3F2504E0-4F89-41D3-9A0C-0305E82C3304|1",
        "5|12.|2018-01-07T11:00:00.000Z|3F2504E0-4F89-41D3-9A0C-0305E82C3305|1",
      ])
    try sample.store.expect(
      "SELECT substr(audioUUID, 1, 34), substr(audioUUID, 35) FROM QuickRecord",
      ["65", "66", "67", "68", "69"].map { "3F2504E0-4F89-41D3-9A0C-0305E82C33|\($0)" })
    try sample.store.expect("SELECT * FROM TransactionType", ["1|1", "2|0"])
    try sample.store.expect(
      "SELECT * FROM QuickRecord_tags",
      ["1|1|food", "2|1|taxi", "3|2|refund", "4|3|salary", "5|5|café", "6|5|早餐"])
  }

  @Test("keep coordinates and loose text as they are", arguments: ["archive", "xml"])
  func locations(form: String) throws {
    let sample = try ConvertedStore(sample: "Locations.\(form)")
    try sample.expectSchema(
      """
      CREATE TABLE Event (
        id INTEGER PRIMARY KEY NOT NULL,
        creationDate TEXT,
        latitude REAL,
        longitude REAL,
        tags TEXT
      ) STRICT

      """)
    try sample.expectRoot("Event", count: 6)
    try sample.store.expect(
      "SELECT * FROM Event",
      [
        "1|2010-06-01T08:30:00.000Z|37.3317|-122.0307|a, b ,,a",
        "2|2010-06-01T09:30:00.500Z|40.7484|-73.9857|b,\n c",
        "3|2010-06-01T10:30:00.250Z|51.5007|-0.1246|NULL",
        "4|2010-06-02T08:30:00.000Z|-33.8568|151.2153|",
        "5|2010-06-02T09:30:00.750Z|25.0339|121.5645| , ",
        "6|2010-06-03T08:30:00.000Z|0.0|180.0|A",
      ])
  }

  @Test("keep two thousand times")
  func events() throws {
    let sample = try ConvertedStore(sample: "Events.archive")
    try sample.expectSchema(
      """
      CREATE TABLE Event (
        id INTEGER PRIMARY KEY NOT NULL,
        timeStamp TEXT
      ) STRICT

      """)
    try sample.expectRoot("Event", count: 2_000)
    // The rule by which the sample is made.
    var milliseconds = 0
    let expected = (0..<2_000).map { place in
      defer {
        milliseconds += 1_000 * (1 + place * 7_919 % 5_400)
        if place % 5 == 3 { milliseconds += 125 * (place % 8) }
      }
      return "\(milliseconds)"
    }
    try sample.store.expect(
      "SELECT 1000 * (unixepoch(timeStamp) - unixepoch('2011-05-22T21:52:00.000Z')) + iif("
        + "timeStamp GLOB '*.*', substr(rtrim(timeStamp, 'Z') || '00', 21, 3), 0) FROM Event",
      expected)
    try sample.store.expect(
      "SELECT * FROM Event WHERE id IN (1, 2, 4, 9, 2000)",
      [
        "1|2011-05-22T21:52:00.000Z", "2|2011-05-22T21:52:01.000Z", "4|2011-05-22T23:58:00.000Z",
        "9|2011-05-23T03:57:40.375Z", "2000|2011-07-24T11:56:53.000Z",
      ])
    try sample.store.expect("SELECT count(DISTINCT timeStamp) FROM Event", "2000")
  }

  static let periods = """
    CREATE TABLE TrackingPeriod (
      id INTEGER PRIMARY KEY NOT NULL,
      name TEXT,
      startDate TEXT,
      endDate TEXT,
      expenseTotal ANY
    ) STRICT

    """

  @Test("keep doubles to the last bit, -0.0 included", arguments: ["archive", "xml"])
  func expenses(form: String) throws {
    let sample = try ConvertedStore(sample: "Expenses.\(form)")
    try sample.expectSchema(Self.periods)
    try sample.expectRoot("TrackingPeriod", count: 13)
    try sample.store.expect(
      "SELECT * FROM TrackingPeriod",
      [
        "1|January 2012|2012-01-01T00:00:00.000Z|2012-02-01T00:00:00.000Z|56.78888",
        "2|February 2012|2012-02-01T00:00:00.000Z|2012-03-01T00:00:00.000Z|1234.5",
        "3|March 2012|2012-03-01T00:00:00.000Z|2012-04-01T00:00:00.000Z|2.675",
        "4|April 2012|2012-04-01T00:00:00.000Z|2012-05-01T00:00:00.000Z|1.005",
        "5|May 2012|2012-05-01T00:00:00.000Z|2012-06-01T00:00:00.000Z|0.125",
        "6|June 2012|2012-06-01T00:00:00.000Z|2012-07-01T00:00:00.000Z|0.135",
        "7|July 2012|2012-07-01T00:00:00.000Z|2012-08-01T00:00:00.000Z|-2.675",
        "8|August 2012|2012-08-01T00:00:00.000Z|2012-09-01T00:00:00.000Z|-0.005",
        "9|September 2012|2012-09-01T00:00:00.000Z|2012-10-01T00:00:00.000Z|12.0",
        "10|October 2012|2012-10-01T00:00:00.000Z|2012-11-01T00:00:00.000Z|0.0",
        "11|November 2012|2012-11-01T00:00:00.000Z|2012-12-01T00:00:00.000Z|-0.0",
        "12|December 2012|2012-12-01T00:00:00.000Z|2013-01-01T00:00:00.000Z|1e+21",
        "13|January 2013|2013-01-01T00:00:00.000Z|2013-02-01T00:00:00.000Z|123456789012345.67",
      ])
  }

  @Test("keep NaN as a text and infinity as a number", arguments: ["archive", "xml"])
  func unusualExpenses(form: String) throws {
    let sample = try ConvertedStore(sample: "Expenses-Unusual.\(form)")
    try sample.expectSchema(Self.periods)
    try sample.expectRoot("TrackingPeriod", count: 2)
    try sample.store.expect(
      "SELECT *, typeof(expenseTotal) FROM TrackingPeriod",
      [
        "1|January 2012|2012-01-01T00:00:00.000Z|2012-02-01T00:00:00.000Z|NaN|text",
        "2|February 2012|2012-02-01T00:00:00.000Z|2012-03-01T00:00:00.000Z|inf|real",
      ])
  }
}
