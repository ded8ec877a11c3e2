import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("The conversion of colours to text")
struct ColorConversionTests {
  /// A colour as it is archived, and the text that it becomes; or none.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var className = "NSColor"
    var keys: [String: PropertyListValue]
    var text: String?
    var loss: String?
  }

  /// An NSColor of components as text.
  private static func color(
    _ name: String, _ space: Int64, _ key: String, _ components: String, _ text: String?,
    loss: String? = nil, and keys: [String: PropertyListValue] = [:]
  ) -> Case {
    let own: [String: PropertyListValue] = [
      "NSColorSpace": .integer(space), key: .data(Data((components + "\0").utf8)),
    ]
    return Case(
      testDescription: name, keys: own.merging(keys) { first, _ in first }, text: text, loss: loss)
  }

  private static let inexact = "not exact in 8 bits per component"

  static let cases = [
    color("RGB of a device", 2, "NSRGB", "1 0.5019608 0", "#FF8000"),
    color("calibrated RGB with ten digits", 1, "NSRGB", "0.6666666667 0 0.2 1", "#AA0033"),
    color("RGB with opacity", 2, "NSRGB", "0 0 1 0.80000001", "#0000FFCC"),
    color("white", 3, "NSWhite", "1", "#FFFFFF"),
    color("a transparent grey", 4, "NSWhite", "0.2 0", "#33333300"),
    color("components between two bytes", 2, "NSRGB", "0.1 0.2 0.3", "#1A334D", loss: inexact),
    color("components beyond one", 2, "NSRGB", "1.5 -0.5 0", "#FF0000", loss: inexact),
    color(
      "a custom colour space", 1, "NSRGB", "0.99 0.1 0.1", "#FF0000", loss: "colour space dropped",
      and: ["NSComponents": .data(Data("1 0 0 1".utf8))]),
    color("an infinite component", 2, "NSRGB", "inf 0 0", nil),
    color("CMYK", 5, "NSCYMK", "0 0 0 1", nil),
    Case(
      testDescription: "a colour of UIKit", className: "UIColor",
      keys: ["UIRed": 1.0, "UIGreen": 0.0, "UIBlue": 0.2, "UIAlpha": 0.4], text: "#FF003366"),
    Case(
      testDescription: "a grey of UIKit", className: "UIDeviceWhiteColor",
      keys: ["UIWhite": 0.0, "UIAlpha": 1.0], text: "#000000"),
    Case(
      testDescription: "a colour of the system with its components", className: "UIColor",
      keys: ["UIWhite": 1.0, "UISystemColorName": "whiteColor"], text: "#FFFFFF",
      loss: "name of the colour dropped"),
    Case(
      testDescription: "a colour of the system by name alone", className: "UIColor",
      keys: ["UISystemColorName": "labelColor"]),
    Case(testDescription: "a font", className: "NSFont", keys: ["NSName": "Courier"]),
  ]

  @Test("writes colours as CSS does, and no other value", arguments: cases)
  func converts(test: Case) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: test.className, test.keys.map { KeyValue($0.key, $0.value) })
    }
    // The first step reads the colour.
    let conversion = try ValueConversion([.unarchive, .colorText])
    guard let text = test.text else {
      let error = #expect(throws: ConversionFailure.self) {
        try conversion.convert(.data(archive.binary()))
      }
      #expect(error?.kind == test.className)
      return
    }
    let converted = try conversion.convert(.data(archive.binary()))
    #expect(converted.value == .text(text))
    #expect(converted.loss?.reason == test.loss)
  }

  @Test(
    "leaves nil, and fails for plain values",
    arguments: [ImportValue.text("#FF0000"), .integer(1)])
  func plainValues(value: ImportValue) throws {
    let conversion = try ValueConversion([.colorText])
    #expect(try conversion.convert(.null).value == .null)
    #expect(throws: ConversionFailure(.wrongKind, name: "the text of a colour", kind: value.kind)) {
      try conversion.convert(value)
    }
  }

  @Test("fills a column of text, with the colours that lose something in the report")
  func mapped() throws {
    let notes = KeyedArchiveBuilder.archive { archive in
      let grey = archive.instance(
        of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("0.2".utf8))])
      let named = archive.instance(
        of: "NSColor",
        ["NSColorSpace": 6, "NSColorName": archive.string("controlColor"), "NSColor": grey])
      return archive.array([
        archive.instance(of: "Note", ["color": grey]),
        archive.instance(of: "Note", ["color": named]),
        archive.instance(of: "Note", ["color": .none]),
      ])
    }
    let mapping = "entities: {Note: {attributes: {color: {convert: colorText}}}}"
    let (store, report) = try SteeredConversion(
      [notes], mapping: mapping, ImportExtensions()
    ).run()
    #expect(
      try store.lines("SELECT color, typeof(color) FROM Note")
        == ["#333333|text", "#333333|text", "NULL|null"])
    #expect(report.losses.map(\.reason) == ["name of the colour dropped"])
  }
}
