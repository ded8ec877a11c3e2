import ArchiveReader
import ArchiveWriter
import Testing

@Suite("What a key holds, decoded later")
struct DeferredValueTests {
  /// Takes whatever is there.
  private final class Crate: KeyedDecodable {
    static let archivedClassNames = ["Crate"]
    private(set) var content: [String: DecodedValue] = [:]

    init(coder: KeyedCoder) throws {
      for key in coder.allKeys {
        try coder.decodeReferences(forKey: key) { self.content[key] = $0 }
      }
    }

    func empty() { content = [:] }
  }

  @Test("is a value, an object or a collection of both, in cycles too")
  func kinds() throws {
    let unarchiver = try KeyedUnarchiver.of([Crate.self]) { archive in
      let (first, second) = (archive.reserve(), archive.reserve())
      archive.fill(second, className: "Crate", ["number": .integer(2)])
      return archive.fill(
        first, className: "Crate",
        [
          "nothing": .none, "text": archive.string("a"), "crate": second.reference,
          "list": archive.array([
            archive.string("b"), first.reference,
            archive.dictionary(["me": first.reference, "other": second.reference]),
          ]),
        ])
    }
    let first = try #require(try unarchiver.decodeRoot(of: Crate.self))
    defer { first.empty() }
    #expect(Set(first.content.keys) == ["text", "crate", "list"])
    guard case .text("a") = first.content["text"],
      case .object(let second as Crate) = first.content["crate"],
      case .integer(2) = second.content["number"],
      case .array(let list) = first.content["list"], list.count == 3,
      case .text("b") = list[0], case .object(let me as Crate) = list[1],
      case .dictionary(let pairs) = list[2]
    else {
      Issue.record("\(first.content)")
      return
    }
    #expect(me === first)
    let members = pairs.map { pair -> (String?, Bool) in
      guard case .text(let key) = pair.key, case .object(let crate as Crate) = pair.value else {
        return (nil, false)
      }
      return (key, crate === (key == "me" ? first : second))
    }
    #expect(Set(members.map(\.0)) == ["me", "other"] && members.allSatisfy(\.1))
  }

  @Test("takes no stack for a long list of objects, and has a limit for collections")
  func depth() throws {
    let count = 100_000
    let unarchiver = try KeyedUnarchiver.of([Crate.self]) { archive in
      let slots = (0..<count).map { _ in archive.reserve() }
      for (slot, next) in zip(slots, slots.dropFirst() + [slots[0]]) {
        let list = archive.array([next.reference])
        archive.fill(slot, className: "Crate", ["next": list])
      }
      return slots[0].reference
    }
    let first = try #require(try unarchiver.decodeRoot(of: Crate.self))
    var (crate, length) = (first, 0)
    while case .array(let list) = crate.content["next"], case .object(let next as Crate) = list[0] {
      crate.empty()
      (crate, length) = (next, length + 1)
    }
    #expect(crate === first && length == count)
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.of([Crate.self]) { archive in
        let list = (0..<101).reduce(into: archive.array([])) { list, _ in
          list = archive.array([list])
        }
        return archive.instance(of: "Crate", ["list": list])
      }.decodeRoot(of: Crate.self)
    }
  }

  @Test("is an error where security demands other classes")
  func security() throws {
    let unarchiver = try KeyedUnarchiver.of(
      [Crate.self],
      { archive in
        archive.instance(of: "Crate", ["crate": archive.instance(of: "Crate", ["a": .none])])
      }, configure: { $0.requiresSecureCoding = true })
    let root = try unarchiver.decodeRoot(of: Crate.self)
    #expect(root?.content.count == 1)
    let strange = try KeyedUnarchiver.of(
      [Crate.self],
      { archive in archive.instance(of: "Crate", ["url": archive.url("https://example.org")]) },
      configure: { $0.requiresSecureCoding = true })
    #expect(throws: ArchiveError.self) { try strange.decodeRoot(of: Crate.self) }
  }
}
