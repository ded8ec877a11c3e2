import ArchiveWriter
import Foundation

/// Small property lists, each about something else.
enum PropertyListSeeds {
  private static let values: [(name: String, value: PropertyListValue)] = [
    ("booleans", [true, false]),
    ("integers", [0, -1, 255, 65_536, .integer(.max), .integer(.min), .unsigned(.max)]),
    ("reals", [0.5, -0.0, .real(.infinity), .real(.nan)]),
    ("dates", [.date(0), .date(326_671_920), .date(-63_113_904_000)]),
    ("strings", ["", "a", "é😀", "<&>\"'", "a string of more than fifteen characters"]),
    ("data", [.data(Data()), .data(Data(0..<40))]),
    ("uids", [.uid(0), .uid(300), .uid(.max)]),
    ("containers", ["none": [], "some": [["a": [:]]], "again": [[], [[]]]]),
  ]

  static let binary: [Seed] =
    values.map { Seed($0.name, BinaryPropertyListWriter().data(for: $0.value)) }
    + [
      Seed("floats", BinaryPropertyListWriter().data(for: [.float(1.5), .null])),
      Seed(
        "utf16", BinaryPropertyListWriter().data(for: [.utf16([0xD83D]), .utf16([0xDE00, 97])])),
      Seed("sets", BinaryPropertyListWriter().data(for: ["set": .set(["a", .set([])])])),
      Seed(
        "wide-offsets",
        BinaryPropertyListWriter(minimumOffsetSize: 5, minimumReferenceSize: 3)
          .data(for: ["a": [1, "b"]])),
      Seed("any-top", shared(top: 2)), Seed("unused-objects", shared(top: 3)),
      Seed("markers", raw([0x00], [0x0F], [0x14] + Array(repeating: 1, count: 16), [0xB0])),
      Seed("counts", raw([0x4F, 0x10, 0x01, 7], [0x5F, 0x11, 0, 1, 97], [0x6F, 0x10, 1, 0, 97])),
      Seed("wide-uids", raw([0x87, 0, 0, 0, 0, 0, 0, 0, 9], [0x82, 1, 0, 0])),
    ]

  static func xml() throws -> [Seed] {
    let written = try values.map { Seed($0.name, try XMLPropertyListWriter().data(for: $0.value)) }
    let texts = [
      ("bare", "<plist><true/></plist>"), ("hexadecimal", plist("<integer>-0x1F</integer>")),
      ("wide", plist("<integer>18446744073709551616</integer>")),
      ("special-reals", plist("<array><real>nan</real><real>-Infinity</real></array>")),
      ("markup", plist("<string>a<![CDATA[<plist>]]>&#x41;&amp;<!-- b --><?c d?></string>")),
      ("control-characters", plist("<string>\u{1}a\u{1B}</string>")),
      (
        "doctype", "<!DOCTYPE plist [<!ELEMENT plist ANY>]>\n<plist version=\"1.0\"><dict/></plist>"
      ),
      ("entity", "<!DOCTYPE plist [<!ENTITY a \"b\">]>\n<plist><string>&a;</string></plist>"),
      ("space", "\n  " + plist("<data>\nAQ ID\n</data>")),
      ("attributes", "<plist xmlns=\"a:b\" b=\"c\"><array d='e'/></plist>"),
    ]
    let latin = declared("ISO-8859-1", plist("<string>é</string>")).data(using: .isoLatin1)
    let utf16 = declared("UTF-16", plist("<string>é</string>")).data(using: .utf16)
    return written + texts.map { Seed($0.0, Data($0.1.utf8)) }
      + [Seed("latin1", latin ?? Data()), Seed("utf16", utf16 ?? Data())]
  }

  private static func plist(_ body: String) -> String {
    "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(body)</plist>\n"
  }

  private static func declared(_ encoding: String, _ text: String) -> String {
    text.replacingOccurrences(of: "\"1.0\"?", with: "\"1.0\" encoding=\"\(encoding)\"?")
  }

  /// An array of objects that are given as bytes.
  private static func raw(_ objects: [UInt8]...) -> Data {
    var table = BinaryPropertyListWriter.ObjectTable()
    table.add(.array(objects.indices.map { UInt32($0 + 1) }))
    for object in objects { table.add(.raw(Data(object))) }
    return table.data()
  }

  private static func shared(top: Int) -> Data {
    var table = BinaryPropertyListWriter.ObjectTable()
    let objects: [BinaryPropertyListWriter.ObjectTable.Object] = [
      .value("a"), .array([0, 0, 2]), .array([1, 0, 1]),
      .dictionary(keys: [0, 0], values: [1, 2]),
    ]
    for object in objects { table.add(object) }
    return table.data(top: top)
  }
}
