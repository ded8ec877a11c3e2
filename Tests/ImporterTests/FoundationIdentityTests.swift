import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// Rows that several objects have by their identity, with values of Foundation's classes.
@Suite("Rows of one identity with values of Foundation's classes")
struct FoundationIdentityTests {
  /// What was converted, run by run.
  private struct Result {
    let folder: TemporaryFolder
    var store: StoreQuery
    /// The properties with conflicts, of each run.
    var conflicts: [[String]]
  }

  /// Converts archives by a mapping: each run adds its own to the store.
  private func convert(_ runs: [[KeyedArchiveBuilder]], mapping: String) throws -> Result {
    let folder = try TemporaryFolder()
    var options = ConversionOptions()
    options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
    options.verifies = runs.count == 1
    let output = folder.file(named: "out.sqlite")
    var conflicts: [[String]] = []
    for (run, archives) in runs.enumerated() {
      options.existingStore = run == 0 ? .fail : .append
      let inputs = try archives.enumerated().map { number, archive in
        try folder.write(archive.binary(), to: "run\(run)-\(number).plist")
      }
      var conversion = Conversion(inputs: inputs, destination: output, options: options)
      let report = try conversion.run()
      #expect((report.verification?.differences ?? []) == [])
      conflicts.append(report.conflicts.map(\.property))
    }
    let store = try StoreQuery(output)
    #expect(try store.flaws() == [])
    return Result(folder: folder, store: store, conflicts: conflicts)
  }

  /// Adds a value to an archive.
  typealias Maker = @Sendable (inout KeyedArchiveBuilder) -> PropertyListValue

  /// A note with a unique name.
  private static func note(
    name: String = "a", _ key: String, _ value: Maker
  ) -> KeyedArchiveBuilder {
    .of("Note") { archive in
      let (name, value) = (archive.string(name), value(&archive))
      return ["name": name, key: value]
    }
  }

