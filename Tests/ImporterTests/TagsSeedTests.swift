import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@testable import migration_examples

/// The article on tags: `Event.tags` was a text and becomes a relationship to `Tag`.
@Suite("Tags that stood in a text become rows")
struct TagsSeedTests {
  static let events = [
    "1|2010-06-01T08:30:00.000Z|37.3317|-122.0307", "2|2010-06-01T09:30:00.500Z|40.7484|-73.9857",
    "3|2010-06-01T10:30:00.250Z|51.5007|-0.1246", "4|2010-06-02T08:30:00.000Z|-33.8568|151.2153",
    "5|2010-06-02T09:30:00.750Z|25.0339|121.5645", "6|2010-06-03T08:30:00.000Z|0.0|180.0",
  ]

  /// An archive with an event for each text.
  static func events(_ tags: String...) -> KeyedArchiveBuilder {
    .archive { archive in
      archive.array(
        tags.map { tags in
          archive.instance(
            of: "Event",
            [
              "creationDate": archive.date(secondsSince2001: 0), "latitude": .real(1),
              "longitude": .real(2), "tags": archive.string(tags),
            ])
        })
    }
  }

  private static func mapping(_ more: String = "") -> String {
    """
    model: SAMPLES/Locations.xcdatamodeld
    entities:
      Event:
        relationships:
          tags: {split: ",", into: Tag, by: name\(more)}
    """
  }

  private func expectSampleStore(_ store: SeedStore) throws {
    #expect(try store.lines("SELECT * FROM Event") == Self.events)
    #expect(try store.lines("SELECT * FROM Tag") == ["1|a", "2|b", "3|c", "4|A"])
    #expect(
      try store.lines("SELECT Event_id, Tag_id FROM Event_tags") == [
        "1|1", "1|2", "2|2", "2|3", "6|4",
      ])
    #expect(try store.tables() == ["table Event", "table Tag", "table Event_tags"])
  }

  @Test("by the sample mapping: cut, trimmed, each once, with the events of each tag")
  func mapping() throws {
    let store = try SeedRun(
      sample: "Locations.archive", mapping: SeedRun.sampleMapping("Locations.yaml")
    ).convert()
    try expectSampleStore(store)
    #expect(store.report.unreadKeys.isEmpty)
  }

  @Test("by the article's policy: the same rows")
  func policy() throws {
    let store = try SeedRun(
      sample: "Locations.xml",
      mapping: """
        model: SAMPLES/Locations.xcdatamodeld
        entities: {Event: {policy: TagsMigrationPolicy}}
        """, policies: ["TagsMigrationPolicy": TagsMigrationPolicy.self]
    ).convert()
    try expectSampleStore(store)
  }

  @Test("without a model: the same tables, by an inverse that the mapping names")
  func withoutModel() throws {
    let store = try SeedRun(
      sample: "Locations.archive",
      mapping: """
        entities:
          Event:
            relationships:
              tags: {split: ",", into: Tag, by: name, inverse: events}
        """
    ).convert()
    try expectSampleStore(store)
  }

  @Test("and a tag that several archives hold is one row")
  func severalArchives() throws {
    let store = try SeedRun(
      Self.events("a,b", "b"), Self.events("b , c"), Self.events("c", "a"),
      mapping: Self.mapping()
    ).convert()
    #expect(try store.lines("SELECT name FROM Tag") == ["a", "b", "c"])
    #expect(
      try store.lines(
        """
        SELECT Tag.name, group_concat(Event_id) FROM Tag JOIN Event_tags ON Tag.id = Tag_id
          GROUP BY Tag.id
        """) == ["a|1,5", "b|1,2,3", "c|3,4"])
  }

  @Test("and the wildcards of LIKE in a tag are characters like others")
  func wildcards() throws {
    let store = try SeedRun(Self.events("bx", "b?", "*", "b*,b?"), mapping: Self.mapping())
      .convert()
    #expect(try store.lines("SELECT * FROM Tag") == ["1|bx", "2|b?", "3|*", "4|b*"])
    #expect(
      try store.lines("SELECT Event_id, Tag_id FROM Event_tags") == [
        "1|1", "2|2", "3|3", "4|4", "4|2",
      ])
  }

  @Test("and no tag has an empty name or none")
  func emptyNames() throws {
    let store = try SeedRun(
      Self.events("", ",", " , \n,\u{A0}", "\u{3000}"), mapping: Self.mapping()
    ).convert()
    #expect(try store.lines("SELECT count(*) FROM Event") == ["4"])
    #expect(try store.lines("SELECT * FROM Tag") == [])
    #expect(try store.lines("SELECT * FROM Event_tags") == [])
  }

  @Test(
    "and texts that differ in case or in their Unicode form are one tag on request",
    arguments: [
      ("", ["cafe\u{301}", "caf\u{E9}", "CAF\u{C9}"]),
      (", fold: unicode", ["cafe\u{301}", "CAF\u{C9}"]), (", fold: case", ["cafe\u{301}"]),
    ])
  func folding(option: String, names: [String]) throws {
    let store = try SeedRun(
      Self.events("cafe\u{301}", "caf\u{E9}", "CAF\u{C9}"), mapping: Self.mapping(option)
    ).convert()
    let found = try store.lines("SELECT name FROM Tag")
    #expect(found.map { Array($0.unicodeScalars) } == names.map { Array($0.unicodeScalars) })
    #expect(try store.lines("SELECT count(*) FROM Event_tags") == ["3"])
  }

  @Test("and white space stays on request, that of empty parts too")
  func untrimmed() throws {
    let run = try SeedRun(Self.events("a, b"), mapping: Self.mapping(", trim: false"))
    #expect(try run.convert().lines("SELECT name FROM Tag") == ["a", " b"])
  }

  @Test("and an object of another class does what the mapping says, which the article only logs")
  func otherClass() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let place = archive.instance(of: "Place", ["name": archive.string("x")])
      return archive.array([place])
    }
    let store = try SeedRun(Self.events("a"), archive, mapping: Self.mapping()).convert()
    #expect(store.report.unmappedClasses.map { "\($0.className) \($0.count)" } == ["Place 1"])
    #expect(try store.lines("SELECT name FROM Tag") == ["a"])
  }

  @Test("and a policy that stops at the end has nothing saved")
  func stopsAtTheEnd() throws {
    let run = try SeedRun(
      sample: "Locations.archive",
      mapping: """
        model: SAMPLES/Locations.xcdatamodeld
        entities: {Event: {policy: TagsMigrationPolicy}}
        """, policies: ["TagsMigrationPolicy": InspectingTagsPolicy.self])
    let messages = try run.messages()
    #expect(
      messages == [
        "a hook or policy stopped the run: InspectingTagsPolicy.end, mapping 'EventToEvent': cancelled: 6 events, 4 tags"
      ])
  }
}

/// The article's hint: look at what was made, and stop without saving.
final class InspectingTagsPolicy: TagsMigrationPolicy {
  override func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    throw ImportError(.cancelled, name: "6 events, 4 tags")
  }
}
