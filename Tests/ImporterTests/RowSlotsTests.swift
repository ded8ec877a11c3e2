import Foundation
import Testing

@testable import Importer

@Suite("What the attributes of a row hold until it is written")
struct RowSlotsTests {
  /// The value that an attribute holds; nil for none.
  private func value(_ slots: borrowing RowSlots, _ number: Int) -> ImportValue? {
    if case .value(let value) = slots[number] { value } else { nil }
  }

  private static let uuid = UUID(
    uuid: (0x3F, 0x25, 4, 0xE0, 0x4F, 0x89, 0x41, 0xD3, 0x9A, 0xC, 3, 5, 0xE8, 0x2C, 0x33, 1))

  private static let values: [(ImportValue, SlotKind)] = [
    (.null, .null), (.bool(true), .bool), (.bool(false), .bool),
    (.integer(.min), .integer), (.integer(.max), .integer), (.integer(0), .integer),
    (.real(-0.5), .real), (.real(.infinity), .real),
    (.decimal(Decimal(string: "-12.3400") ?? 0), .decimal), (.decimal(0), .decimal),
    (.decimal(Decimal(string: "340282366920938463463374607431768211455e-30") ?? 0), .decimal),
    (.text(""), .text), (.text("a"), .text), (.text("mañana, e\u{301} and 😀"), .text),
    (.text(String(repeating: "long ", count: 2_000)), .other),
    (.date(Date(timeIntervalSinceReferenceDate: -1.5)), .date),
    (.data(Data()), .data), (.data(Data([0, 1, 255])), .data),
    (.data(Data([9, 8, 7, 6]).dropFirst()), .data),
    (.data(Data(repeating: 7, count: 5_000)), .other),
    (.uuid(uuid), .uuid), (.url("https://example.org/a?b"), .url),
    (.row(RowReference(entity: 1, id: 2)), .other), (.list([.integer(1)]), .other),
    (.set([]), .other), (.dictionary([]), .other),
  ]

  @Test("is what was set, of every kind, beside the others")
  func isKept() {
    var slots = RowSlots(count: Self.values.count)
    // Twice, so that each takes the place of another.
    for shift in [7, 0] {
      for number in Self.values.indices {
        slots.set(number, Self.values[(number + shift) % Self.values.count].0)
      }
    }
    for (number, (expected, kind)) in Self.values.enumerated() {
      #expect(slots.kind(number) == kind, "\(expected)")
      #expect(value(slots, number) == expected)
    }
  }

  @Test("is nothing at first, and when a row begins anew")
  func isReset() {
    var slots = RowSlots(count: Self.values.count)
    for (number, (value, _)) in Self.values.enumerated() { slots.set(number, value) }
    slots.reset()
    for number in Self.values.indices {
      #expect(slots.kind(number) == .unset)
      #expect(slots[number].isNothing)
    }
    slots.set(0, "text", .text)
    #expect(value(slots, 0) == .text("text"))
  }

  @Test("keeps its place where there are more attributes, and is left out where there are fewer")
  func isResized() {
    var slots = RowSlots(count: 2)
    slots.set(0, "text", .text)
    slots.set(1, .list([.integer(1)]))
    slots.resize(to: 4)
    slots.set(3, .list([.integer(3)]))
    #expect(value(slots, 0) == .text("text"))
    #expect(value(slots, 1) == .list([.integer(1)]))
    #expect(slots.kind(2) == .unset)
    #expect(value(slots, 3) == .list([.integer(3)]))
    slots.resize(to: 1)
    slots.set(3, 7 as Int64)
    #expect(value(slots, 0) == .text("text"))
    #expect(slots.kind(3) == .unset)
    #expect(slots[3].isNothing)
  }

  @Test("may be set as often as one likes: texts that find no room have memory of their own")
  func isBounded() {
    var slots = RowSlots(count: 2)
    slots.set(1, "before", .text)
    let text = String(repeating: "x", count: 4_000)
    for number in 0..<100 { slots.set(0, "\(number) " + text, .text) }
    #expect(slots.kind(0) == .other)
    #expect(value(slots, 0) == .text("99 " + text))
    #expect(value(slots, 1) == .text("before"))
    slots.reset()
    slots.set(0, text, .text)
    #expect(slots.kind(0) == .text)
  }
}
