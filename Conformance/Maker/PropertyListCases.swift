import ArchiveWriter
import Foundation

/// Property lists as such: one value each, at the root "".
enum PropertyListCases {
  static func all() throws -> [Case] {
    try numbers() + others() + containers() + [wide(), shared()] + damaged()
  }

  private static func numbers() throws -> [Case] {
    try [
      list("integer-1-byte", "An integer of one byte is unsigned.", 200, 200),
      list("integer-2-bytes", "So is one of two bytes.", 40_000, 40_000),
      list("integer-4-bytes", "So is one of four bytes.", 3_000_000_000, 3_000_000_000),
      list(
        "integer-8-bytes", "An integer of eight bytes.", 5_000_000_000, 5_000_000_000),
      list("integer-negative", "Negative integers have eight bytes, signed.", -1, -1),
      list("integer-min", "The least integer.", .integer(.min), .integer(Int64.min)),
      list(
        "integer-16-bytes", "Unsigned integers beyond 63 bits have sixteen bytes.",
        .unsigned(.max), .integer(UInt64.max)),
      list("real", "A real number of eight bytes.", 0.1, .real(0.1)),
      list(
        "real-whole", "A real number without a fraction is no integer.", 2.0, .real(2)),
      list(
        "real-4-bytes", "A real number of four bytes.", .float(0.1),
        .real(Double(0.1 as Float)), hasXML: false),
      list("real-nan", "Not a number.", .real(.nan), .real(.nan)),
      list("real-infinity", "Infinity.", .real(.infinity), .real(.infinity)),
      list(
        "real-minus-infinity", "Negative infinity.", .real(-.infinity), .real(-.infinity)),
      list("real-minus-zero", "Zero has a sign.", -0.0, .real(-0.0)),
    ]
  }

  private static func others() throws -> [Case] {
    try [
      list("true", "True.", true, true), list("false", "False.", false, false),
      list("date", "A date.", .date(326_671_920), .date(326_671_920)),
      list(
        "date-fraction", "A date with a fraction.", .date(0.125), .date(0.125), hasXML: false),
      list(
        "date-year-1", "The first second of the year 1, Gregorian.", .date(-63_113_904_000),
        .date(-63_113_904_000)),
      list("data", "Data.", .data(Data(0..<40)), .data(0..<40)),
      list("data-empty", "Data of no bytes.", .data(Data()), .data([])),
      list("string", "An ASCII string.", "Milk", "Milk"),
      list("string-empty", "A string of no characters.", "", ""),
      list(
        "string-long", "Strings of more than 14 characters have their length as an integer.",
        .string(String(repeating: "long ", count: 60)),
        .string(String(repeating: "long ", count: 60))),
      list("string-utf16", "A string that is not ASCII.", "Grüße", "Grüße"),
      list("string-astral", "A character of two UTF-16 units.", "a😀b", "a😀b"),
      list("string-nul", "A string with NUL in it.", "a\0b", "a\0b", hasXML: false),
      list(
        "string-unpaired-surrogate", "A string that is no Unicode text.",
        .utf16([0x61, 0xD83D, 0x62]), ["utf16": [0x61, 0xD83D, 0x62]], hasXML: false),
      list("string-markup", "Characters that XML escapes.", "<&>\"'", "<&>\"'"),
      list("uid", "A UID.", .uid(7), ["uid": 7], hasXML: false),
      list("null", "The null of the binary form.", .null, .null, hasXML: false),
    ]
  }

  private static func containers() throws -> [Case] {
    try [
      list("array", "An array.", [1, "a", [true]], [1, "a", [true]]),
      list("array-empty", "An array of nothing.", [], []),
      list(
        "array-long", "Containers of more than 14 elements have their count as an integer.",
        .array((0..<20).map { .integer($0) }), .array((0..<20).map { .integer($0) })),
      list(
        "set", "A set, which only the binary form has.", .set(["a", 1]), .set("a", 1),
        hasXML: false),
      list(
        "dictionary", "A dictionary.", ["b": 1, "a": ["c": "d"]],
        .dictionary(("b", 1), ("a", .dictionary(("c", "d"))))),
      list("dictionary-empty", "A dictionary of nothing.", [:], .dictionary()),
    ]
  }

  private static func list(
    _ name: String, _ about: String, _ value: PropertyListValue, _ expected: JSON,
    hasXML: Bool = true
  ) throws -> Case {
    var files = [("binary.plist", BinaryPropertyListWriter().data(for: value))]
    if hasXML { files.append(("xml.plist", try XMLPropertyListWriter().data(for: value))) }
    return Case("plist/\(name)", about, files, Reading(["": expected]))
  }

