import ArchiveWriter
import Foundation

/// Plain values in keyed archives: in an object's dictionary, or as objects of their own.
enum KeyedValueCases {
  static func all() throws -> [Case] {
    try inline() + texts() + objects()
  }

  private static func objects() throws -> [Case] {
    try [
      .value("nil", "UID 0 is nil.", .null) { _ in .none },
      .value("null-text", "A string \"$null\" in another place is nil, too.", .null) { archive in
        archive.add("$null")
      },
      .value("number-integer", "An NSNumber is a plain integer with a UID.", 7) { $0.number(7) },
      .value("number-real", "An NSNumber that is real.", .real(2.5)) { $0.number(2.5) },
      .value("number-boolean", "An NSNumber that is a boolean.", true) { $0.number(true) },
      .value(
        "number-unsigned", "An NSNumber beyond 63 bits.", .integer(UInt64.max)
      ) { $0.add(.unsigned(.max)) },
      .value("data-object", "An NSData is plain data with a UID.", .data([1, 2, 3])) { archive in
        archive.data(Data([1, 2, 3]))
      },
      .value("array-inline", "An array that is no object.", [1, "a", [2]]) { _ in [1, "a", [2]] },
      .value(
        "dictionary-inline", "A dictionary that is no object.", .dictionary(("a", 1))
      ) { _ in ["a": 1] },
      .value(
        "nested-archive", "Data that holds a keyed archive is data.", .data(nested)
      ) { _ in .data(nested) },
      top("uid-2-bytes", "UIDs of two bytes.", fillers: 300, size: 2),
      top("uid-3-bytes", "UIDs of three bytes.", fillers: 1, size: 3),
      top("uid-4-bytes", "UIDs of four bytes.", fillers: 1, size: 4),
    ]
  }

  private static let nested = KeyedArchiveBuilder.archive { $0.string("inner") }.binary()

  private static func inline() throws -> [Case] {
    let values: [(String, String, PropertyListValue, JSON)] = [
      ("integer", "An integer.", 5, 5),
      ("integer-unsigned-byte", "An integer of one byte is unsigned.", 200, 200),
      ("integer-negative", "A negative integer.", -1, -1),
      ("integer-8-bytes", "An integer beyond 32 bits.", 5_000_000_000, 5_000_000_000),
      ("integer-min", "The least integer.", .integer(.min), .integer(Int64.min)),
      ("integer-max", "The greatest signed integer.", .integer(.max), .integer(Int64.max)),
      ("integer-unsigned", "Sixteen bytes.", .unsigned(.max), .integer(UInt64.max)),
      ("real", "A real number.", 0.1, .real(0.1)),
      ("real-whole", "A real number without a fraction is no integer.", 2.0, .real(2)),
      (
        "real-least", "The least positive real number.", .real(.leastNonzeroMagnitude),
        .real(.leastNonzeroMagnitude)
      ),
      ("real-nan", "Not a number.", .real(.nan), .real(.nan)),
      ("real-infinity", "Infinity.", .real(.infinity), .real(.infinity)),
      ("real-minus-infinity", "Negative infinity.", .real(-.infinity), .real(-.infinity)),
      ("real-minus-zero", "Zero has a sign.", -0.0, .real(-0.0)),
      ("true", "A boolean is no integer.", true, true), ("false", "Nor is false.", false, false),
      ("data", "Data.", .data(Data(0..<40)), .data(0..<40)),
      ("data-empty", "Data of no bytes.", .data(Data()), .data([])),
      ("date-inline", "A date of the property list.", .date(86_400), .date(86_400)),
    ]
    let both: [Case] = try values.map { name, about, value, expected in
      try .value(name, about, expected) { _ in value }
    }
    let float = try Case.value(
      "real-4-bytes", "A real number of four bytes.", .real(Double(0.1 as Float)), hasXML: false
    ) { _ in .float(0.1) }
    return both + [float]
  }

  private static func texts() throws -> [Case] {
    let texts: [(String, String, String, Bool)] = [
      ("string", "An ASCII string.", "Milk", true),
      ("string-empty", "A string of no characters.", "", true),
      ("string-utf16", "A string that is not ASCII.", "Grüße", true),
      ("string-decomposed", "An accent of its own stays one.", "e\u{301}", true),
      ("string-astral", "A character of two UTF-16 units.", "a😀b", true),
      ("string-line-ends", "Line ends of all kinds.", "a\nb\tc", true),
      ("string-nul", "A string with NUL in it.", "a\0b", false),
      ("string-markup", "Characters that XML escapes.", "<&>\"'", true),
      (
        "string-long", "A string of 3,000 characters.", String(repeating: "abc", count: 1_000),
        true
      ),
    ]
    let sound: [Case] = try texts.map { name, about, text, hasXML in
      try .value(name, about, .string(text), hasXML: hasXML) { $0.string(text) }
    }
    let unpaired = try Case.value(
      "string-unpaired-surrogate", "A string that is no Unicode text.",
      ["utf16": [0x61, 0xD83D, 0x62]], hasXML: false
    ) { $0.add(.utf16([0x61, 0xD83D, 0x62])) }
    return sound + [unpaired]
  }

  /// An archive whose UIDs have a number of bytes.
  private static func top(_ name: String, _ about: String, fillers: Int, size: Int) -> Case {
    var archive = KeyedArchiveBuilder()
    let box = archive.reserve()
    for number in 1...fillers { _ = archive.number(number) }
    archive.setTop(
      "root", archive.fill(box, className: "Box", ["value": archive.string("far")]))
    var table = BinaryPropertyListWriter.ObjectTable()
    add(archive.propertyList(), to: &table, uidSize: size)
    return Case(
      "keyed/\(name)", about, [("binary.plist", table.data(top: table.count - 1))], .box("far"))
  }

  /// Adds a value after those in it.
  @discardableResult
  private static func add(
    _ value: PropertyListValue, to table: inout BinaryPropertyListWriter.ObjectTable, uidSize: Int
  ) -> UInt32 {
    func all(_ values: [PropertyListValue]) -> [UInt32] {
      var indexes: [UInt32] = []
      for value in values { indexes.append(add(value, to: &table, uidSize: uidSize)) }
      return indexes
    }
    let object: BinaryPropertyListWriter.ObjectTable.Object
    switch value {
    case .array(let elements): object = .array(all(elements))
    case .dictionary(let pairs):
      let keys = all(pairs.map { .string($0.key) })
      object = .dictionary(keys: keys, values: all(pairs.map(\.value)))
    case .uid(let uid):
      let bytes = (0..<uidSize).reversed().map { UInt8(truncatingIfNeeded: Int(uid) >> (8 * $0)) }
      object = .raw(Data([0x80 | UInt8(uidSize - 1)] + bytes))
    default: object = .value(value)
    }
    return UInt32(table.add(object))
  }
}
