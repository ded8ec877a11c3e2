import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Positions in ordered collections")
struct RelationshipPositionTests {
  private static func note(_ tag: Int64, _ keys: [KeyValue] = []) -> [KeyValue] {
    [KeyValue("tag", .integer(tag))] + keys
  }

  /// A folder that holds one of two notes, which both name it.
  private static let stray = KeyedArchiveBuilder.archive { archive in
    let folder = archive.reserve()
    let notes = (0..<2).map { place in
      archive.instance(
        of: "Note", note(Int64(place), [KeyValue("folder", folder.reference)]))
    }
    archive.fill(
      folder, className: "Folder", [KeyValue("notes", archive.array([notes[0]]))])
    return archive.array([folder.reference] + notes)
  }

  /// Tags in a set that hold their notes in arrays.
  private static let joined = KeyedArchiveBuilder.archive { archive in
    let tag = archive.reserve()
    let note = archive.instance(
      of: "Note", note(1, [KeyValue("tags", archive.set([tag.reference]))]))
    archive.fill(tag, className: "Tag", [KeyValue("notes", archive.array([note]))])
    return note
  }

  private struct Drafted {
    let folder: TemporaryFolder
    let paths: [String]
    let mapping: String
    var store: String { folder.file(named: "out.sqlite") }

    init(_ archives: [KeyedArchiveBuilder]) throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      paths = try archives.enumerated().map {
        try folder.write($0.element.binary(), to: "a\($0.offset).plist")
      }
      mapping = folder.file(named: "mapping.yaml")
      try InferredDraft(inputs: paths, options: ConversionOptions())
        .write(mapping: mapping, model: nil, replacing: false)
    }

    func convert(_ inputs: [String], appends: Bool = false) throws -> ConversionReport {
      var options = ConversionOptions()
      options.mappingPath = mapping
      options.verifies = true
      options.existingStore = appends ? .append : .fail
      var conversion = Conversion(inputs: inputs, destination: store, options: options)
      return try conversion.run()
    }
  }

  @Test("A member whose owner's collection does not hold it has none, with a mapping as without")
  func strays() throws {
    let drafted = try Drafted([Self.stray])
    let report = try drafted.convert(drafted.paths)
    #expect(report.verification?.differences == [])
    #expect(report.entities.map { "\($0.name): \($0.links)" } == ["Folder: 1", "Note: 2"])
    let plain = try ConvertedStore(Self.stray)
    let notes = "SELECT tag, folder_id, notes_position FROM Note"
    #expect(try plain.lines(notes) == ["0|1|0", "1|1|NULL"])
    #expect(try StoreQuery(drafted.store).lines(notes) == ["0|1|0", "1|1|NULL"])
  }

  @Test("Nor does it count among the members that tell an empty collection from none")
  func strayCounts() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let owners = [[KeyValue("notes", archive.array([]))], []].enumerated().map {
        archive.instance(of: "Folder", Self.note(Int64($0.offset), $0.element))
      }
      let notes = owners.map {
        archive.instance(of: "Note", Self.note(9, [KeyValue("folder", $0)]))
      }
      let other = archive.reserve()
      let member = archive.instance(of: "Note", Self.note(9, [KeyValue("folder", other.reference)]))
      archive.fill(
        other, className: "Folder", Self.note(2, [KeyValue("notes", archive.array([member]))]))
      return archive.array(owners + notes + [other.reference])
    }
    let counts = "SELECT tag, notes_count FROM Folder ORDER BY tag"
    #expect(try ConvertedStore(archive).lines(counts) == ["0|0", "1|NULL", "2|1"])
    let drafted = try Drafted([archive])
    #expect(try drafted.convert(drafted.paths).verification?.differences == [])
    #expect(try StoreQuery(drafted.store).lines(counts) == ["0|0", "1|NULL", "2|1"])
  }

  @Test("Those of earlier runs stay as they were when archives are added")
  func earlierRuns() throws {
    // Only the second archive shows that the one key leads back by the other.
    let first = KeyedArchiveBuilder.archive { archive in
      let owner = archive.instance(of: "Folder", Self.note(1))
      let other = archive.instance(of: "Note", Self.note(2))
      return archive.array([
        owner, archive.instance(of: "Note", Self.note(3, [KeyValue("folder", owner)])),
        archive.instance(of: "Folder", Self.note(4, [KeyValue("notes", archive.array([other]))])),
      ])
    }
    let drafted = try Drafted([first, Self.stray])
    _ = try drafted.convert([drafted.paths[0]])
    let report = try drafted.convert([drafted.paths[1]], appends: true)
    #expect(report.verification?.differences == [])
    #expect(
      try StoreQuery(drafted.store).lines("SELECT tag, folder_id, notes_position FROM Note") == [
        "3|1|NULL", "2|NULL|NULL", "0|3|0", "1|3|NULL",
      ])
    var verifier = StoreVerifier(
      store: drafted.store, inputs: drafted.paths, options: ConversionOptions())
    #expect(try verifier.run().verification?.differences == [])
  }

  @Test(
    "Where a store has none, members of arrays are not added, nor the other way round",
    arguments: [
      (["NSSet", "NSArray"], "ordered here, but not there"),
      (["NSArray", "NSSet"], "ordered there, but not here"),
    ])
  func otherOrder(classes: [String], reason: String) throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.sqlite")
    var options = ConversionOptions()
    for (number, className) in classes.enumerated() {
      let archive = KeyedArchiveBuilder.archive { archive in
        let folder = archive.reserve()
        let note = archive.instance(
          of: "Note", Self.note(Int64(number), [KeyValue("folder", folder.reference)]))
        let notes = archive.instance(
          of: className, [KeyValue("NS.objects", .array([note]))])
        archive.fill(folder, className: "Folder", [KeyValue("notes", notes)])
        return folder.reference
      }
      let path = try folder.write(archive.binary(), to: "a\(number).plist")
      var conversion = Conversion(inputs: [path], destination: store, options: options)
      guard number > 0 else {
        _ = try conversion.run()
        options.existingStore = .append
        continue
      }
      let before = FileManager.default.contents(atPath: store)
      do throws(ConversionError) {
        _ = try conversion.run()
        Issue.record("it is added")
      } catch {
        #expect("\(error)".contains("Folder.notes") && "\(error)".hasSuffix(reason), "\(error)")
      }
      #expect(FileManager.default.contents(atPath: store) == before)
    }
  }

  @Test("One that is gone is noticed, where the other side of the relationship is a set")
  func goneFromJoinTable() throws {
    let drafted = try Drafted([Self.joined])
    _ = try drafted.convert(drafted.paths)
    let editor = try StoreEditor(drafted.store)
    try editor.run("UPDATE Note_tags SET notes_position = NULL")
    editor.close()
    var verifier = StoreVerifier(
      store: drafted.store, inputs: drafted.paths, options: ConversionOptions())
    let differences = try verifier.run().verification?.differences ?? []
    #expect(
      differences.map { "\($0.entity) \($0.property): \($0.expected), \($0.found)" } == [
        "Note tags: Tag 1 with position 0, 1 with position NULL"
      ])
  }
}
