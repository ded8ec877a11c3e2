import ArchiveWriter
import Foundation

extension KeyedArchiveBuilder {
  /// An archive with every kind of value, reference and collection that a store has a form for.
  static func ofManyKinds(_ number: Int) -> KeyedArchiveBuilder {
    .archive { archive in
      let things = (0..<6).map { _ in archive.reserve() }
      let parts = (0..<8).map { _ in archive.reserve() }
      let tags = (0..<3).map { _ in archive.reserve() }
      for (place, thing) in things.enumerated() {
        var keys = archive.plainValues(place + 10 * number)
        keys += archive.references(place, things, parts, tags)
        keys += archive.collections(place, things, parts)
        archive.fill(thing, className: "Thing", keys)
      }
      for (place, part) in parts.enumerated() {
        archive.fill(
          part, className: "Part",
          [
            "thing": things[place / 2].reference, "name": archive.string("part \(place)"),
            "weight": .real(Double(place) / 3),
          ])
      }
      for (place, tag) in tags.enumerated() {
        let holders = (0..<6).filter { ($0 + place) % 3 == 0 }.map { things[$0].reference }
        archive.fill(
          tag, className: "Tag",
          ["name": archive.string("tag \(place)"), "things": archive.array(holders)])
      }
      archive.setTop("count", .integer(7))
      archive.setTop("loose", archive.array([archive.set([.integer(1)]), archive.string("x")]))
      return archive.array(things.map(\.reference))
    }
  }

  private mutating func plainValues(_ number: Int) -> [KeyValue] {
    let isOdd = number % 2 == 1
    let last = UInt8(number % 10)
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last))
    return [
      KeyValue("integer", .integer(Int64(number) << 33)),
      KeyValue("flag", .bool(isOdd)),
      KeyValue("real", .real(Double(number) * 1.1)),
      KeyValue("zero", .real(isOdd ? -0.0 : 0)),
      KeyValue("text", string("text \(number) äöü")),
      KeyValue("wide", mutableString("\u{1F600} \(number)")),
      KeyValue("data", .data(Data([1, 2, last]))),
      KeyValue("date", date(secondsSince2001: Double(number) * 86_400.000001 - 1e9)),
      KeyValue("late", date(secondsSince2001: 1 / Double(number + 3))),
      KeyValue("uuid", self.uuid(uuid)),
      KeyValue("url", url("https://example.org/\(number)")),
      KeyValue("decimal", decimal(words: [UInt16(number + 1), 625], exponent: -4)),
      KeyValue("any", isOdd ? string("odd") : .integer(Int64(number))),
      KeyValue("nothing", null()),
    ]
  }

  private mutating func references(
    _ place: Int, _ things: [Slot], _ parts: [Slot], _ tags: [Slot]
  ) -> [KeyValue] {
    let isOdd = place % 2 == 1
    let own = place < 4 ? [parts[2 * place].reference, parts[2 * place + 1].reference] : []
    let links = (0..<3).filter { (place + $0) % 3 == 0 }.map { tags[$0].reference }
    let next = things[(place + 1) % 6].reference
    return [
      KeyValue("either", isOdd ? parts[place].reference : tags[0].reference),
      KeyValue("mixed", isOdd ? .real(1.25) : next),
      KeyValue("parts", array(own)), KeyValue("tags", array(links)),
      KeyValue("others", set([next, things[(place + 2) % 6].reference])),
    ]
  }

  private mutating func collections(
    _ place: Int, _ things: [Slot], _ parts: [Slot]
  ) -> [KeyValue] {
    let name = string("a\(place)")
    return [
      KeyValue("lines", array([name, string("b"), name])),
      KeyValue("numbers", set([.integer(1), .integer(Int64(place + 2))])),
      KeyValue(
        "pairs",
        dictionary(
          keys: [string("k"), string("l")], values: [.real(0.1 * Double(place)), .real(2)])),
      KeyValue(
        "byPart", dictionary(keys: [parts[place].reference], values: [things[place].reference])),
      KeyValue("nested", array([array([.integer(Int64(place))]), array([])])),
    ]
  }
}
