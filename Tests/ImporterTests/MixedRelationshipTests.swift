import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// Keys that hold one object here, a collection there, and something else elsewhere.
@Suite("A key that holds different things in different objects")
struct MixedRelationshipTests {
  /// What an object holds under a key.
  enum Held: String, CaseIterable {
    case one, array, set, orderedSet, dictionary, empty, mixed, text, null, absent
  }

  /// Which members hold their owner.
  enum Back: String, CaseIterable {
    case none, all, one, several

    /// The name of the class of the owners.
    var className: String { "Doc" + rawValue.capitalized }
  }

  private static let pairs: [(Held, Held)] = Held.allCases.enumerated().flatMap { place, first in
    Held.allCases.dropFirst(place + 1).map { (first, $0) }
  }

  /// An archive in which an object holds something, and the next something else.
  private static func archive(_ held: [Held]) -> KeyedArchiveBuilder {
    .archive { archive in
      var roots: [PropertyListValue] = []
      for back in Back.allCases {
        for held in held {
          let owner = archive.reserve()
          let members = archive.members(held == .one ? 1 : 3, of: owner.reference, back)
          archive.fill(
            owner, className: back.className,
            [KeyValue("title", archive.string("t"))]
              + (archive.value(held, members).map { [KeyValue("kids", $0)] } ?? []))
          // Some members are met before their owner.
          if back == .several { roots += members }
          roots.append(owner.reference)
        }
      }
      return archive.array(roots)
    }
  }

  @Test(
    "is converted, compared and counted, in one archive",
    arguments: Thoroughness.some(pairs, oneIn: 2))
  func inOneArchive(first: Held, second: Held) throws {
    try check([Self.archive([first, second, first])])
  }

  @Test(
    "is converted, compared and counted, from archive to archive",
    arguments: Thoroughness.some(pairs, oneIn: 2, from: 1))
  func inSeveralArchives(first: Held, second: Held) throws {
    try check([Self.archive([first]), Self.archive([second])])
  }

  private static let kinds: [[Held]] = [[.array], [.set], [.array, .set], [.set, .orderedSet]]

  /// The kinds of collections that notes and tags hold each other in.
  private static let sides = kinds.flatMap { notes in kinds.map { (notes, $0) } }

  @Test("is compared where it is the inverse of another", arguments: sides)
  func manyToMany(notes: [Held], tags: [Held]) throws {
    try check([
      .archive { archive in
        let noteSlots = (0..<4).map { _ in archive.reserve() }
        let tagSlots = (0..<4).map { _ in archive.reserve() }
        func isLinked(_ note: Int, _ tag: Int) -> Bool { (note + 2 * tag) % 3 != 1 }
        for note in noteSlots.indices {
          let members = tagSlots.indices.reversed().filter { isLinked(note, $0) }
            .map { tagSlots[$0].reference }
          let value = archive.value(notes[note % notes.count], members)
          archive.fill(noteSlots[note], className: "Note", [KeyValue("tags", value ?? .none)])
        }
        for tag in tagSlots.indices {
          let members = noteSlots.indices.reversed().filter { isLinked($0, tag) }
            .map { noteSlots[$0].reference }
          let value = archive.value(tags[tag % tags.count], members)
          archive.fill(tagSlots[tag], className: "Tag", [KeyValue("notes", value ?? .none)])
        }
        return archive.array(tagSlots.reversed().map(\.reference))
      }
    ])
  }

  /// Converts archives in all ways, and compares the stores with them and with each other.
  private func check(_ archives: [KeyedArchiveBuilder]) throws {
    let folder = try TemporaryFolder()
    let inputs = try archives.enumerated().map { number, archive in
      try folder.write(archive.binary(), to: "a\(number).plist")
    }
    let draft = try InferredDraft(inputs: inputs, options: ConversionOptions.pairs)
    let mapping = folder.file(named: "mapping.yaml")
    try draft.write(mapping: mapping, model: nil, replacing: false)
    func run(_ change: (inout ConversionOptions) -> Void) throws -> String {
      var options = ConversionOptions.pairs
      options.verifies = true
      options.existingStore = .replace
      change(&options)
      let path = folder.file(named: "out.sqlite")
      var conversion = Conversion(inputs: inputs, destination: path, options: options)
      let report = try conversion.run()
      #expect(report.verification?.differences == [])
      let store = try StoreQuery(path)
      #expect(try store.flaws() == [])
      #expect(try report.tally == store.tally(report))
      #expect(report.unreadKeys == [])
      return try store.content(except: ["_archive", "_run", "_report"])
    }
    let plain = try run { _ in }
    #expect(try run { $0.mappingPath = mapping } == plain)
    if archives.count > 1 { return }
    #expect(try run { $0.avoidsPlainRows = true } == plain)
    #expect(
      try run {
        $0.mappingPath = mapping
        $0.avoidsPlainRows = true
      } == plain)
  }

  @Test("has its links counted once, those to one row and those of collections")
  func counts() throws {
    let converted = try ConvertedStore(Self.archive([.one, .array]))
    let entity = try #require(converted.report.entities.first { $0.name == "DocNone" })
    #expect(entity.rows == 2)
    #expect(entity.links == 4)
    #expect(
      entity.relationships.map { "\($0.name) \($0.isToMany) \($0.links)" } == [
        "kids false 1", "kids true 3",
      ])
    #expect(try converted.lines("SELECT kids_id FROM DocNone ORDER BY id") == ["1", "NULL"])
    #expect(
      try converted.lines("SELECT * FROM DocNone_kids ORDER BY position") == [
        "1|2|0|2", "2|2|1|3", "3|2|2|4",
      ])
  }
}

extension KeyedArchiveBuilder {
  /// Adds some members of an owner.
  fileprivate mutating func members(
    _ count: Int, of owner: PropertyListValue, _ back: MixedRelationshipTests.Back
  ) -> [PropertyListValue] {
    (0..<count).map { number in
      var keys = [KeyValue("number", .integer(Int64(number)))]
      switch back {
      case .none: break
      case .all: keys.append(KeyValue("owner", owner))
      case .one: if number == 0 { keys.append(KeyValue("owner", owner)) }
      case .several: keys.append(KeyValue("owner", number == 1 ? array([owner]) : owner))
      }
      return instance(of: "Kid\(back.rawValue.capitalized)", keys)
    }
  }

  /// What stands under a key; nil if nothing does.
  fileprivate mutating func value(
    _ held: MixedRelationshipTests.Held, _ members: [PropertyListValue]
  ) -> PropertyListValue? {
    switch held {
    case .one: members[0]
    case .array: array(members)
    case .set: set(members)
    case .orderedSet: orderedSet(members)
    case .dictionary:
      dictionary(keys: members.indices.map { .string("k\($0)") }, values: members)
    case .empty: array([])
    case .mixed: array(members + [string("x"), null()])
    case .text: string("text")
    case .null: PropertyListValue.none
    case .absent: nil
    }
  }
}
