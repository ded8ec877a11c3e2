import ArchiveWriter
import Converter
import Foundation
import Importer
import Support
import TestSupport
import Testing

@Suite("Rows that are written before the profile is complete")
struct SpeculativeImportTests {
  /// What a conversion ends in: the store's content and the report, or the messages.
  private func outcome(
    _ archive: String, _ change: (inout ConversionOptions) -> Void
  ) throws -> String {
    let folder = try TemporaryFolder()
    var options = ConversionOptions()
    change(&options)
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [archive], destination: path, options: options)
    var report: ConversionReport
    do throws(ConversionError) {
      report = try conversion.run()
    } catch {
      #expect(try folder.names() == [])
      return error.messages.joined(separator: "\n")
    }
    (report.startedAt, report.seconds, report.storePath) = (nil, nil, "")
    // Pages are filled otherwise where an index had to be given up.
    (report.storeBytes, report.storeSHA256) = (nil, nil)
    let store = try StoreQuery(path)
    #expect(try store.flaws() == [])
    let content = try store.content(except: ["_archive", "_run", "_report"])
    let archives = try store.lines("SELECT id, path, sha256, bytes FROM _archive")
    return try content + archives.joined() + JSONDocument.text(of: report)
  }

  /// Compares a conversion that begins early, by samples of several sizes, with one that does not.
  ///
  /// A sample of one object of each class often predicts another profile.
  private func expectSameOutcome(
    _ archive: String, _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws {
    let late = try outcome(archive) { options in
      change(&options)
      options.speculation.bytes = .max
    }
    for size in [1 << 14, 3, 1] {
      let early = try outcome(archive) { options in
        change(&options)
        options.speculation.bytes = 0
        options.speculation.sample.objects = size
        options.speculation.sample.elements = max(1, size / 64)
      }
      #expect(early == late, "with \(size) objects of each class")
    }
  }

  @Test("are those that are written after it", arguments: TwoWaysTests.archives)
  func plain(archive: String) throws {
    try expectSameOutcome(archive) { $0.recordsProvenance = true }
  }

  @Test("are those that a mapping makes", arguments: Repository.sampleArchives)
  func mapped(archive: String) throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.draftMapping(of: archive, withModel: true)
    try expectSameOutcome(archive) { options in
      options.mappingPath = mapping
      options.jobs = 2
    }
  }

  @Test("are those that a mapping makes in several passes")
  func passes() throws {
    let folder = try TemporaryFolder()
    let things = (0..<100).map { (name: "\($0)", labels: [String]()) }
    let archive = try folder.write(BoxArchive.box("box", things).binary(), to: "box.plist")
    let mapping = try folder.write(
      """
      entities: {Thing: {from: Thing, where: name != "7"}}
      passes:
        - {name: second, entities: {Seventh: {from: Thing, where: name == "7"}}}
        - {name: third, entities: {Case: {from: Box}}}
      """, to: "mapping.yaml")
    try expectSameOutcome(archive) { options in
      options.mappingPath = mapping
      options.jobs = 2
    }
  }

  final class Box: ImportedObject {
    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      self["name"] = try coder.decodeString(forKey: "name")
      self["things"] = try coder.decodeObject(forKey: "things")
    }
  }

  @Test("are those that hooks make, one of which breaks the rules")
  func hooks() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(HookModel.document, to: "Model.xcdatamodel/contents")
    for name in ["Thing", "Reading"] {
      // A reading has a key that the archive lacks, and must not.
      let archive = try folder.write(
        BoxArchive.box(of: name, [("a", ["red"]), ("b", []), ("c", ["red", "blue"])]).binary(),
        to: name)
      try expectSameOutcome(archive) { options in
        options.modelPath = model
        options.extensions = ImportExtensions(hooks: [Box.self])
        options.jobs = 2
      }
    }
  }

  /// What comes behind a thousand things of one kind.
  enum Surprise: CaseIterable {
    case otherKind, otherKey, missingKey, otherClass, otherOwner, object, null, value, misfit,
      damage
    case none

    /// Those that are tried with each mapping; all of them where each commit is checked.
    static let some: [Surprise] =
      Thoroughness.isWhole ? allCases : [.otherKey, .otherOwner, .object, .value, .none]

    /// What comes last, in a box that each of the usual things refers to.
    func things(
      _ archive: inout KeyedArchiveBuilder, in box: PropertyListValue
    ) -> [PropertyListValue] {
      let name = archive.string("x")
      switch self {
      case .otherKind: return [archive.instance(of: "Thing", ["name": 7, "box": box])]
      case .otherKey: return [archive.instance(of: "Thing", ["name": name, "box": box, "size": 1])]
      case .missingKey: return [archive.instance(of: "Thing")]
      case .otherOwner:
        let other = archive.instance(of: "Box", ["things": archive.array([])])
        return [archive.instance(of: "Thing", ["name": name, "box": other])]
      case .object:
        // There are others of its class, which the box holds.
        let note = archive.instance(of: "Note", ["text": name])
        return [archive.instance(of: "Thing", ["name": note, "box": box])]
      case .otherClass: return [archive.instance(of: "Toy", ["name": name])]
      case .null: return ["$null"]
      case .value: return [name]
      case .misfit: return [archive.instance(of: "NSUUID", ["name": name])]
      case .damage: return [.uid(1_000_000)]
      case .none: return []
      }
    }
  }

  @Test("are written anew where a sample misled", arguments: Surprise.allCases)
  func surprise(surprise: Surprise) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.box(surprise).binary(), to: "box.plist")
    try expectSameOutcome(path)
    try expectSameOutcome(path) { $0.errorPolicy = .skip }
  }

  /// A thousand things in a box, and a surprise.
  private static func box(_ surprise: Surprise) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let box = archive.reserve()
      var members: [PropertyListValue] = []
      for number in 0..<1_000 {
        let name = archive.string("thing \(number)")
        members.append(archive.instance(of: "Thing", ["name": name, "box": box.reference]))
      }
      members += surprise.things(&archive, in: box.reference)
      let note = archive.instance(of: "Note", ["text": archive.string("first")])
      let notes = [archive.instance(of: "Note", ["text": archive.string("second")])]
      return archive.fill(
        box, className: "Box",
        ["things": archive.array(members), "note": note, "notes": archive.array(notes)])
    }
  }

  /// What is said of things: they are read as they stand, converted, twice, or not at all.
  private static let blocks = [
    "Thing: {}",
    "Thing: {attributes: {name: {type: string, convert: trim}}}",
    "Thing: {attributes: {name: {type: string}, label: {from: name, type: string}}}",
    "Thing: {unread: [name]}",
    "Thing: {attributes: {name: {type: integer}}}",
    "Thing: {complete: true, relationships: {box: {to: Box}}}",
    "Thing: {complete: true, attributes: {name: {type: string}}}",
    "Thing: {unread: [box]}",
    "Thing: {where: name != \"thing 7\"}",
  ]

  @Test(
    "are those that a mapping makes of many objects straight, or are written anew",
    arguments: blocks, Surprise.some)
  func straight(block: String, surprise: Surprise) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.box(surprise).binary(), to: "box.plist")
    let mapping = try folder.write("entities: {\(block)}\n", to: "mapping.yaml")
    try expectSameOutcome(path) { options in
      options.mappingPath = mapping
      options.recordsProvenance = true
      options.errorPolicy = .skip
    }
  }

  @Test(
    "are those that a mapping makes of many objects straight, and of a box otherwise",
    arguments: ["", "unread: [note], ", "unread: [notes], "])
  func box(unread: String) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      func instances(_ name: String, _ key: String, count: Int) -> [PropertyListValue] {
        (0..<count).map { archive.instance(of: name, [key: archive.string("\(name) \($0)")]) }
      }
      let notes = instances("Note", "text", count: 2)
      return archive.instance(
        of: "Box",
        [
          "things": archive.array(instances("Thing", "name", count: 1_000)),
          "note": notes[0], "notes": archive.array([notes[1]]),
        ])
    }
    let folder = try TemporaryFolder()
    let path = try folder.write(archive.binary(), to: "box.plist")
    let mapping = try folder.write(
      """
      entities:
        Box: {\(unread)attributes: {label: {expression: things.@count, type: integer}}}
      """, to: "mapping.yaml")
    try expectSameOutcome(path) { options in
      options.mappingPath = mapping
      options.recordsProvenance = true
    }
  }

  @Test("leave an index behind that is whole, whatever their order", arguments: [1, 4_999])
  func indexes(step: Int) throws {
    let (boxes, things) = (100, 10_000)
    let archive = KeyedArchiveBuilder.archive { archive in
      let boxPlaces = (0..<boxes).map { _ in archive.reserve() }
      let thingPlaces = (0..<things).map { _ in archive.reserve() }
      for (number, place) in thingPlaces.enumerated() {
        let box = boxPlaces[number / (things / boxes)].reference
        _ = archive.fill(place, className: "Thing", ["box": box])
      }
      for (number, place) in boxPlaces.enumerated() {
        let own = thingPlaces[number * (things / boxes)..<(number + 1) * (things / boxes)]
        let members = archive.array(own.map(\.reference))
        _ = archive.fill(place, className: "Box", ["things": members])
      }
      // So many steps lie between one thing and the next.
      let all = thingPlaces.indices.map { thingPlaces[$0 * step % things].reference }
      return archive.instance(
        of: "Shelf",
        ["all": archive.array(all), "boxes": archive.array(boxPlaces.map(\.reference))])
    }
    let store = try ConvertedStore(archive) { $0.speculation.bytes = 0 }
    #expect(
      try store.lines("SELECT count(*) FROM Thing INDEXED BY Thing_by_box_id WHERE box_id > 0")
        == ["\(things)"])
    #expect(
      try store.lines("SELECT count(DISTINCT box_id), max(things_position) FROM Thing")
        == ["\(boxes)|\(things / boxes - 1)"])
  }
}
