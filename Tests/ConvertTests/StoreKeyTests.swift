import ArchiveWriter
import TestSupport
import Testing

@Suite("The keys and computed columns of a store")
struct StoreKeyTests {
  @Test("give each table a primary key, whatever its rows are")
  func primaryKeys() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "QuickRecord.xml")
    #expect(
      try folder.convert(
        "MentalCase.archive", "QuickRecord.xml", "-o", "out.db", "--provenance", "--open-nested",
        "-q"
      ).status == 0)
    let store = try folder.store()
    try store.expect(
      """
      SELECT t.name FROM pragma_table_list AS t
        WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND NOT EXISTS (
          SELECT 1 FROM pragma_table_info(t.name) WHERE cid = 0 AND pk = 1 AND "notnull" = 1)
      """, [])
    try store.expect(
      "SELECT id, MTLibrary_id, position, MTFolder_id FROM MTLibrary_folders",
      ["1|1|0|1", "2|1|1|2"])
  }

  /// Writes an archive of an item with a price, and of a list of prices.
  private func add(
    _ name: String, _ price: String, to folder: TemporaryFolder, _ others: KeyValue...
  ) throws {
    try folder.add(name) { archive in
      let prices = [
        try archive.decimal("10"), try archive.decimal("9.5"), try archive.decimal("NaN"),
      ]
      return archive.instance(
        of: "Item",
        [
          KeyValue("price", try archive.decimal(price)), KeyValue("prices", archive.array(prices)),
        ] + others)
    }
  }

  @Test("compute numbers from decimals, which sort, while their texts stay exact")
  func numbers() throws {
    let folder = try TemporaryFolder()
    for (number, price) in ["2.35", "1250000", "-0.25", "NaN"].enumerated() {
      try add("item\(number)", price, to: folder)
    }
    #expect(
      try folder.convert(
        "item0", "item1", "item2", "item3", "-o", "out.db", "--verify", "-q"
      ).status == 0)
    let store = try folder.store()
    try store.expect(
      "SELECT price, price_number IS NULL, format('%.2f', price_number) FROM Item "
        + "ORDER BY price_number",
      ["NaN|1|0.00", "-0.25|0|-0.25", "2.35|0|2.35", "1250000|0|1250000.00"])
    try store.expect(
      "SELECT value FROM Item_prices WHERE Item_id = 1 ORDER BY value_number DESC",
      ["10", "9.5", "NaN"])
    try store.expectSound()
  }

  @Test("leave the names of computed columns to keys, in every run that adds to the store")
  func names() throws {
    let folder = try TemporaryFolder()
    try folder.add("one") { archive in
      archive.instance(of: "Item", [KeyValue("price_number", .integer(7))])
    }
    try add("two", "2.5", to: folder)
    try add("three", "10", to: folder, KeyValue("price_number", .integer(8)))
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    #expect(try folder.append("two", "--verify", "-q").status == 0)
    #expect(try folder.append("three", "--verify", "-q").status == 0)
    #expect(try folder.convert("verify", "out.db", "one", "two", "three", "-q").status == 0)
    try folder.store().expect(
      "SELECT price_number, price, price_number_2 FROM Item",
      ["7|NULL|NULL", "NULL|2.5|2.5", "8|10|10.0"])
  }

  @Test("keep the column that was computed first, beside a key of its name")
  func keys() throws {
    let folder = try TemporaryFolder()
    try add("one", "2.5", to: folder)
    try add("two", "10", to: folder, KeyValue("price_number", .integer(8)))
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    #expect(try folder.append("two", "--verify", "-q").status == 0)
    #expect(try folder.convert("verify", "out.db", "one", "two", "-q").status == 0)
    try folder.store().expect(
      "SELECT price, price_number, price_number_2 FROM Item", ["2.5|2.5|NULL", "10|10.0|8"])
  }

  @Test("are missing from a store of an earlier version, which is left as it is")
  func earlierLayout() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(
      """
      CREATE TABLE old AS SELECT * FROM _top; DROP TABLE _top;
      CREATE TABLE _top (archive_id INTEGER NOT NULL REFERENCES _archive(id), "key" TEXT NOT NULL,
        value ANY, entity TEXT, "row" INTEGER) STRICT;
      INSERT INTO _top SELECT archive_id, "key", value, entity, "row" FROM old; DROP TABLE old;
      """)
    editor.close()
    let before = try folder.contents(of: "out.db")
    let reason =
      "it has the layout of an earlier version; convert all archives into a new store"
    let appended = try folder.append("two")
    #expect(appended.errors == "out.db: cannot append: \(reason)\n")
    #expect(appended.status == 2)
    let verified = try folder.convert("verify", "out.db", "one")
    #expect(verified.errors == "out.db: cannot be read: \(reason)\n")
    #expect(verified.status == 2)
    #expect(try folder.contents(of: "out.db") == before)
  }

  @Test("are compared like any other column")
  func verified() throws {
    let folder = try TemporaryFolder()
    try add("one", "2.5", to: folder)
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(
      """
      ALTER TABLE Item DROP COLUMN price_number;
      ALTER TABLE Item ADD COLUMN price_number REAL AS (length(price)) VIRTUAL;
      """)
    editor.close()
    let result = try folder.convert("verify", "out.db", "one")
    #expect(result.status == 1)
    #expect(result.output.contains("  the store: Item, price_number: expected price_number REAL "))
  }
}