  private static func wide() -> Case {
    let writer = BinaryPropertyListWriter(minimumOffsetSize: 5, minimumReferenceSize: 3)
    return Case(
      "plist/wide-offsets", "Offsets of five bytes and references of three.",
      [("binary.plist", writer.data(for: ["a": [1, "b"]]))],
      Reading(["": .dictionary(("a", [1, "b"]))]))
  }

  private static func shared() -> Case {
    var table = BinaryPropertyListWriter.ObjectTable()
    table.add(.array([1, 1]))
    table.add(.array([2]))
    table.add(.value("a"))
    return Case(
      "plist/shared-container", "An array that another one holds twice.",
      [("binary.plist", table.data())], Reading(["": [["a"], ["a"]]]))
  }

  // MARK: Damage

  /// The list with other bytes from an index on; negative ones count from the end.
  private static func changed(_ whole: [UInt8], _ index: Int, _ bytes: UInt8...) -> [UInt8] {
    let start = index < 0 ? whole.count + index : index
    return Array(whole[..<start]) + bytes + Array(whole[(start + bytes.count)...])
  }

  /// Damage that any binary property list can have.
  static func damaged(_ whole: [UInt8], in folder: String) -> [Case] {
    func bad(_ name: String, _ about: String, _ bytes: some Sequence<UInt8>) -> Case {
      .bad("\(folder)/\(name).binary.plist", about, bytes)
    }
    return [
      bad("cut", "A file that was cut short.", whole.dropLast(9)),
      bad("empty", "A file of no bytes.", []),
      bad("header-only", "A header and nothing else.", "bplist00".utf8),
      bad("top-out-of-range", "The top object does not exist.", changed(whole, -9, 0x63)),
      bad("offset-out-of-range", "An object lies beyond the end.", changed(whole, -33, 0xFE)),
      bad(
        "table-out-of-range", "The offset table lies beyond the end.",
        changed(whole, -2, 0x7F, 0xFF)),
      bad("count-huge", "2^56 objects in a file of some bytes.", changed(whole, -24, 1)),
      bad("offset-size-0", "Offsets of no bytes.", changed(whole, -26, 0)),
    ]
  }

  /// XML that must not be read.
  static func damagedXML(in folder: String) -> [Case] {
    func bad(_ name: String, _ about: String, _ text: String) -> Case {
      .bad("\(folder)/\(name).xml.plist", about, text.utf8)
    }
    return [
      bad(
        "cut-element", "A file that was cut short.",
        "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><array><true/>"),
      bad("entities", "Entities that grow to gigabytes.", bomb),
      bad(
        "element-unknown", "An element that property lists do not have.",
        "<plist version=\"1.0\"><text>a</text></plist>"),
      bad(
        "integer", "An integer that is none.",
        "<plist version=\"1.0\"><integer>1x</integer></plist>"),
    ]
  }

  private static func damaged() -> [Case] {
    let whole = Array(BinaryPropertyListWriter().data(for: ["abc", [1, 2]]))
    var loop = BinaryPropertyListWriter.ObjectTable()
    loop.add(.array([1]))
    loop.add(.array([0]))
    var short = BinaryPropertyListWriter.ObjectTable()
    short.add(.raw(Data([0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF, 0x61])))
    var array = BinaryPropertyListWriter.ObjectTable()
    array.add(.raw(Data([0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])))
    return damaged(whole, in: "plist/bad") + damagedXML(in: "plist/bad") + [
      .bad(
        "plist/bad/reference-out-of-range.binary.plist",
        "An array refers to an object that does not exist.", changed(whole, 9, 0x63)),
      .bad(
        "plist/bad/marker-unknown.binary.plist", "A marker that no object has.",
        changed(whole, 8, 0x70)),
      .bad(
        "plist/bad/string-length.binary.plist", "A string of 2 GB in a few bytes.", short.data()),
      .bad("plist/bad/array-count.binary.plist", "An array of 2^63 elements.", array.data()),
      .bad("plist/bad/cycle.binary.plist", "Two arrays that hold each other.", loop.data()),
    ]
  }

  private static let bomb =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [<!ENTITY e0 \"aaaaaaaaaa\">"
    + (1...9).map { number in
      let entity = "&e\(number - 1);"
      return "<!ENTITY e\(number) \"\(String(repeating: entity, count: 10))\">"
    }.joined() + "]>\n<plist version=\"1.0\"><string>&e9;</string></plist>\n"
}
