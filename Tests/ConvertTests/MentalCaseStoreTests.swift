import TestSupport
import Testing

@Suite("The store of the sample library")
struct MentalCaseStoreTests {
  private let folder: TemporaryFolder
  private let store: StoreQuery

  init() throws {
    folder = try TemporaryFolder(samples: "MentalCase.archive")
    try #require(try folder.convert("MentalCase.archive", "-o", "out.db").status == 0)
    store = try folder.store()
  }

  @Test("has a table for each class, and inverses in the members' tables")
  func schema() throws {
    let schema = try store.schema()
    #expect(
      schema == BookkeepingSchema.tables + Self.tables + BookkeepingSchema.indexes + Self.views)
    try store.expectSound()
  }

  @Test("says where its rows come from")
  func bookkeeping() throws {
    try store.expect(
      "SELECT id, path, sha256, bytes, format, archiver, version FROM _archive",
      [
        "1|MentalCase.archive|c38ed9915892f02f05aabe40cfc38b88aacd2eb1f19267302c5639da179e3dae|"
          + "7033|binary|NSKeyedArchiver|100000"
      ])
    try store.expect(
      "SELECT converted GLOB '20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z' "
        + "FROM _archive", "1")
    try store.expect("SELECT * FROM _top", ["1|1|root|NULL|MTLibrary|1"])
    try store.expect(
      "SELECT * FROM _rows", ["1|1|MTLibrary|1|1", "2|1|MTFolder|1|3", "3|1|MTNote|1|12"])
    try store.expect("SELECT * FROM _collection", [])
    try store.expect("SELECT * FROM _collection_element", [])
  }

  @Test("lists every class of the archive, those of values too")
  func classes() throws {
    try store.expect(
      "SELECT name, hierarchy, entity FROM _class ORDER BY name",
      [
        "MTFolder|MTFolder MTModelObject NSObject|MTFolder",
        "MTLibrary|MTLibrary MTModelObject NSObject|MTLibrary",
        "MTNote|MTNote MTModelObject NSObject|MTNote",
        "NSArray|NSArray NSObject|NULL",
        "NSDate|NSDate NSObject|NULL",
        "NSDecimalNumberPlaceholder|NSDecimalNumberPlaceholder NSObject|NULL",
        "NSMutableArray|NSMutableArray NSArray NSObject|NULL",
        "NSMutableData|NSMutableData NSData NSObject|NULL",
        "NSMutableString|NSMutableString NSString NSObject|NULL",
        "NSSet|NSSet NSObject|NULL",
        "NSURL|NSURL NSObject|NULL",
        "NSUUID|NSUUID NSObject|NULL",
      ])
  }

  @Test("keeps the library and its folders, one inside another")
  func folders() throws {
    try store.expect("SELECT * FROM MTLibrary", ["1|1|LIB-1|NULL|My Library"])
    try store.expect(
      "SELECT * FROM MTFolder",
      [
        "1|1|FOLDER-1|NULL|Languages|1|NULL|NULL",
        "2|1|FOLDER-3|NULL|Market prices|0|NULL|NULL",
        "3|1|FOLDER-2|NULL|日本語|1|1|0",
      ])
    try store.expect("SELECT * FROM MTLibrary_folders", ["1|1|0|1", "2|1|1|2"])
  }

  @Test("keeps each note, with its folder and its place there")
  func notes() throws {
    try store.expect(
      "SELECT DISTINCT modelObjectClassVersion, modelContext FROM MTNote", ["1|NULL"])
    try store.expect(
      "SELECT id, uniqueId, isEditable, rank, ease, container_id, notes_position, syncIdentifier "
        + "FROM MTNote",
      [
        "1|NOTE-1|1|1|2.5|1|0|3F2504E0-4F89-41D3-9A0C-0305E82C3301",
        "2|NOTE-2|1|2|1.75|1|1|3F2504E0-4F89-41D3-9A0C-0305E82C3302",
        "3|NOTE-3|1|3|2.0999999046325684|1|2|3F2504E0-4F89-41D3-9A0C-0305E82C3303",
        "4|NOTE-4|0|-1|0.0|1|3|3F2504E0-4F89-41D3-9A0C-0305E82C3304",
        "5|NOTE-9|0|1|2.5|2|0|3F2504E0-4F89-41D3-9A0C-0305E82C3309",
        "6|NOTE-10|1|2|2.5|2|1|3F2504E0-4F89-41D3-9A0C-0305E82C330A",
        "7|NOTE-11|1|3|0.10000000149011612|2|2|3F2504E0-4F89-41D3-9A0C-0305E82C330B",
        "8|NOTE-12|1|4|-1.5|2|3|3F2504E0-4F89-41D3-9A0C-0305E82C330C",
        "9|NOTE-5|1|1|2.5|3|0|3F2504E0-4F89-41D3-9A0C-0305E82C3305",
        "10|NOTE-6|1|2|1.2999999523162842|3|1|3F2504E0-4F89-41D3-9A0C-0305E82C3306",
        "11|NOTE-7|1|3|3.25|3|2|3F2504E0-4F89-41D3-9A0C-0305E82C3307",
        "12|NOTE-8|1|2147483648|2.0|3|3|3F2504E0-4F89-41D3-9A0C-0305E82C3308",
      ])
  }

  @Test("keeps dates with their fractions, and decimal numbers with every digit")
  func datesAndDecimals() throws {
    try store.expect(
      "SELECT id, creationDate, modificationDate, price FROM MTNote",
      [
        "1|2010-03-11T11:33:20.125Z|2010-03-12T11:33:20.625Z|NULL",
        "2|2010-03-11T11:34:20.250Z|2010-03-11T11:34:20.250Z|NULL",
        "3|2010-03-11T11:35:20.500Z|2010-03-11T11:35:24.250Z|NULL",
        "4|2010-03-11T11:36:20.000Z|2010-03-11T11:36:20.000Z|NULL",
        "5|2010-04-03T15:06:40.000Z|2010-04-03T15:06:40.000Z|2.35",
        "6|2010-04-03T15:06:50.500Z|2010-04-03T15:06:50.500Z|-0.25",
        "7|2010-04-03T15:07:00.250Z|2010-04-03T15:07:00.250Z|1250000",
        "8|2000-12-31T23:59:58.500Z|2000-12-31T23:59:58.500Z|0.00012345678901234567890123456789",
        "9|2010-03-28T20:13:20.750Z|2010-04-04T20:13:20.750Z|NULL",
        "10|2010-03-28T20:13:50.001Z|2010-03-28T20:13:50.001Z|NULL",
        "11|2010-03-28T20:14:50.875Z|2010-03-28T20:14:50.875Z|NULL",
        "12|2010-03-28T20:15:00.000Z|2010-03-28T20:15:00.001Z|NULL",
      ])
  }

  @Test("keeps texts in many scripts, scalar for scalar")
  func texts() throws {
    try store.expect(
      "SELECT id, title, text FROM MTNote",
      [
        "1|mañana|Tomorrow; also: the morning.",
        "2|el niño|The child 👶",
        "3|¿Cómo estás?|How are you?\nInformal.",
        "4|la cigüeña|The stork",
        "5|Bread|A loaf at the corner shop",
        "6|Deposit|Given back for bottles & cans <glass>",
        "7|House|",
        "8|Grain|One grain of rice 🌾🇯🇵",
        "9|水|みず — water 💧",
        "10|食べる|たべる — to eat",
        "11|葛󠄀城|A place name with a variation selector",
        "12|がぎぐ|Written in composed and か\u{3099} in decomposed form",
      ])
    // Swift finds composed and decomposed text equal.
    try store.expect("SELECT hex(title) FROM MTNote WHERE id = 12", "E3818CE3818EE38190")
    try store.expect(
      "SELECT hex(substr(text, 25, 3)) FROM MTNote WHERE id = 12", "E3818BE3829920")
    try store.expect("SELECT hex(title) FROM MTNote WHERE id = 11", "E8919BF3A08480E59F8E")
  }

  @Test("tells empty data from none, and keeps URLs absolute")
  func dataAndURLs() throws {
    try store.expect(
      "SELECT id, link, sound, sketch FROM MTNote "
        + "WHERE coalesce(link, sound, sketch) IS NOT NULL",
      [
        "1|https://dictionary.example/es/ma%C3%B1ana|NULL|NULL",
        "3|NULL|x'636166660001ff'|NULL",
        "7|NULL|NULL|x''",
        "8|NULL|x''|NULL",
        "9|https://dictionary.example/ja/%E6%B0%B4|NULL|x'007f80ff1020'",
      ])
  }

  @Test("keeps collections of values, in order where they have one")
  func collections() throws {
    try store.expect(
      "SELECT * FROM MTNote_tags",
      [
        "1|1|noun", "2|1|time", "3|2|noun", "4|2|people", "5|3|phrase", "6|4|noun", "7|4|animals",
        "8|5|food",
        "9|6|food", "10|6|refund", "11|7|big", "12|8|food", "13|9|名詞", "14|9|N5", "15|10|動詞",
        "16|10|N5", "17|12|kana",
      ])
    try store.expect(
      "SELECT * FROM MTNote_hints",
      ["1|1|0|ma…", "2|1|1|…ana", "3|8|0|small", "4|8|1|very small", "5|9|0|氵"])
  }

  @Test("is the same for the XML form, but for what tells the archives apart")
  func isTheSameForXML() throws {
    try folder.addSample("MentalCase.xml")
    try #require(try folder.convert("MentalCase.xml", "-o", "xml.db").status == 0)
    let other = try folder.store("xml.db")
    #expect(try store.schema() == other.schema())
    for table in try store.lines("SELECT name FROM sqlite_master WHERE type = 'table'")
    where !["_archive", "_report"].contains(table) {
      try other.expect(
        "SELECT rowid, * FROM \(table)", store.lines("SELECT rowid, * FROM \(table)"))
    }
    try other.expect(
      "SELECT path, format, archiver, version FROM _archive",
      ["MentalCase.xml|xml|NSKeyedArchiver|100000"])
  }

  static let views = """
    CREATE VIEW MTModelObject AS
      SELECT 'MTLibrary' AS _entity, id, modelObjectClassVersion, uniqueId, modelContext, title \
    FROM MTLibrary
      UNION ALL SELECT 'MTFolder', id, modelObjectClassVersion, uniqueId, modelContext, title \
    FROM MTFolder
      UNION ALL SELECT 'MTNote', id, modelObjectClassVersion, uniqueId, modelContext, title \
    FROM MTNote

    """

  static let tables = """
    CREATE TABLE MTLibrary (
      id INTEGER PRIMARY KEY NOT NULL,
      modelObjectClassVersion INTEGER,
      uniqueId TEXT,
      modelContext ANY,
      title TEXT
    ) STRICT
    CREATE TABLE MTFolder (
      id INTEGER PRIMARY KEY NOT NULL,
      modelObjectClassVersion INTEGER,
      uniqueId TEXT,
      modelContext ANY,
      title TEXT,
      isEditable INTEGER,
      parent_id INTEGER REFERENCES MTFolder(id),
      folders_position INTEGER
    ) STRICT
    CREATE TABLE MTNote (
      id INTEGER PRIMARY KEY NOT NULL,
      modelObjectClassVersion INTEGER,
      uniqueId TEXT,
      modelContext ANY,
      title TEXT,
      text TEXT,
      isEditable INTEGER,
      rank INTEGER,
      ease REAL,
      creationDate TEXT,
      modificationDate TEXT,
      price TEXT,
      syncIdentifier TEXT,
      link TEXT,
      sound BLOB,
      sketch BLOB,
      container_id INTEGER REFERENCES MTFolder(id),
      price_number REAL GENERATED ALWAYS AS (CASE WHEN price GLOB '[-0-9]*' THEN CAST(price AS REAL) END) VIRTUAL,
      notes_position INTEGER
    ) STRICT
    CREATE TABLE MTLibrary_folders (
      id INTEGER PRIMARY KEY NOT NULL,
      MTLibrary_id INTEGER NOT NULL REFERENCES MTLibrary(id),
      position INTEGER,
      MTFolder_id INTEGER REFERENCES MTFolder(id)
    ) STRICT
    CREATE TABLE MTNote_tags (
      id INTEGER PRIMARY KEY NOT NULL,
      MTNote_id INTEGER NOT NULL REFERENCES MTNote(id),
      value TEXT
    ) STRICT
    CREATE TABLE MTNote_hints (
      id INTEGER PRIMARY KEY NOT NULL,
      MTNote_id INTEGER NOT NULL REFERENCES MTNote(id),
      position INTEGER,
      value TEXT
    ) STRICT
    CREATE INDEX MTLibrary_folders_by_MTLibrary_id ON MTLibrary_folders (MTLibrary_id, position)
    CREATE INDEX MTLibrary_folders_by_MTFolder_id ON MTLibrary_folders (MTFolder_id)
    CREATE INDEX MTFolder_by_parent_id ON MTFolder (parent_id, folders_position)
    CREATE INDEX MTNote_by_container_id ON MTNote (container_id, notes_position)
    CREATE INDEX MTNote_tags_by_MTNote_id ON MTNote_tags (MTNote_id)
    CREATE INDEX MTNote_hints_by_MTNote_id ON MTNote_hints (MTNote_id, position)

    """
}
