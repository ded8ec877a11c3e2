import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Hooks that return rows which others have made, and what else is said of their objects.
@Suite("Objects that become a row that is there already")
struct HookFoundRowTests {
  private static let mapping = """
    entities:
      Note:
        attributes: {name: {type: string}}
        relationships:
          folder: {to: Folder, toMany: false, inverse: notes}
          tags: {to: Tag, toMany: true, ordered: true, inverse: notes, keepCount: true}
      Folder:
        attributes: {name: {type: string}}
        relationships: {notes: {to: Note, toMany: true, ordered: true, inverse: folder}}
      Tag:
        attributes: {name: {type: string}}
        relationships: {notes: {to: Note, toMany: true, inverse: tags, keepCount: true}}
    """

  /// Objects by their classes, each with its name, what its hook does, and another object.
  private static func archive(_ objects: [[String]]) -> KeyedArchiveBuilder {
    .graph(
      objects.map { words in
        var object = GraphObject(words[0], ["name": .plain(.string(words[1]))])
        if words.count > 2 { object.values.append(("does", .plain(.string(words[2])))) }
        if words.count > 3, let number = Int(words[3]) {
          object.values.append(("at", .one(number)))
        }
        return object
      })
  }

  /// Converts archives by runs of their own, or all by one, and verifies the store.
  private static func convert(
    _ archives: [[String]]..., appends: Bool = true
  ) throws -> (store: StoreQuery, conflicts: [String]) {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    var options = ConversionOptions()
    options.existingStore = .append
    options.verifies = true
    options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
    options.extensions = ImportExtensions(hooks: [DoingHook.self])
    let inputs = try archives.enumerated().map {
      try folder.write(archive($1).binary(), to: "a\($0).plist")
    }
    var conflicts: [String] = []
    for inputs in appends ? inputs.map({ [$0] }) : [inputs] {
      var conversion = Conversion(inputs: inputs, destination: path, options: options)
      let report = try conversion.run()
      #expect(report.verification?.differences == [])
      conflicts += report.conflicts.map(\.code.rawValue)
    }
    var verifier = StoreVerifier(store: path, inputs: inputs, options: options)
    #expect(try verifier.run().verification?.differences == [])
    let store = try StoreQuery(path)
    #expect(try store.flaws() == [])
    return (store, conflicts)
  }

  private static let members = """
    SELECT Note.name, Folder.name FROM Note LEFT JOIN Folder ON Folder.id = folder_id ORDER BY 1
    """

  @Test(
    "What is said of such an object holds for the row, whether it has become it or not",
    arguments: [["Note", "n"], ["Folder", "f", "holds", "1"]], [true, false])
  func saidOfObject(_ first: [String], isLater: Bool) throws {
    let objects =
      first[0] == "Note"
      ? [["Folder", "f", "takes", "1"], first] : [first, ["Note", "n"]]
    let archive = isLater ? objects : objects.reversed().map { Self.turned($0, objects.count) }
    let (store, conflicts) = try Self.convert([["Note", "n"], ["Folder", "f"]], archive)
    #expect(try store.lines(Self.members) == ["n|f"])
    #expect(conflicts == [])
  }

  /// An object of an archive whose objects stand in the opposite order.
  private static func turned(_ words: [String], _ count: Int) -> [String] {
    words.enumerated().map { place, word in
      place == 3 ? Int(word).map { "\(count - 1 - $0)" } ?? word : word
    }
  }

  @Test("Hooks read the values of the row")
  func reading() throws {
    let (store, _) = try Self.convert([
      ["Tag", "a"], ["Tag", "a"], ["Note", "n", "reads", "1"],
    ])
    #expect(try store.lines("SELECT name FROM Note") == ["n: a"])
  }

  @Test("Hooks that read a collection again see what was said of it since")
  func readingAgain() throws {
    let (store, _) = try Self.convert([
      ["Folder", "f"], ["Folder", "g"], ["Note", "a", "takes", "0"], ["Note", "b", "lists", "0"],
      ["Note", "c", "takes", "0"], ["Note", "a", "takes", "1"], ["Note", "d", "takes", "0"],
      ["Note", "e", "lists", "0"], ["Folder", "f", "clearsOwn", "1"], ["Note", "h", "lists", "0"],
    ])
    let lists = try store.lines("SELECT name FROM Note WHERE name LIKE '%:%' ORDER BY name")
    #expect(lists == ["b: a", "e: c d", "h: "])
  }

