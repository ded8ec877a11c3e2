/// The groups of the objects in several typedstreams, as far as they show which of these are lists.
///
/// A stream with one object of a class does not show that: see `Typedstream.Layouts`.
package struct PositionEvidence: Sendable, Codable {
  /// The types of groups, by numbers that hold for all streams.
  private var types: [[UInt8]: Int] = [:]
  /// The different rows of each class in a version: see `Typedstream.GroupTable.row`.
  private var rows: [String: Set<[Int]>] = [:]
  private var size = 0

  /// Once there are this many numbers in rows, further streams are left out.
  private static let mostNumbers = 8 << 20

  package init() {}

  /// True if no stream was added.
  package var isEmpty: Bool { rows.isEmpty }

  /// Adds a file; nothing of one that is no typedstream, or damaged.
  package mutating func add(_ file: BorrowedBytes, limits: ReadingLimits) {
    guard size < Self.mostNumbers,
      let stream = try? Typedstream.Reader.read(file, limits: limits)
    else { return }
    let numbers = stream.types.map { type in
      let range = stream.strings[type.string]
      // Where older systems wrote a `c`, newer ones write a `B`.
      let text = file.part(range.offset..<range.offset + range.count).map {
        $0 == UInt8(ascii: "B") ? UInt8(ascii: "c") : $0
      }
      return number(of: text)
    }
    let units = Typedstream.Layouts.units(of: stream)
    let isOther = stream.classes.map { stream.form(of: $0, file) == nil }
    for (unit, objects) in stream.objectsByUnit(units, { isOther[$0] }).enumerated() {
      let table = Typedstream.GroupTable(stream, objects)
      let name = stream.name(of: stream.classes[unit], file)
      for index in objects.indices { add(table.row(index) { numbers[$0] }, of: name) }
    }
  }

  /// Adds what other streams show.
  package mutating func merge(_ other: PositionEvidence) {
    guard size < Self.mostNumbers else { return }
    var numbers = Array(repeating: 0, count: other.types.count)
    for (text, number) in other.types { numbers[number] = self.number(of: text) }
    for (name, rows) in other.rows {
      for row in rows {
        add(row.indices.map { $0 % 2 == 0 ? numbers[row[$0]] : row[$0] }, of: name)
      }
    }
  }

  private mutating func number(of type: [UInt8]) -> Int {
    let number = types[type] ?? types.count
    types[type] = number
    return number
  }

  private mutating func add(_ row: [Int], of name: String) {
    if rows[name, default: []].insert(row).inserted { size += row.count }
  }

  /// The rules of a mapping, with the lists that all streams have.
  ///
  /// - Parameters:
  ///   - given: The rules of the mapping.
  ///   - earlier: The rules that were found when the store was made, which stay.
  /// - Returns: The rules of all classes.
  package func rules(_ given: PositionRules, earlier: PositionRules) -> PositionRules {
    var classes = given.classes.merging(earlier.classes) { first, _ in first }
    let names = Set(rows.keys).union(earlier.classes.filter { $0.value.arities != nil }.keys)
    let versions = names.reduce(into: [:]) { $0[PositionRules.plainName($1), default: 0] += 1 }
    for (name, rows) in rows {
      var rules = given.rules(for: name) ?? earlier.rules(for: name) ?? PositionRules.Class()
      var table = Typedstream.GroupTable(rows)
      rules.arities = earlier.classes[name]?.arities ?? table.lists(rules)
      if versions[PositionRules.plainName(name), default: 0] > 1 { rules.isVersioned = true }
      classes[name] = rules
    }
    return PositionRules(classes)
  }
}
