import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport

/// Compiled nibs, which have the objects of keyed archives in another envelope.
enum NibCases {
  static func all() throws -> [Case] {
    try values() + [cycle()] + bad()
  }

  private static func cycle() throws -> Case {
    try nib(
      "cycle", "A folder whose notes refer to it.", KeyedObjectCases.folderReading,
      KeyedObjectCases.folder)
  }

  private static func bytes(
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> [UInt8] {
    NibWriter.nib(of: try KeyedArchive(bytes: try KeyedArchiveBuilder.archive(make).binary()))
  }

  private static func nib(
    _ name: String, _ about: String, _ reading: Reading,
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> Case {
    Case("nib/\(name)", about, [("nib", Data(try bytes(make)))], reading)
  }

  private static func values() throws -> [Case] {
    func value(
      _ name: String, _ about: String, _ expected: JSON,
      _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
    ) throws -> Case {
      try nib(name, about, .box(expected)) { archive in
        let value = try make(&archive)
        return archive.instance(of: "Box", ["value": value])
      }
    }
    return try [
      value("integer-8-bits", "An integer of one byte is signed.", -56) { _ in -56 },
      value("integer-16-bits", "An integer of two bytes.", -300) { _ in -300 },
      value("integer-32-bits", "An integer of four bytes.", 70_000) { _ in 70_000 },
      value("integer-64-bits", "An integer of eight bytes.", .integer(Int64.min)) { _ in
        .integer(.min)
      },
      value("true", "Type 5.", true) { _ in true },
      value("false", "Type 4.", false) { _ in false },
      value("real-float", "A float.", .real(0.5)) { _ in 0.5 },
      value("real-double", "A double.", .real(0.1)) { _ in 0.1 },
      value("data", "Data.", .data([1, 2, 255])) { _ in .data(Data([1, 2, 255])) },
      value("nil", "Nil.", .null) { _ in .none },
      value("string", "An NSString of UTF-8 bytes.", "Grüße") { $0.string("Grüße") },
      value("string-long", "A length of two bytes.", .string(String(repeating: "a", count: 200))) {
        archive in archive.string(String(repeating: "a", count: 200))
      },
      value("number-integer", "An NSNumber.", 300) { $0.number(300) },
      value("number-real", "An NSNumber that is real.", .real(2.5)) { $0.number(2.5) },
      value("number-boolean", "An NSNumber that is a boolean.", true) { $0.number(true) },
      value("array", "An NSArray holds its elements itself.", ["a", "b"]) { $0.array(["a", "b"]) },
      value("set", "An NSMutableSet.", .set("a", "b")) { $0.mutableSet(["a", "b"]) },
      value("dictionary", "A dictionary holds keys and values in turn.", .dictionary(("k", "v"))) {
        archive in archive.dictionary(["k": "v"])
      },
    ]
  }

  private static func bad() throws -> [Case] {
    let whole = try bytes { $0.instance(of: "Box", ["value": $0.string("Milk")]) }
    /// The nib with another byte at an index.
    func changed(_ index: Int, _ byte: UInt8) -> [UInt8] {
      Array(whole[..<index]) + [byte] + Array(whole[(index + 1)...])
    }
    return [
      .bad("nib/bad/cut.nib", "A nib that was cut short.", whole.dropLast(3)),
      .bad("nib/bad/header-only.nib", "A header and nothing else.", whole.prefix(50)),
      .bad("nib/bad/objects-huge.nib", "More objects than there are bytes.", changed(21, 0x7F)),
      .bad("nib/bad/objects-offset.nib", "Objects beyond the end.", changed(25, 0x7F)),
      .bad("nib/bad/class-out-of-range.nib", "A class that does not exist.", changed(50, 0xFF)),
      .bad("nib/bad/values-out-of-range.nib", "Values that do not exist.", changed(52, 0xFF)),
    ]
  }
}
