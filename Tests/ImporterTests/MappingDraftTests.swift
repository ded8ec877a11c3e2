import ArchiveReader
import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("Drafts of mapping files")
struct MappingDraftTests {
  /// An archive of what is unusual.
  static func oddArchive() -> KeyedArchiveBuilder {
    .archive { archive in
      let plants = (0..<3).map { _ in archive.reserve() }
      let tags = (0..<2).map { _ in archive.reserve() }
      for (number, links) in [[0, 1], [0], []].enumerated() {
        archive.fill(
          plants[number], className: "Garden.Plant",
          hierarchy: ["Garden.Plant", "Base", "NSObject"],
          [
            KeyValue("NS.size", .real(-0.0)), KeyValue("$own", true), KeyValue("id", 5),
            KeyValue("ID", 6), KeyValue("yes", number == 0 ? "text" : .integer(Int64(number))),
            KeyValue("say \"hi\"\n", .real(number == 0 ? .nan : 0.5)),
            KeyValue("größe", .none),
            KeyValue("other", number == 0 ? tags[0].reference : plants[0].reference),
            KeyValue("tags", archive.set(links.map { tags[$0].reference })),
          ], unkeyed: [7])
      }
      for (number, links) in [[0, 1], [0]].enumerated() {
        archive.fill(
          tags[number], className: "true",
          [
            "plants": archive.set(links.map { plants[$0].reference }),
            "names.all": number == 0
              ? archive.dictionary(["a": 1, "b": plants[0].reference]) : archive.dictionary([:]),
            "counts": archive.countedSet([("x", 2)]), "nothing": archive.array([]),
            "dates": number == 0 ? .none : archive.orderedSet([archive.date(secondsSince2001: 1)]),
          ])
      }
      let broken = archive.instance(of: "NSUUID", ["NS.uuidbytes": .data(Data(count: 28))])
      return archive.array(plants.map(\.reference) + [broken])
    }
  }

  @Test("The draft of a sample")
  func mentalCase() throws {
    let archive = try KeyedArchive(contentsOf: "\(Repository.samples)/MentalCase.archive")
    let draft = try DraftedArchive(archive, stripPrefix: "MT").draft {
      $0.archiveNames = ["MentalCase.archive"]
      $0.nameRules.stripPrefix = "MT"
    }
    #expect(draft == MentalCaseDraft.text(fileName: "mapping.yaml", stripsPrefix: true))
  }

  @Test("The draft of what is unusual")
  func odd() throws {
    let draft = try DraftedArchive(Self.oddArchive()).draft { $0.fileName = "my odd mapping.yaml" }
    #expect(
      draft == """
        # How archived objects become rows of a store: a mapping for archive-convert.
        #
        # Drafted from archives.
        # Unchanged, it yields the same store as a run without it. Edit it as needed, then run
        #
        #   archive-convert INPUT... --mapping 'my odd mapping.yaml' -o STORE
        #
        # The comments say what was found: "in 3 of 4 objects" means that 3 of them have the key.

        classes:
          "Garden.Plant": Plant
          NSUUID: NSUUID
          "true": "true"
          # Read as values and collections, which need no entity: NSArray, NSCountedSet, NSDate,
          # NSDictionary, NSOrderedSet, NSSet.

        entities:
          # 3 objects of class Garden.Plant, a subclass of Base
          Plant:
            complete: true
            attributes:
              "NS.size": {from: ["NS.size"], type: double, keepNegativeZero: true}  # -0.0, in 3 \
        of 3 objects
              "$own": {from: "$$own", type: boolean}  # boolean, in 3 of 3 objects
              id: {type: integer}  # whole number, in 3 of 3 objects
              ID_2: {from: ID, type: integer}  # whole number, in 3 of 3 objects
              "yes": {type: mixed}  # whole number or text, in 3 of 3 objects
              "say \\"hi\\"\\n": {type: mixed}  # real number or NaN, in 3 of 3 objects
              "größe": {type: unknown}  # nil, in 3 of 3 objects
              "$0": {type: integer}  # whole number, in 3 of 3 objects
            relationships:
              other: {to: [Plant, "true"], toMany: false}  # object, in 3 of 3 objects
              # inverse of true.plants: both hold the same 3 links
              tags: {to: "true", toMany: true, ordered: false, inverse: plants}  # set, in 3 of \
        3 objects; 3 members; some are empty

          # 1 object of class NSUUID that has unexpected keys or values
          NSUUID:
            complete: true
            attributes:
              "NS.uuidbytes": {from: ["NS.uuidbytes"], type: binary}  # data, in 1 of 1 object

          # 2 objects of class true
          "true":
            complete: true
            relationships:
              # inverse of Plant.tags: both hold the same 3 links
              plants: {to: Plant, toMany: true, ordered: false, inverse: tags}  # set, in 2 of 2 \
        objects; 3 members
            collections:
              "names.all": {ordered: false, keys: string, values: integer, valueReferences: \
        true}  # dictionary, in 2 of 2 objects; from text to whole number or object; some are \
        empty
              counts: {ordered: false, keys: string, values: integer}  # counted set, in 2 of 2 \
        objects; from text to whole number
              nothing: {ordered: true, values: unknown}  # array, in 2 of 2 objects; all are empty
              dates: {ordered: true, values: date}  # ordered set or nil, in 2 of 2 objects; of \
        date

        """)
  }

  @Test("Without any class there is nothing to say")
  func empty() throws {
    let draft = try DraftedArchive(.archive { $0.array([]) }).draft()
    #expect(
      draft.hasSuffix(
        """

        classes: {}
          # Read as values and collections, which need no entity: NSArray.

        entities: {}

        """))
    #expect(try Mapping(yaml: draft, path: "mapping.yaml") == Mapping())
  }
}
