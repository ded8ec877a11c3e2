import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Views of a mapping, and the names of what it does not name")
struct MappedViewTests {
  private func archive() -> KeyedArchiveBuilder {
    .archive { archive in
      archive.array([
        archive.instance(of: "Note", ["title": archive.string("one")]),
        archive.instance(of: "Note", ["title": .none]),
      ])
    }
  }

  private func convert(
    _ yaml: String, _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> ConvertedStore {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(yaml, to: "m.yaml")
    return try ConvertedStore(archive()) {
      $0.mappingPath = mapping
      $0.verifies = true
      change(&$0)
    }
  }

  @Test("show what they select, and are counted where they want to be")
  func views() throws {
    let store = try convert(
      """
      addPrefix: old_
      views:
        note: |
          SELECT id, title FROM old_Note;
        untitled: {query: SELECT id FROM note WHERE title IS NULL, report: Notes without a title}
        gone: {query: SELECT author FROM old_Note, optional: true}
        shown: {query: SELECT * FROM gone, optional: true}
      """)
    #expect(try store.lines("SELECT * FROM note") == ["1|one", "2|NULL"])
    #expect(
      try store.lines("SELECT name FROM sqlite_schema WHERE type = 'view'") == ["note", "untitled"])
    #expect(try store.tables() == ["old_Note"])
    #expect(store.report.views == [.init("untitled", "Notes without a title", rows: 1)])
    #expect(store.report.verification?.isPassed == true)
  }

  /// Views that cannot be made, with the reasons.
  static let mistakes = [
    ("SELECT author FROM Note", "no such column: author"),
    ("SELECT 1; DROP TABLE Note", "more than a SELECT"),
    ("DELETE FROM Note", "near \"DELETE\": syntax error"),
    ("{report: x}", "missing key 'query' in a view"),
    ("[1]", "expected a query, or a block of a view, found a list"),
  ]

  @Test("that cannot be made are mistakes, found before anything is written", arguments: mistakes)
  func mistake(view: String, reason: String) throws {
    let error = #expect(throws: ConversionError.self) { try convert("views:\n  v: \(view)\n") }
    #expect("\(String(describing: error))".contains(reason))
  }

  @Test("have names that no table has, and are not for Core Data's layout")
  func refusals() throws {
    for (yaml, reason) in [
      ("views: {note: SELECT 1}", "the store has a table of this name"),
      ("views: {_run: SELECT 1}", "the store has a table of this name"),
    ] {
      let error = #expect(throws: ConversionError.self) { try convert(yaml) }
      #expect("\(String(describing: error))".contains(reason))
    }
    let error = #expect(throws: ConversionError.self) {
      try convert("views: {v: SELECT 1}") { $0.layout = .coreData }
    }
    #expect("\(String(describing: error))".contains("a store in Core Data's layout has none"))
  }
}
