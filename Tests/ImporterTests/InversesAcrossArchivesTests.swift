import ArchiveWriter
import Converter
import TestSupport
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

  /// Which sides of the links stand in an archive.
  struct Sides: CustomTestStringConvertible {
    var members = false
    var clubs = false

    var testDescription: String { "members \(members), clubs \(clubs)" }

    func archive(_ number: Int) -> KeyedArchiveBuilder {
      InversesAcrossArchivesTests.archive(number, members: members, clubs: clubs)
    }
  }

  @Test(
    "A store keeps each relationship in one place, whatever is added to it",
    arguments: [
      (
        Sides(members: true), Sides(members: true, clubs: true),
        "a join table of its own, not that of its inverse"
      ),
      (
        Sides(members: true, clubs: true), Sides(members: true),
        "the join table of its inverse, not a join table of its own"
      ),
    ])
  func appended(first: Sides, second: Sides, words: String) throws {
    let folder = try TemporaryFolder()
    func add(_ archive: KeyedArchiveBuilder, _ name: String) throws {
      var options = ConversionOptions.pairs
      options.existingStore = .append
      options.verifies = true
      let input = try folder.write(archive.binary(), to: name)
      var conversion = Conversion(
        inputs: [input], destination: folder.file(named: "out.db"), options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    try add(first.archive(1), "a")
    let error = #expect(throws: ConversionError.self) { try add(second.archive(2), "b") }
    #expect(
      error?.messages.first?.hasSuffix("Club.members is stored differently there (\(words))")
        == true)
    try add(Sides(clubs: true).archive(3), "c")
  }
}
