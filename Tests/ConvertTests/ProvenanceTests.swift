import Foundation
import TestSupport
import Testing

@Suite("convert run --provenance")
struct ProvenanceTests {
  @Test("is off by default")
  func isOff() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    #expect(try folder.convert("MentalCase.archive", "-o", "out.db").status == 0)
    try folder.store().expect("SELECT name FROM sqlite_master WHERE name = '_objects'", [])
  }

  @Test("leads from each row of each entity to one object of an archive, and back")
  func leadsBack() throws {
    let samples = ["MentalCase.archive", "QuickRecord.xml", "Events.archive", "MentalCase.xml"]
    let folder = try TemporaryFolder()
    for sample in samples { try folder.addSample(sample) }
    let result = try Program.run(samples + ["-o", "out.db", "--provenance"], in: folder.path)
    #expect(result.status == 0)
    let store = try folder.store()

    let entities = try store.lines("SELECT entity FROM _class WHERE entity IS NOT NULL")
    #expect(
      entities == [
        "MTLibrary", "MTFolder", "MTNote", "QuickRecord", "TransactionType", "Event",
      ])
    for entity in entities {
      let rows = try store.value("SELECT count(*) FROM \(entity)")
      try store.expect(
        "SELECT count(DISTINCT row) FROM _objects JOIN \(entity) AS e ON e.id = row "
          + "WHERE entity = '\(entity)'", rows)
    }
    let objects = try store.value("SELECT count(*) FROM _objects")
    #expect(objects == "\(16 + 7 + 2_000 + 16)")
    try store.expect(
      "SELECT count(*) FROM (SELECT DISTINCT archive_id, uid FROM _objects)", objects)
    // The ranges in _rows tell the archive of each row, too.
    try store.expect(
      "SELECT count(*) FROM _objects JOIN _rows USING (archive_id, entity) "
        + "WHERE row BETWEEN first AND last", objects)
    try store.expectSound()
  }

  @Test("names the UIDs as inspect does", arguments: ["archive", "xml"])
  func namesUIDs(form: String) throws {
    let folder = try TemporaryFolder(samples: "MentalCase.\(form)")
    #expect(
      try folder.convert("MentalCase.\(form)", "-o", "out.db", "--provenance").status == 0)
    try folder.store().expect(
      "SELECT archive_id, uid, class, entity, row, uniqueId FROM _objects "
        + "JOIN (SELECT 'MTLibrary' AS e, id, uniqueId FROM MTLibrary "
        + "UNION ALL SELECT 'MTFolder', id, uniqueId FROM MTFolder "
        + "UNION ALL SELECT 'MTNote', id, uniqueId FROM MTNote WHERE id < 4) AS r "
        + "ON e = entity AND r.id = row ORDER BY uid",
      [
        "1|1|MTLibrary|MTLibrary|1|LIB-1", "1|2|MTFolder|MTFolder|1|FOLDER-1",
        "1|3|MTNote|MTNote|1|NOTE-1", "1|27|MTNote|MTNote|2|NOTE-2",
        "1|37|MTNote|MTNote|3|NOTE-3", "1|58|MTFolder|MTFolder|3|FOLDER-2",
        "1|114|MTFolder|MTFolder|2|FOLDER-3",
      ])
  }
}
