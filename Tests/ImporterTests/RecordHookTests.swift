import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Hooks and records")
struct RecordHookTests {
  /// A hook for the records of a list under the top-level key `root`.
  struct PersonHook: ImportHook {
    static let archivedClassNames = ["root"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let person = try coder.insert(into: "root")
      person["name"] = try coder.decodeString(forKey: "name")?.uppercased()
      return person
    }
  }

  private static func people() -> KeyedArchiveBuilder {
    .archive { archive in
      let people = ["Ada", "Bob"].map { name in
        archive.dictionary([
          archive.string("name"): archive.string(name), archive.string("age"): 36,
        ])
      }
      return archive.array(people)
    }
  }

  @Test("a hook is called for each record, if dictionaries are to be records")
  func called() throws {
    var run = try SteeredConversion(
      [Self.people()], ImportExtensions(hooks: [PersonHook.self]))
    run.options.dictionaries = .automatic
    run.options.verifies = true
    let (store, report) = try run.run()
    #expect(report.verification?.isPassed == true)
    #expect(try store.lines("SELECT name FROM root ORDER BY id") == ["ADA", "BOB"])
    #expect(report.unreadKeys.map { "\($0.className).\($0.key) \($0.count)" } == ["root.age 2"])
  }

  @Test("with hooks, dictionaries are pairs unless something else is said")
  func pairs() throws {
    var run = try SteeredConversion(
      [Self.people()], ImportExtensions(hooks: [PersonHook.self]))
    run.options.dictionaries = nil
    let (store, report) = try run.run()
    #expect(report.entities.map(\.name) == [])
    #expect(try store.lines("SELECT count(*) FROM _collection") == ["3"])
  }
}
