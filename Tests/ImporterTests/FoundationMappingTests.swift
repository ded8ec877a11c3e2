import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// What mappings may say of values of Foundation's classes, and what they may not.
@Suite("Mappings and values of Foundation's classes")
struct FoundationMappingTests {
  private static func gray(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    archive.instance(
      of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("0.5\0".utf8))])
  }

  private static let grayJSON =
    #"{"class":"NSColor","colorSpace":3,"components":[0.5],"kind":"calibratedWhite"}"#

  private static func attributed(
    _ text: String, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(of: "NSAttributedString", ["NSString": archive.string(text)])
  }

  private static func attributedJSON(_ text: String) -> String {
    #"{"class":"NSAttributedString","runs":[],"text":"\#(text)"}"#
  }

  /// A note with a colour, a text, a list of colours and a page that has a colour.
  private static let note = KeyedArchiveBuilder.of("Note") { archive in
    let page = archive.instance(of: "Page", ["tint": gray(&archive)])
    return [
      "color": gray(&archive), "body": attributed("one", &archive), "page": page,
      "colors": archive.array([gray(&archive)]), "title": archive.string("plain"),
      "list": archive.array([1, 2]),
    ]
  }

  private func conversion(
    _ archives: KeyedArchiveBuilder..., mapping: String
  ) throws -> SteeredConversion {
    try SteeredConversion(archives, mapping: mapping, ImportExtensions())
  }

  // MARK: Key paths

  @Test("A key path into such a value is refused, with its place")
  func keyPaths() throws {
    let mapping = """
      entities:
        Note:
          attributes:
            t: {from: body.NSString}
            u: {from: [color, NSWhite]}
            v: page.tint.NSColorSpace
            w: {from: colors.NSWhite}
            fine: page.tint
          relationships:
            x: {from: color.NSColorSpace, to: Page}
      """
    let end = "holds a single value (name the class to import its objects as rows)"
    #expect(
      try conversion(Self.note, mapping: mapping).failure() == [
        "mapping.yaml:4:17: 'body.NSString' cannot be followed: 'body' \(end)",
        "mapping.yaml:5:17: 'color.NSWhite' cannot be followed: 'color' \(end)",
        "mapping.yaml:6:10: 'page.tint.NSColorSpace' cannot be followed: 'page.tint' \(end)",
        "mapping.yaml:7:17: 'colors.NSWhite' cannot be followed: 'colors' \(end)",
        "mapping.yaml:10:17: 'color.NSColorSpace' cannot be followed: 'color' \(end)",
      ])
  }

  @Test("A key path leads on where a mapping has the objects of the class as rows")
  func keyPathsIntoRows() throws {
    let (store, _) = try conversion(
      Self.note,
      mapping: """
        entities:
          Note: {attributes: {space: color.NSColorSpace}}
          Color: {from: NSColor}
        """
    ).run()
    #expect(try store.lines("SELECT space FROM Note") == ["3"])
  }

  @Test("A key path into what is such a value in some objects only is an error of those")
  func mixedKeyPaths() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let page = archive.instance(of: "Page", ["name": archive.string("p")])
      return archive.array([
        archive.instance(of: "Note", ["place": page]),
        archive.instance(of: "Note", ["place": Self.gray(&archive)]),
      ])
    }
    let mapping = "entities: {Note: {attributes: {name: place.name}}}"
    #expect(
      try conversion(archive, mapping: mapping).failure() == [
        "a0.plist: object 8 (Note): name: unknown key name: NSColor is one value"
      ])
  }

  // MARK: Types

  @Test(
    "A colour is no text with attributes, whether it comes from a key or an expression",
    arguments: ["{from: color, type: attributedText}", "{expression: color, type: attributedText}"])
  func colorAsText(attribute: String) throws {
    let messages = try conversion(
      Self.note, mapping: "entities: {Note: {attributes: {c: \(attribute)}}}"
    ).failure()
    #expect(messages.count == 1)
    #expect(
      messages.first?.hasSuffix(
        "Note.c: cannot hold this NSColor (its type is attributedText)") == true, "\(messages)")
  }

  @Test("JSON is what a conversion makes, a text that is JSON, a collection, and a default")
  func json() throws {
    let (store, report) = try conversion(
      Self.note,
      mapping: """
        entities:
          Note:
            attributes:
              a: {from: color, convert: json, type: json}
              b: {from: title, convert: json, type: json}
              c: {value: "[1]", type: json}
              d: {from: missing, type: json, default: "{}"}
              e: {expression: list, type: json}
              f: {from: body, type: json}
              g: {from: color, type: json}
        """
    ).run()
    #expect(
      try store.lines("SELECT a, b, c, d, e, f, g FROM Note") == [
        [
          Self.grayJSON, #""plain""#, "[1]", "{}", "[1,2]", Self.attributedJSON("one"),
          Self.grayJSON,
        ].joined(separator: "|")
      ])
    let types = report.entities.first { $0.name == "Note" }?.attributes.map(\.type) ?? []
    #expect(types.prefix(7) == Array(repeating: "json", count: 7)[...])
  }

  @Test("A text that is no JSON is refused where the type is JSON")
  func noJSON() throws {
    let messages = try conversion(
      Self.note, mapping: "entities: {Note: {attributes: {t: {from: title, type: json}}}}"
    ).failure()
    #expect(messages.count == 1)
    #expect(
      messages.first?.hasSuffix("Note.t: cannot hold this text (its type is json)") == true,
      "\(messages)")
  }

  // MARK: Elements

  @Test(
    "Texts that objects stand for are kept as those that stand in the collection itself",
    arguments: [true, false])
  func elements(areObjects: Bool) throws {
    let archive = KeyedArchiveBuilder.of("Note") { archive in
      let values = [archive.string("plain"), Self.attributed("one", &archive)]
      return [
        "texts": archive.array(
          areObjects ? values.map { archive.instance(of: "Holder", ["value": $0]) } : values)
      ]
    }
    let (store, _) = try conversion(archive, mapping: "classes: {Holder: {value: value}}").run()
    #expect(
      try store.columns("Note_texts") == [
        "id INTEGER", "Note_id INTEGER", "position INTEGER", "value ANY",
      ])
    #expect(
      try store.lines("SELECT value FROM Note_texts ORDER BY position") == [
        "plain", Self.attributedJSON("one"),
      ])
  }

  // MARK: Filters

  @Test("A filter compares the text of one with attributes by a cast, and says so without")
  func filters() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array(
        ["one", "two"].map { text in
          archive.instance(of: "Note", ["body": Self.attributed(text, &archive)])
        })
    }
    let filter = #"CAST(body, "NSString") CONTAINS "t""#
    let (store, _) = try conversion(
      archive, mapping: "entities: {Note: {where: '\(filter)'}}"
    ).run()
    #expect(try store.lines("SELECT body FROM Note") == ["two"])
    let messages = try conversion(
      archive, mapping: #"entities: {Note: {where: 'body CONTAINS "t"'}}"#
    ).failure()
    #expect(
      messages == [
        "a0.plist: Note: Note: expected text, found NSAttributedString: 2 times, first in "
          + "object 4"
      ])
  }

  // MARK: Classes

  @Test(
    "A block of an entity has the objects of its class as rows, the prefix left out or not",
    arguments: ["NSColor", "Color"])
  func claimed(entity: String) throws {
    var conversion = try conversion(Self.note, mapping: "entities: {\(entity): {}}")
    if entity == "Color" { conversion.options.stripPrefix = "NS" }
    let (store, _) = try conversion.run()
    let key = entity == "Color" ? "colorSpace" : "NSColorSpace"
    #expect(try store.lines("SELECT count(*), min(\(key)) FROM \(entity)") == ["3|3"])
    #expect(try store.columns("Note").contains("color_id INTEGER"))
  }
}
