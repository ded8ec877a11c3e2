extension Typedstream {
  /// A place among the tokens of an object.
  struct Cursor {
    var place: Int
    let end: Int

    init(_ tokens: Range<Int>) { (place, end) = (tokens.lowerBound, tokens.upperBound) }

    var isAtEnd: Bool { place == end }
  }

  /// The values of one call of the archiver.
  struct Group {
    /// The number of their type.
    var type: Int
    var tokens: Range<Int>
  }

  /// The next group, if there is one.
  func next(_ cursor: inout Cursor) -> Group? {
    guard cursor.place < cursor.end else { return nil }
    let token = tokens[cursor.place]
    let first = cursor.place
    if token.type > 0 {
      cursor.place = end(ofValueAt: first)
      return Group(type: Int(token.type) - 1, tokens: first..<cursor.place)
    }
    cursor.place += 1 + Int(token.count)
    return Group(type: token.number, tokens: first + 1..<cursor.place)
  }
}

extension Typedstream {
  /// The positions of values in objects whose class no table knows.
  ///
  /// Such a class has no keys, but it encodes the same groups in the same order for each object, with
  /// lists of different lengths among them. A list is a number and as many groups after it, or pairs
  /// of groups, in each object of the class. At least two of these numbers differ, or all are so large
  /// that they are no accident. A mapping may say it in place of that.
  struct Layouts {
    /// A position in the objects of a class.
    struct Place {
      /// The class and its version: see `units`.
      var unit: Int
      /// Counted from 1.
      var position: Int
    }

    /// A class and its version, by the first class of the stream that has both.
    private(set) var units: [Int] = []
    /// For each class, its lists: by their positions, how many groups an element has.
    private var lists: [[Int: Int]] = []
    /// The places of characters that are more than 0 and 1.
    private var characters: Set<Int> = []

    /// Finds the lists of some objects, and what their characters are.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - rules: The rules of a mapping for each class.
    ///   - isIncluded: True if the objects of a class, by its number, are looked at.
    init(
      _ stream: Typedstream, _ rules: [PositionRules.Class?] = [], _ isIncluded: (Int) -> Bool
    ) {
      units = Self.units(of: stream)
      lists = Array(repeating: [:], count: units.count)
      let hasCharacters = stream.types.contains(where: \.hasCharacters)
      for (unit, numbers) in stream.objectsByUnit(units, isIncluded).enumerated() {
        let rules = rules.isEmpty ? nil : rules[unit]
        // Lists of different lengths make objects different.
        let isPlain =
          rules?.arities.map(\.isEmpty) ?? rules?.lists.map(\.isEmpty) ?? stream.areAlike(numbers)
        if !numbers.isEmpty, !isPlain {
          var table = GroupTable(stream, numbers)
          lists[unit] = table.lists(rules)
        }
        for number in numbers where hasCharacters { noteCharacters(of: number, unit, stream) }
      }
    }

    /// For each class, the first one with the same name and version.
    static func units(of stream: Typedstream) -> [Int] {
      // Most streams have a handful of classes.
      guard stream.classes.count > 16 else {
        return stream.classes.map { found in
          stream.classes.firstIndex { $0.name == found.name && $0.version == found.version } ?? 0
        }
      }
      var known: [Class: Int] = [:]
      return stream.classes.indices.map { index in
        var found = stream.classes[index]
        found.superclass = nil
        let unit = known[found] ?? index
        known[found] = unit
        return unit
      }
    }

    /// The number of groups in an element of the list at a position, whose group is the number of
    /// elements that follow; nil for no list.
    func arity(ofListAt position: Int, unit: Int) -> Int? { lists[unit][position] }

    /// True if the characters at a place are all 0 or 1, as those of a BOOL are.
    func areTruths(_ place: Place, character: Int) -> Bool {
      !characters.contains(Self.place(place.unit, place.position, character))
    }

    private static func place(_ unit: Int, _ position: Int, _ character: Int) -> Int {
      unit << 42 ^ position << 21 ^ character
    }

    private mutating func noteCharacters(
      _ range: Range<Int>, _ unit: Int, _ position: Int, _ stream: Typedstream
    ) {
      var character = 0
      var place = range.lowerBound
      while place < range.upperBound {
        if stream.tokens[place].kind == .character {
          if !(0...1).contains(stream.tokens[place].number) {
            characters.insert(Self.place(unit, position, character))
          }
          character += 1
        }
        place = stream.end(ofValueAt: place)
      }
    }

    private mutating func noteCharacters(of object: Int, _ unit: Int, _ stream: Typedstream) {
      var cursor = Cursor(stream.objects[object].tokens)
      var number = 0
      while let group = stream.next(&cursor) {
        number += 1
        guard let arity = arity(ofListAt: number, unit: unit) else {
          if stream.types[group.type].hasCharacters {
            noteCharacters(group.tokens, unit, number, stream)
          }
          continue
        }
        for _ in 0..<stream.tokens[group.tokens.lowerBound].number {
          let first = cursor.place
          for _ in 0..<arity { _ = stream.next(&cursor) }
          noteCharacters(first..<cursor.place, unit, number, stream)
        }
      }
    }
  }

  /// The objects of some classes, by the unit of the class.
  func objectsByUnit(_ units: [Int], _ isIncluded: (Int) -> Bool) -> [[Int]] {
    var found = units.map { _ in [Int]() }
    let included = units.indices.map(isIncluded)
    for (number, object) in objects.enumerated() where included[object.class] {
      found[units[object.class]].append(number)
    }
    return found
  }

