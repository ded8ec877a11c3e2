import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("The page on values")
struct ValuesPageTests {
  /// A class of the page, or several: in a heading with a text and an example, or in a row.
  private struct Section {
    var classes: [String] = []
    var parts: Set<String> = []
    var example: String?
  }

  private static func page() throws -> String {
    try String(contentsOfFile: ValuesPage.path, encoding: .utf8)
  }

  private static func sections() throws -> [Section] {
    var sections: [Section] = []
    var isExample = false
    var isTable = false
    for line in try page().split(separator: "\n") {
      let cells = line.split(separator: "|")
      if line.hasPrefix("### ") {
        sections.append(Section(classes: names(line.dropFirst(4))))
      } else if line.hasPrefix("```") {
        isExample = line == "```json"
      } else if isExample, let last = sections.indices.last {
        sections[last].example = String(line)
      } else if line.hasSuffix("parts -->") {
        isTable.toggle()
      } else if isTable, cells.count == 2 {
        sections.append(Section(classes: names(cells[0]), parts: quoted(cells[1])))
      } else if let last = sections.indices.last {
        sections[last].parts.formUnion(quoted(line))
      }
    }
    return sections
  }

  private static func names(_ text: Substring) -> [String] {
    text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  /// The words of a line that are in backquotes.
  private static func quoted(_ text: Substring) -> Set<String> {
    Set(text.matches(of: /`(\w+)`/).map { String($0.output.1) })
  }

  /// What the other tests expect of objects in all their forms.
  private static var texts: [String] {
    var forms = CollectionAndTextValueTests.indexes
    forms += CollectionAndTextValueTests.attributed
    forms += CollectionAndTextValueTests.texts
    forms += NumberAndDateValueTests.numbers
    forms += NumberAndDateValueTests.dates
    forms += GeometryValueTests.values
    forms += GeometryValueTests.records
    forms += GraphicsValueTests.colors
    forms += GraphicsValueTests.fonts
    forms += GraphicsValueTests.images
    forms += GraphicsValueTests.styles
    forms += PredicateValueTests.forms
    forms += TableAndFormatterValueTests.tables
    forms += TableAndFormatterValueTests.formatters
    forms += TableAndFormatterValueTests.images
    return forms.compactMap(\.json)
  }

  @Test("names all classes")
  func namesAllClasses() throws {
    let named = Set(try Self.sections().flatMap(\.classes))
    #expect(FoundationClass.classNames.filter { !named.contains($0) } == [])
  }

  @Test("has an example for each class with a type")
  func hasExamples() throws {
    let classes = try Self.sections().filter { $0.example != nil }.flatMap(\.classes)
    #expect(Set(classes).union(ValuesPage.classNames) == Set(FoundationClass.classNames))
  }

  @Test("has examples that are read from an archive in another test")
  func hasTrueExamples() throws {
    let texts = Self.texts
    for match in try Self.page().matches(of: /```json\n(.*)\n```/) {
      #expect(texts.contains { $0.contains(match.output.1) })
    }
  }

  @Test("has the table of parts that the code has")
  func hasParts() throws {
    #expect(ValuesPage.noted.subtracting(ValuesPage.parts) == [])
    let page = try Self.page()
    let updated = ValuesPage.updated(page)
    if ProcessInfo.processInfo.environment["CONVERT_RECORD"] != nil {
      try updated.write(toFile: ValuesPage.path, atomically: true, encoding: .utf8)
    }
    #expect(
      page == updated, "CONVERT_RECORD=1 swift test --filter ValuesPageTests writes the table")
  }

  @Test("tells of all parts that its tests' objects have")
  func tellsOfAllParts() throws {
    let sections = try Self.sections()
    for text in Self.texts {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let name = try #require(object["class"] as? String)
      // Dimensions have many names.
      let section = try #require(
        sections.first { $0.classes.contains(name) }
          ?? sections.first { $0.classes.contains("NSUnit") && name.hasPrefix("NSUnit") })
      let parts = Set(object.keys).subtracting(["class"])
      #expect(parts.subtracting(section.parts) == [], "\(name)")
    }
  }

  @Test("shows values inside of values as they are")
  func showsSmallObjects() throws {
    let rows = try Self.page().split(separator: "\n").filter {
      $0.hasPrefix("| ") && $0.contains("`{\"")
    }
    #expect(rows.count == 12)
    let texts = UnarchivedValueTests.forms.compactMap(\.1)
    for row in rows {
      let example = row.split(separator: "`").first { $0.hasPrefix("{") }
      #expect(texts.contains { $0 == example ?? "" }, "\(row)")
    }
  }
}