  private static func gray(_ white: String) -> Maker {
    { archive in
      archive.instance(
        of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("\(white)\0".utf8))])
    }
  }

  /// A text, with an attribute where a size is given.
  private static func text(
    _ text: String, size: Int? = nil, isAttributed: Bool = true
  ) -> Maker {
    { archive in
      let string = archive.string(text)
      guard isAttributed else { return string }
      guard let size else {
        return archive.instance(of: "NSAttributedString", ["NSString": string])
      }
      let attributes = archive.dictionary(["size": archive.number(size)])
      return archive.instance(
        of: "NSAttributedString", ["NSString": string, "NSAttributes": attributes])
    }
  }

  @Test(
    "have no conflict where the JSON is equal, and one where it is not",
    arguments: [("0.5", []), ("1", ["color"])], [1, 2])
  func equalJSON(case other: (white: String, conflicts: [String]), runs: Int) throws {
    let archives = [
      Self.note("color", Self.gray("0.5")), Self.note("color", Self.gray(other.white)),
    ]
    let result = try convert(
      runs == 1 ? [archives] : archives.map { [$0] },
      mapping: "entities: {Note: {identity: name}}")
    #expect(Array(result.conflicts.joined()) == other.conflicts)
    #expect(
      try result.store.lines("SELECT name, color ->> '$.components[0]' FROM Note") == [
        "a|\(other.white)"
      ])
  }

  /// What comes second behind the text "same" of size 1, the conflicts, and what is in the store.
  private static let texts: [(Maker, conflicts: [String], row: String)] = [
    (text("same", size: 1), [], "same|1"), (text("same", size: 2), ["body"], "same|2"),
    (text("other", size: 1), ["body"], "other|1"),
    (text("same", isAttributed: false), ["body"], "same|NULL"),
    // Nothing said is no other value.
    ({ _ in .none }, [], "same|1"),
  ]

  @Test("have a conflict where the attributes of a text differ", arguments: texts.indices, [1, 2])
  func attributes(index: Int, runs: Int) throws {
    let (second, conflicts, row) = Self.texts[index]
    let archives = [Self.note("body", Self.text("same", size: 1)), Self.note("body", second)]
    let result = try convert(
      runs == 1 ? [archives] : archives.map { [$0] },
      mapping:
        "entities: {Note: {identity: name, attributes: {body: {type: attributedText}}}}")
    #expect(Array(result.conflicts.joined()) == conflicts)
    #expect(
      try result.store.lines("SELECT body, body_runs ->> '$.runs[0].attributes.size' FROM Note")
        == [row])
  }

  @Test("have a conflict where texts look alike but are not the same")
  func scalars() throws {
    let result = try convert(
      [["é", "e\u{301}"].map { Self.note("title", Self.text($0, isAttributed: false)) }],
      mapping: "entities: {Note: {identity: name}}")
    #expect(result.conflicts == [["title"]])
    #expect(try result.store.lines("SELECT hex(title) FROM Note") == ["65CC81"])
  }

  @Test(
    "are found by the text alone where a text with attributes is the identity", arguments: [1, 2])
  func attributedIdentity(runs: Int) throws {
    let archives = [
      Self.note(name: "x", "body", Self.text("one", size: 1)),
      Self.note(name: "x", "body", Self.text("two", size: 1)),
      Self.note(name: "y", "body", Self.text("one", size: 2)),
      Self.note(name: "z", "body", Self.text("two", isAttributed: false)),
    ]
    let result = try convert(
      runs == 1 ? [archives] : [Array(archives[..<2]), Array(archives[2...])],
      mapping: "entities: {Note: {identity: body, attributes: {body: {type: attributedText}}}}")
    #expect(Array(result.conflicts.joined()) == ["body", "name", "body", "name"])
    #expect(
      try result.store.lines(
        "SELECT id, name, body, body_runs ->> '$.runs[0].attributes.size' FROM Note") == [
          "1|y|one|2", "2|z|two|NULL",
        ])
  }

  // MARK: Columns of attributes

  @Test("keep a key apart that is named like the column of a text's attributes")
  func keyNamedLikeRuns() throws {
    let archive = KeyedArchiveBuilder.of("Note") { archive in
      let body = Self.text("a", size: 1)(&archive)
      return ["body": body, "body_runs": archive.string("own")]
    }
    let result = try convert([[archive]], mapping: "{}")
    #expect(
      try result.store.columns("Note") == [
        "id INTEGER", "body TEXT", "body_runs TEXT", "body_runs_2 TEXT",
      ])
    #expect(
      try result.store.lines("SELECT body, body_runs, body_runs_2 ->> '$.class' FROM Note") == [
        "a|own|NSAttributedString"
      ])
  }

  @Test(
    "are refused where a store has something else in the column of a text's attributes",
    arguments: [
      (
        [("body", text("a", size: 1))], [("body_runs", text("own", isAttributed: false))],
        "{}", "its column Note.body_runs has text attributes"
      ),
      (
        [
          ("body", text("a", isAttributed: false)), ("body_runs", text("own", isAttributed: false)),
        ],
        [("body", text("a", size: 1))], "{}",
        "its column Note.body_runs has values other than text attributes"
      ),
      (
        [("name", text("n", isAttributed: false)), ("body", text("a", size: 1))],
        [("name", text("n", isAttributed: false)), ("body", text("b", isAttributed: false))],
        "entities: {Note: {identity: name}}",
        "its column Note.body_runs has text attributes, so body must be of the type "
          + "attributedText"
      ),
    ]
      as [(
        [(String, Maker)],
        [(String, Maker)], String, String
      )])
  func otherRuns(
    first: [(String, Maker)],
    second: [(String, Maker)],
    mapping: String, message: String
  ) throws {
    let archives = [first, second].map { pairs in
      KeyedArchiveBuilder.archive { archive in
        let values = pairs.map { KeyValue($0.0, $0.1(&archive)) }
        return archive.instance(of: "Note", values)
      }
    }
    let error = #expect(throws: ConversionError.self) {
      try convert(archives.map { [$0] }, mapping: mapping)
    }
    #expect(error?.messages.map { $0.hasSuffix(message) } == [true], "\(error?.messages ?? [])")
  }

  @Test("are told from whole texts with attributes, which are JSON too, in a column of that name")
  func wholeTexts() throws {
    let archives = ["a", "b"].map { text in
      KeyedArchiveBuilder.of("Note") { archive in
        ["body_runs": Self.text(text, size: 1)(&archive)]
      }
    }
    let result = try convert(
      archives.map { [$0] },
      mapping: "entities: {Note: {attributes: {body_runs: {type: mixed}}}}")
    #expect(try result.store.lines("SELECT body_runs ->> '$.text' FROM Note") == ["a", "b"])
  }
}
