import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("The page on values")
struct ValuesPageTests {
  /// A part of the page: the classes in its heading, the parts in its table, and its example.
  private struct Section {
    var classes: [String] = []
    var parts: Set<String> = []
    var example: String?
  }

  private static func lines() throws -> [Substring] {
    try String(contentsOfFile: "\(Repository.root)/Documentation/values.md", encoding: .utf8)
      .split(separator: "\n")
  }

  private static func sections() throws -> [Section] {
    var sections: [Section] = []
    var isExample = false
    for line in try lines() {
      if line.hasPrefix("### ") {
        let classes = line.dropFirst(4).split { $0 == " " || $0 == "," }.map(String.init)
        sections.append(Section(classes: classes))
      } else if line.hasPrefix("```") {
        isExample = line == "```json"
      } else if isExample, let last = sections.indices.last {
        sections[last].example = String(line)
      } else if line.hasPrefix("| `"), let last = sections.indices.last {
        let parts = line.split(separator: "`")
        if parts.count > 1 { sections[last].parts.insert(String(parts[1])) }
      }
    }
    return sections
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

  @Test("has for each class an example that is read from an archive in another test")
  func hasTrueExamples() throws {
    let texts = Self.texts
    for section in try Self.sections() {
      let example = try #require(section.example, "\(section.classes)")
      #expect(texts.contains { $0.contains(example) }, "\(example)")
    }
  }

  @Test("has for classes that are lists of parts just these")
  func hasParts() throws {
    for section in try Self.sections() {
      let lists = FoundationClass.parts.filter {
        $0.classNames.contains(where: section.classes.contains)
      }
      guard !lists.isEmpty else { continue }
      #expect(Set(lists.flatMap(\.parts)) == section.parts, "\(section.classes)")
    }
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
    let rows = try Self.lines().filter { $0.hasPrefix("| ") && $0.contains("`{") }
    #expect(rows.count == 12)
    let texts = UnarchivedValueTests.forms.compactMap(\.1)
    for row in rows {
      let example = row.split(separator: "`").first { $0.hasPrefix("{") }
      #expect(texts.contains { $0 == example ?? "" }, "\(row)")
    }
  }
}
