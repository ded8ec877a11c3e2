import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Objects that others take the place of")
struct ReplacementTests {
  /// One object for each name, however many are archived.
  private final class Species: KeyedDecodable {
    static let archivedClassNames = ["Species"]
    let name: String
    let isOriginal: Bool

    init(coder: KeyedCoder) throws {
      name = try coder.decodeString(forKey: "name") ?? ""
      isOriginal = true
    }

    private init(name: String) {
      self.name = name
      isOriginal = false
    }

    func awakeAfter(using coder: KeyedCoder) throws -> any KeyedDecodable {
      Species(name: "one \(name)")
    }
  }

  private final class Bed: KeyedDecodable {
    static let archivedClassNames = ["Bed"]
    let inPlace: Species?
    private(set) var later: [Species] = []

    init(coder: KeyedCoder) throws {
      inPlace = try coder.decodeObject(of: Species.self, forKey: "species")
      try coder.decodeReferences(to: Species.self, forKey: "all") { self.later = $0 }
    }
  }

  @Test("are replaced for every reference")
  func awakeAfter() throws {
    let unarchiver = try KeyedUnarchiver.of([Bed.self, Species.self]) { archive in
      let species = archive.instance(of: "Species", ["name": "rose"])
      return archive.instance(
        of: "Bed", ["species": species, "all": archive.array([species, species])])
    }
    let bed = try #require(try unarchiver.decodeRoot(of: Bed.self))
    let species = try #require(bed.inPlace)
    #expect(species.name == "one rose")
    #expect(!species.isOriginal)
    #expect(bed.later.count == 2)
    #expect(bed.later.allSatisfy { $0 === species })
  }

  @Test("are replaced by who sees all objects, too")
  func didDecode() throws {
    let unarchiver = try KeyedUnarchiver.of(
      [Bed.self, Species.self, Branch.self],
      { archive in
        archive.instance(
          of: "Bed", ["species": archive.instance(of: "Species", ["name": "rose"])])
      },
      configure: {
        $0.didDecode = { object, coder in
          guard object is Species else { return object }
          return try Branch(coder: coder)
        }
      })
    // What takes its place is of another class than the one asked for.
    #expect(throws: ArchiveError(.wrongKind, at: .object(3, key: "species"), name: "Species")) {
      try unarchiver.decodeRoot(of: Bed.self)
    }
  }

  /// Registers itself, leads back to itself, and has another take its place.
  private final class Hasty: KeyedDecodable {
    static let archivedClassNames = ["Hasty"]
    private(set) var own: Hasty?
    private let isKept: Bool

    init(coder: KeyedCoder) throws {
      isKept = try coder.decodeBool(forKey: "kept")
      coder.register(self)
      own = try coder.decodeObject(of: Hasty.self, forKey: "own")
    }

    private init(_ other: Hasty) { isKept = true }

    func awakeAfter(using coder: KeyedCoder) throws -> any KeyedDecodable {
      isKept ? self : Hasty(self)
    }

    func cut() { own = nil }
  }

  @Test("cannot be replaced once they were handed out")
  func tooLate() throws {
    func root(isKept: Bool, leadsBack: Bool) throws -> Hasty? {
      try KeyedUnarchiver.of([Hasty.self]) { archive in
        let slot = archive.reserve()
        return archive.fill(
          slot, className: "Hasty",
          ["kept": .bool(isKept), "own": leadsBack ? slot.reference : .none])
      }.decodeRoot(of: Hasty.self)
    }
    let kept = try root(isKept: true, leadsBack: true)
    #expect(kept?.own === kept)
    kept?.cut()
    #expect(try root(isKept: false, leadsBack: false) != nil)
    #expect(throws: ArchiveError(.replacedTooLate, at: .object(1, key: nil), name: "Hasty")) {
      try root(isKept: false, leadsBack: true)
    }
  }
}