  /// True for objects with groups of the same types, and none that counts many others in all of them.
  private func areAlike(_ numbers: [Int]) -> Bool {
    guard let first = numbers.first else { return true }
    var cursor = Cursor(objects[first].tokens)
    var groups: [Group] = []
    var counts: [Int: Int] = [:]
    while let group = next(&cursor) {
      groups.append(group)
      let number = types[group.type].isCount ? tokens[group.tokens.lowerBound].number : 0
      if number >= GroupTable.largeCount, number <= cursor.end - cursor.place {
        counts[groups.count - 1] = number
      }
    }
    for number in numbers {
      cursor = Cursor(objects[number].tokens)
      for (index, group) in groups.enumerated() {
        guard let found = next(&cursor), found.type == group.type else { return false }
        if let count = counts[index], count != tokens[found.tokens.lowerBound].number {
          counts[index] = nil
        }
      }
      guard cursor.isAtEnd else { return false }
    }
    return counts.isEmpty
  }

  /// The types of the groups of all objects of a class, one object after the other.
  struct GroupTable {
    /// A number as large as this that is exactly that of the groups after it is no accident.
    static let largeCount = 8

    private var types: [Int] = []
    /// The number that a group is, if it may say how many follow; else -1.
    private var counts: [Int] = []
    /// The place of each object in the table.
    private var rows: [Range<Int>] = []
    /// For each group, how many from there on are of its type, or take turns with the one after it.
    private var runs: [Int] = []
    private var turns: [Int] = []

    init(_ stream: Typedstream, _ objects: [Int]) {
      for object in objects {
        let start = types.count
        var cursor = Cursor(stream.objects[object].tokens)
        while let group = stream.next(&cursor) {
          types.append(group.type)
          counts.append(
            stream.types[group.type].isCount ? stream.tokens[group.tokens.lowerBound].number : -1)
        }
        rows.append(start..<types.count)
      }
    }

    /// The table of rows that were taken out of several streams, each in types and counts in turn.
    init(_ rows: some Sequence<[Int]>) {
      for row in rows {
        let start = types.count
        for place in stride(from: 0, to: row.count, by: 2) {
          types.append(row[place])
          counts.append(row[place + 1])
        }
        self.rows.append(start..<types.count)
      }
    }

    /// A row in types and counts in turn: of numbers that can be no counts, there are too few groups.
    func row(_ index: Int, _ number: (Int) -> Int) -> [Int] {
      rows[index].flatMap { place in
        [number(types[place]), counts[place] < rows[index].upperBound - place ? counts[place] : -1]
      }
    }

    /// The positions of lists.
    ///
    /// - Parameter rules: The rules for the class.
    /// - Returns: The number of groups in an element, by position.
    mutating func lists(_ rules: PositionRules.Class?) -> [Int: Int] {
      guard let first = rows.first else { return [:] }
      // Lists of different lengths make objects different.
      let areAlike = rows.allSatisfy { types[$0] == types[first] }
      measure()
      var lists: [Int: Int] = [:]
      var places = rows.map(\.lowerBound)
      for position in 1... {
        guard rows.indices.allSatisfy({ places[$0] < rows[$0].upperBound }),
          Set(places.map { types[$0] }).count == 1
        else { break }
        // What a store remembers may be anything.
        let known =
          rules?.arities.map { arities in (1...2).filter { $0 == arities[position] } }
          ?? rules?.lists.map { $0.contains(position) ? [1, 2] : [] }
        let arity = arity(
          places, among: known ?? [1, 2], isGiven: known != nil, areAlike: areAlike)
        if let arity { lists[position] = arity }
        for row in rows.indices { places[row] += 1 + (arity ?? 0) * max(0, counts[places[row]]) }
      }
      return lists
    }

    private mutating func measure() {
      runs = Array(repeating: 1, count: types.count)
      turns = runs
      for row in rows {
        for place in row.reversed() {
          let left = row.upperBound - place
          if left > 1, types[place] == types[place + 1] { runs[place] = runs[place + 1] + 1 }
          turns[place] = min(left, 2)
          if left > 2, types[place] == types[place + 2] { turns[place] = turns[place + 1] + 1 }
        }
      }
    }

    /// The number of groups in an element of the list that begins at a place of each object; nil if
    /// there is none.
    private func arity(
      _ places: [Int], among arities: [Int], isGiven: Bool, areAlike: Bool
    ) -> Int? {
      let numbers = places.map { counts[$0] }
      guard let most = numbers.max(), let row = numbers.firstIndex(of: most),
        let least = numbers.min(), least >= 0,
        isGiven || (least == most ? most >= Self.largeCount : !areAlike)
      else { return nil }
      for arity in arities {
        let isList = rows.indices.allSatisfy { index in
          let (start, count) = (places[index] + 1, numbers[index])
          guard count > 0 else { return true }
          let (size, overflows) = count.multipliedReportingOverflow(by: arity)
          let first = places[row] + 1
          guard !overflows, size <= rows[index].upperBound - start,
            arity <= rows[row].upperBound - first,
            types[start..<start + arity] == types[first..<first + arity]
          else { return false }
          let run = arity == 1 ? runs[start] : turns[start]
          return !isGiven && least == most ? run == size : run >= size
        }
        if isList { return arity }
      }
      return nil
    }
  }
}
