import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Hooks and values of Foundation's classes")
struct FoundationHookTests {
  /// Names things after the kind of their colour, and counts its components.
  struct ColorHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let thing = try coder.insert(into: "Thing")
      let color = try coder.decode(FoundationValue.self, forKey: "color")
      if let color = color?.as(ArchivedColor.self) {
        thing["name"] = color.kind.rawValue
        thing["size"] = color.components?.count
      }
      let text = try coder.decode(FoundationValue.self, forKey: "text")
      if let text = text?.as(ArchivedAttributedString.self) {
        thing["name"] = text.text
      }
      return thing
    }
  }

  @Test("A hook decodes them with their parts, and a key that holds something else is an error")
  func parts() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array([
        archive.instance(
          of: "Thing",
          [
            "color": archive.instance(
              of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("0.5 1\0".utf8))])
          ]),
        archive.instance(
          of: "Thing",
          [
            "text": archive.instance(
              of: "NSAttributedString", ["NSString": archive.string("plain")])
          ]),
        archive.instance(of: "Thing", ["color": .none]),
      ])
    }
    let (store, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [ColorHook.self])
    ).run()
    #expect(
      try store.lines("SELECT name, size FROM Thing") == [
        "calibratedWhite|1", "plain|NULL", "NULL|NULL",
      ])
    #expect(report.unreadKeys.isEmpty)
    let messages = try SteeredConversion(
      [.of("Thing") { ["color": $0.string("red")] }], model: HookModel.document,
      ImportExtensions(hooks: [ColorHook.self])
    ).failure()
    #expect(
      messages == [
        "a0.plist: object 2 (Thing): Thing: the hook failed (ColorHook: 'color' holds text, but "
          + "FoundationValue was requested)"
      ])
  }
}
