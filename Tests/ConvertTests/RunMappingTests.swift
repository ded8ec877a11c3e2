import Foundation
import TestSupport
import Testing

@Suite("convert run --mapping and --model")
struct RunMappingTests {
  /// Notes whose rank must be there and be 2 at most.
  static let strict = """
    entities:
      Note:
        attributes:
          rank: {type: integer, optional: false, maximum: 2}
          title: {pattern: "[a-z]+"}
    """

  // MARK: What is converted

  @Test("makes the rows that a mapping and its model say, and sums up what was left behind")
  func converts() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive", "MentalCase.archive")
    try folder.addSampleModel("Locations")
    try folder.write(
      """
      model: Locations.xcdatamodeld
      entities:
        Event:
          unread: [longitude]
          where: latitude < 30
          attributes: {longitude: {value: 0}, latitude: {}}
          relationships: {tags: {split: ",", into: Tag, by: name}}
      """, to: "m.yaml")
    let result = try folder.convert(
      "Locations.archive", "MentalCase.archive", "--mapping", "m.yaml", "-o", "out.db",
      "--report", "r.json")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 2 archives in # s → out.db, # kB
        3 of 22 objects became rows.

        entity  archived objects  rows  values  links
        Event                  6     3       9      1
        Tag                    0     1       1      1
        ─────────────────────────────────────────────
        all                    6     4      10      2

        Collections: 1 under top-level keys or in other collections, with 3 links.

        Classes without an entity: MTFolder (3), MTLibrary (1), MTNote (12).
        Ignored on purpose: Event.longitude (6).
        No row created for: Event (3).

        """)
    let report = try folder.text(of: "r.json").replacing(/\s+/, with: " ")
    #expect(
      report.contains(
        """
        "ignoredKeys" : [ { "class" : "Event", "count" : 6, "key" : "longitude" } ]
        """))
    #expect(
      report.contains(
        """
        "unmappedClasses" : [ { "class" : "MTFolder", "count" : 3 }, \
        { "class" : "MTLibrary", "count" : 1 }, { "class" : "MTNote", "count" : 12 } ]
        """))
    try folder.store().expectSound()
  }

  @Test("goes by names alone with --model, and lists the keys that the model has no place for")
  func model() throws {
    let folder = try TemporaryFolder()
    try folder.addSampleModel("Locations")
    try folder.add("archive") { archive in
      archive.instance(
        of: "Event",
        [
          "creationDate": archive.date(secondsSince2001: 0), "latitude": 1.5, "longitude": 2,
          "altitude": 3.5,
        ])
    }
    let result = try folder.convert("archive", "--model", "Locations.xcdatamodeld", "-o", "out.db")
    #expect(result.status == 0)
    #expect(
      result.output.components(separatedBy: "\n\n").last == "Unread keys: Event.altitude (1).\n")
    try folder.store().expect("SELECT * FROM Event", ["1|2001-01-01T00:00:00.000Z|1.5|2.0"])
    try folder.store().expect(
      "SELECT mapping, model_digest, options FROM _run",
      [#"NULL|\#(CheckCommandTests.digest)|{"modelFile":"Locations.xcdatamodeld"}"#])
  }

  @Test("records the mapping and the options of the run in the store")
  func recordsRun() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("classes: {Event: Place}", to: "m.yaml")
    let result = try folder.convert(
      "Locations.archive", "--mapping", "m.yaml", "--provenance", "--strip-prefix", "MT", "-o",
      "out.db")
    #expect(result.status == 0)
    try folder.store().expect(
      "SELECT mapping, model_digest, options, first_archive, last_archive FROM _run",
      [
        "classes: {Event: Place}|NULL|"
          + #"{"stripPrefix":"MT","provenance":true,"mappingFile":"m.yaml"}|1|1"#
      ])
    try folder.store().expect("SELECT count(*) FROM Place", "6")
  }

  // MARK: What cannot be done

  @Test("does nothing with a mapping that has mistakes, and tells all of them")
  func mistakes() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("entities:\n  Event:\n    atributes: {}\n    identity: 7\n", to: "m.yaml")
    let result = try folder.convert(
      "Locations.archive", "--mapping", "m.yaml", "-o", "out.db", "--report", "r.json")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errorLines == [
        "m.yaml:3:5: unknown key 'atributes' in an entity (did you mean 'attributes'?)",
        "m.yaml:4:15: expected a name or a list of names, found a number",
      ])
    #expect(try folder.names() == ["Locations.archive", "m.yaml"])
  }

  @Test("writes nothing if an archive breaks the rules, but tells each value and writes reports")
  func brokenRules() throws {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    try folder.write(Self.strict, to: "m.yaml")
    let result = try folder.convert(
      "one", "two", "--mapping", "m.yaml", "-o", "out.db", "--report", "r.json", "--report",
      "r.txt")
    #expect(result.status == 2)
    #expect(result.output == "")
    let messages = [
      "one: Note: Note.rank: is empty, but must not be: 2 times, first in object 3",
      "two: object 3 (Note): Note.rank: is above the maximum (the limit is 2)",
      "two: object 3 (Note): Note.title: the text does not match the model's pattern",
      "two: object 7 (Note): Note.rank: is empty, but must not be",
    ]
    #expect(result.errorLines.sorted() == messages)
    #expect(try folder.names() == ["m.yaml", "one", "r.json", "r.txt", "two"])

    let report = try folder.text(of: "r.json").replacing(/\s+/, with: " ")
    #expect(
      report.contains(
        """
        { "archive" : "two", "class" : "Note", "code" : "tooLarge", "entity" : "Note", \
        "kind" : "integer", "message" : "object 3 (Note): Note.rank: is above the maximum \
        (the limit is 2)", "property" : "rank", "row" : 3, "uid" : 3 }
        """))
    #expect(!report.contains("\"converted\""))
    #expect(report.contains("\"validationErrorsLeftOut\" : 0"))
    let text = try folder.text(of: "r.txt").components(separatedBy: "\n\n")
    #expect(text.first?.masked == "Converted 0 archives, rejected 2 in # s → nothing was written")
    let errors = try #require(text.dropLast().last)
    #expect(
      errors.hasPrefix("Validation: 5 errors.\n  one: Note: Note.rank: "))
  }

  @Test("leaves out whole archives that break the rules, where archives may be left out")
  func leavesOut() throws {
    let folder = try TemporaryFolder()
    try folder.addNotes("in/1", ["title": "good", "rank": 1])
    try folder.addNotes("in/2", ["title": "fine", "rank": 2], ["title": "Bad", "rank": 3])
    try folder.write(Self.strict, to: "m.yaml")
    let result = try folder.convert("in", "--mapping", "m.yaml", "-o", "out.db")
    #expect(result.status == 1)
    #expect(
      result.errors == "in/2: object 5 (Note): Note.rank: is above the maximum "
        + "(the limit is 2) (and 1 more)\n")
    #expect(result.output.hasPrefix("Converted 1 archive, rejected 1 in "))
    #expect(result.output.contains("\nValidation: 2 errors.\n  in/2: "))
    let store = try folder.store()
    try store.expect("SELECT title, rank FROM Note", ["good|1"])
    try store.expect("SELECT path FROM _archive", ["in/1"])
  }
}