  @Test("What is cleared of the row has no trace of what was said of the object before")
  func clearing() throws {
    let archive = [
      ["Note", "n", "tags", "1"], ["Tag", "a"], ["Note", "m", "takes", "3"], ["Folder", "f"],
      ["Note", "o", "clears", "1"], ["Note", "p", "clears", "3"],
    ]
    let (store, conflicts) = try Self.convert([["Tag", "a"], ["Folder", "f"]], archive)
    #expect(try store.lines("SELECT * FROM Note_tags") == [])
    #expect(try store.lines(Self.members) == ["m|NULL", "n|NULL", "o|NULL", "p|NULL"])
    #expect(conflicts == [])
  }

  @Test("A row that a hook deletes is deleted, although its object became another")
  func deleting() throws {
    for archive in [
      [["Note", "n", "deletes", "1"], ["Tag", "a"]],
      [["Tag", "a"], ["Note", "n", "deletes", "0"]],
    ] {
      let (store, _) = try Self.convert([["Tag", "a"], ["Tag", "b"]], archive)
      #expect(try store.lines("SELECT name FROM Tag") == ["b"])
    }
  }

  @Test("Rows of earlier runs are counted again where what was said of an object changes members")
  func counting() throws {
    let (store, _) = try Self.convert(
      [["Tag", "a", "holds", "1"], ["Note", "n"]], [["Note", "m", "tags", "1"], ["Tag", "a"]])
    #expect(try store.lines("SELECT name, notes_count FROM Tag") == ["a|2"])
    #expect(try store.lines("SELECT name, tags_count FROM Note") == ["n|NULL", "m|1"])
  }

  @Test("Clearing counts the members of the other side again, in rows of earlier runs")
  func countingOthers() throws {
    let (store, _) = try Self.convert(
      [["Note", "n", "tags", "1"], ["Tag", "a"], ["Note", "m", "tags", "1"]],
      [["Tag", "a"], ["Note", "o", "clears", "0"]])
    #expect(try store.lines("SELECT name, tags_count FROM Note") == ["n|0", "m|0", "o|NULL"])
    #expect(try store.lines("SELECT * FROM Note_tags") == [])
  }

  @Test(
    "A run that appends leaves out the ids that were handed out before it",
    arguments: [[["Tag", "a"], ["Tag", "a"]], [["Tag", "a"], ["Tag", "b", "deletes", "1"]]])
  func handedOut(_ first: [[String]]) throws {
    let (store, _) = try Self.convert(first, [["Tag", "c"]], [["Tag", "d"]])
    let shared = """
      SELECT one.entity FROM _rows AS one JOIN _rows AS other
        ON one.entity = other.entity AND one.id < other.id AND one.last >= other.first
      """
    #expect(try store.lines(shared) == [])
    #expect(try store.lines("SELECT name FROM Tag") == ["a", "c", "d"])
  }
}

/// Finds rows by their name, and does with another what the object says.
private struct DoingHook: ImportHook {
  static let archivedClassNames = ["Note", "Folder", "Tag"]

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let name = try coder.decodeString(forKey: "name") ?? ""
    let row = try coder.context.findOrInsert(into: coder.className, identity: ["name": .text(name)])
    guard let other = try coder.decodeRow(forKey: "at") else { return row }
    switch try coder.decodeString(forKey: "does") {
    case "takes" where coder.className == "Note": row["folder"] = other.value
    case "takes": other["folder"] = row.value
    case "holds": row["notes"] = .list([other.value])
    case "tags": row["tags"] = .list([other.value])
    case "clears": other.clear("notes")
    case "deletes": coder.context.delete(other)
    case "clearsOwn": row.clear("notes")
    case "lists":
      let notes: [DestinationInstance] = other["notes"] ?? []
      let names = notes.map { $0["name"] ?? "" }
      row["name"] = "\(name): \(names.joined(separator: " "))"
    case "reads": row["name"] = "n: \(other["name"] ?? "")"
    default: break
    }
    return row
  }
}
