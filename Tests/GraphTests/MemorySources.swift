import Foundation
import GraphCore
import GraphTesting

/// Sources that are written down here, for the tests of the waist.
enum MemorySources {
  /// A library of notes: shared objects, a cycle, collections in collections, values of all kinds.
  static func notes() -> MemorySource {
    MemorySource(
      classes: [
        ["Library", "NSObject"], ["Note", "Document", "NSObject"],
        ["NSAttributedString", "NSObject"],
      ],
      objects: [
        .init(0, ["name": .text("Notes"), "notes": .array([.object(1), .object(2), .object(1)])]),
        .init(
          1,
          [
            "title": .text("Naïve café"), "count": .integer(-3), "price": .real(0.1),
            "huge": .wideInteger(Int128(UInt64.max)), "isDone": .bool(true),
            "made": .date(123_456.75), "bytes": .data([0, 1, 0xFF]),
            "id": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            "amount": .decimal(ArchivedDecimal(mantissa: 1_225, exponent: -2, isNegative: true)),
            "link": .url("https://example.com/é"), "library": .object(0), "next": .object(2),
            "tags": .set([.text("a"), .text("b")]), "none": .null, "null": .nsNull,
          ]),
        .init(
          1,
          [
            "title": .utf16([0x61, 0xE9]), "library": .object(0), "next": .object(1),
            "places": .dictionary([(.text("x"), .integer(1)), (.text("y"), .array([.real(2)]))]),
            "words": .countedSet([(.text("a"), .integer(2))]), "kind": .className(1),
          ]),
        // Nothing leads here.
        .init(1, ["title": .text("lost")]),
      ],
      roots: ["root": .object(0), "version": .integer(7), "recent": .array([.object(2)])])
  }

  /// Another source of the same classes, so that a graph can go on with it.
  static func otherNotes() -> MemorySource {
    MemorySource(
      classes: [["Note", "NSObject"], ["Folder", "NSObject"]],
      objects: [
        .init(0, ["title": .text("one"), "folder": .object(1)]),
        .init(1, ["notes": .orderedSet([.object(0)])]),
      ],
      roots: ["root": .object(1)])
  }
}
