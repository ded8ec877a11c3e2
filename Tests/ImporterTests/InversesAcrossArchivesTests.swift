import ArchiveWriter
import Testing

@Suite("Inverses among relationships of several archives")
struct InversesAcrossArchivesTests {
  /// An archive of a person and a club, whose members and clubs are given.
  ///
  /// The two have the same numbers in all of them.
  private static func archive(
    _ number: Int, members: Bool, clubs: Bool
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      let (person, club) = (archive.reserve(), archive.reserve())
      let all = archive.array([person.reference, club.reference])
      let list = archive.array([person.reference])
      let set = archive.set([club.reference])
      archive.fill(
        person, className: "Person",
        [KeyValue("number", .integer(Int64(number)))] + (clubs ? [KeyValue("clubs", set)] : []))
      archive.fill(club, className: "Club", members ? [KeyValue("members", list)] : [])
      return all
    }
  }

  @Test(
    "Links that stand on one side in one archive and on the other in another are all kept",
    arguments: [2, 40])
  func oneSided(count: Int) throws {
    let archives = (0..<count).map { number in
      Self.archive(number, members: number.isMultiple(of: 2), clubs: !number.isMultiple(of: 2))
    }
    let converted = try ConvertedStore(archives) { $0.verifies = true }
    #expect(converted.report.verification?.differences == [])
    #expect(
      try converted.lines(
        "SELECT count(*) FROM Club_members UNION ALL SELECT count(*) FROM Person_clubs")
        == ["\(count / 2)", "\(count / 2)"])
  }

  @Test("Those that stand on both sides in each archive are one", arguments: [2, 40])
  func mirrored(count: Int) throws {
    let archives = (0..<count).map { Self.archive($0, members: true, clubs: true) }
    let converted = try ConvertedStore(archives) { $0.verifies = true }
    #expect(converted.report.verification?.differences == [])
    #expect(
      try converted.lines(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%\\_%' ESCAPE '\\' "
          + "AND name NOT LIKE '\\_%' ESCAPE '\\'"
      ).count == 1)
  }
}
