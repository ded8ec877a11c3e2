import Foundation

extension Typedstream {
  /// Makes of a typedstream what a keyed archive of the same objects holds: one entry for each object,
  /// with keys, and a record of each class.
  ///
  /// So all that reads keyed archives reads typedstreams. Objects of Foundation's classes have the
  /// keys that NSKeyedArchiver gives them (`known`); those of other classes have positions. Entry 0
  /// stands for nil; the entries of objects follow in the order of the file, then those of classes.
  struct Converter: ~Copyable {
    let stream: Typedstream
    let file: BorrowedBytes
    let layouts: Layouts
    var builder: NodeTable.Builder
    /// Texts that are not what they should be.
    private(set) var losses: [ArchiveError] = []
    /// The form in which objects of each class are read as values, if they are.
    private var forms: [KnownForm?] = []
    /// The records of classes, in the order in which they were needed, and for each class its entry,
    /// if it has one.
    private var records: [UInt32] = []
    private var recordUIDs: [UInt32] = []
    /// The rules for the positions of each class.
    private var rules: [PositionRules.Class?] = []
    /// True for each class whose objects tell its version.
    private var versioned: [Bool] = []
    /// The nodes of shared strings, and those of the names of classes by theirs; zero for none yet.
    private var sharedNodes: [UInt32]
    private var classNames: [UInt32]
    /// True if all characters in numbers are 0 and 1.
    private lazy var haveTruths = findTruths()
    /// The keys that are made, `$class` and by their positions those of values; zero for one that is
    /// not.
    private var classKey: UInt32 = 0
    private var keyNodes: [[[UInt32]]] = []
    /// For each class, where its keys are among these: all that have no names have the first.
    private var keySets: [Int] = []
    private var names: [String: UInt32] = [:]
    /// The numbers of UTF-16 units of texts with attributes, by their objects.
    var unitCounts: [Int: Int] = [:]
    /// Keys and values in turn.
    var pairs: [UInt32] = []
    /// The elements of lists that are being made.
    private var elements: [UInt32] = []

    private static let mostLosses = 1_000

    /// The table of an archive.
    ///
    /// - Parameters:
    ///   - stream: The content of the file.
    ///   - file: The file.
    ///   - positions: The names of positions.
    ///   - limits: The limits on the table.
    /// - Returns: The table with its memory, its top node, and what could not be read as it should.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    static func convert(
      _ stream: Typedstream, _ file: BorrowedBytes, _ positions: PositionRules,
      limits: ReadingLimits
    ) throws(ArchiveError) -> (
      storage: ByteStorage, table: NodeTable, top: Node, losses: [ArchiveError]
    ) {
      let forms = stream.classes.map { stream.form(of: $0, file) }
      let rules = stream.classes.map { found in
        positions.isEmpty ? nil : positions.rules(for: stream.name(of: found, file))
      }
      let layouts = Layouts(stream, rules) { forms[$0] == nil }
      var converter = try Converter(stream, file, layouts, forms, rules, limits)
      let top = try converter.addFrame()
      let (storage, table) = try converter.builder.finish(file)
      return (storage, table, Node(index: Int(top)), converter.losses)
    }

    private init(
      _ stream: Typedstream, _ file: BorrowedBytes, _ layouts: Layouts, _ forms: [KnownForm?],
      _ rules: [PositionRules.Class?], _ limits: ReadingLimits
    ) throws(ArchiveError) {
      (self.stream, self.file, self.layouts, self.forms) = (stream, file, layouts, forms)
      self.rules = rules
      keySets = rules.indices.map { rules[$0]?.fields == nil ? 0 : $0 + 1 }
      keyNodes = Array(repeating: [], count: rules.count + 1)
      sharedNodes = Array(repeating: 0, count: stream.strings.count)
      classNames = sharedNodes
      builder = try NodeTable.Builder(limits: limits)
      var versions: [Int: Set<Int64>] = [:]
      var haveObjects = forms.map { _ in false }
      for object in stream.objects { haveObjects[object.class] = true }
      for (index, found) in stream.classes.enumerated()
      where haveObjects[index] && forms[index] == nil {
        versions[found.name, default: []].insert(found.version)
      }
      versioned = stream.classes.enumerated().map { index, found in
        guard rules[index]?.arities == nil else { return rules[index]?.isVersioned == true }
        return (versions[found.name]?.count ?? 0) > 1
      }
      recordUIDs = forms.map { _ in 0 }
    }

    private func findTruths() -> Bool {
      stream.objects.allSatisfy { object in
        guard forms[object.class] == .number else { return true }
        var cursor = Cursor(object.tokens)
        while let group = stream.next(&cursor) {
          guard let token = stream.tokens[group.tokens].first, token.kind == .character else {
            continue
          }
          guard (0...1).contains(token.number) else { return false }
        }
        return true
      }
    }

    // MARK: The frame

    private mutating func addFrame() throws(ArchiveError) -> UInt32 {
      var entries: [UInt32] = []
      entries.reserveCapacity(stream.objects.count + stream.classes.count + 1)
      entries.append(try add(text: "$null"))
      for object in stream.objects { entries.append(try add(object)) }
      let top = try addTop()
      entries += records
      let objects = try builder.add(array: entries[...])
      pairs = [
        try add(key: "$archiver"), try add(text: "NSArchiver"),
        try add(key: "$version"), try builder.add(stream.version),
        try add(key: "$objects"), objects, try add(key: "$top"), top,
      ]
      return try builder.add(dictionary: pairs[...])
    }

    /// The values that stand in no object: one is the root, as NSKeyedArchiver has it; several have
    /// the numbers of their groups.
    private mutating func addTop() throws(ArchiveError) -> UInt32 {
      var cursor = Cursor(stream.top)
      var groups: [Group] = []
      while let group = stream.next(&cursor) { groups.append(group) }
      pairs = []
      if groups.count == 1, stream.types[groups[0].type].count == 1 {
        var place = groups[0].tokens.lowerBound
        if place < groups[0].tokens.upperBound {
          pairs = [try add(key: "root"), try value(at: &place, in: nil)]
        }
      } else {
        for (index, group) in groups.enumerated() {
          try addValues(of: group, "\(index + 1)", in: nil)
        }
      }
      return try builder.add(dictionary: pairs[...])
    }

    // MARK: Objects

    private mutating func add(_ object: Object) throws(ArchiveError) -> UInt32 {
      if let form = forms[object.class], let node = try known(form, object) { return node }
      try beginObject(object.class)
      if versioned[object.class] {
        pairs.append(try add(key: "class_version"))
        pairs.append(try builder.add(stream.classes[object.class].version))
      }
      // An object of a known class that has another form says nothing of others.
      let unit = layouts.units[object.class]
      let isKnown = forms[object.class] != nil
      var cursor = Cursor(object.tokens)
      var number = 0
      while let group = stream.next(&cursor) {
        number += 1
        let place = isKnown ? nil : Layouts.Place(unit: unit, position: number)
        if let arity = layouts.arity(ofListAt: number, unit: unit) {
          let count = stream.tokens[group.tokens.lowerBound].number
          pairs.append(try key(number, 0, of: object.class))
          pairs.append(try add(count, arity, &cursor, in: place))
        } else {
          try addValues(of: group, nil, number, object.class, in: place)
        }
      }
      return try builder.add(dictionary: pairs[...])
    }

    /// Begins the pairs of an object with its class.
    mutating func beginObject(_ index: Int) throws(ArchiveError) {
      pairs.removeAll(keepingCapacity: true)
      if classKey == 0 { classKey = try add(key: "$class") }
      pairs.append(classKey)
      pairs.append(try builder.add(uid: try record(of: index)))
    }

    /// Adds a pair for each value of a group: under the name of the group, where there is one value.
    private mutating func addValues(
      of group: Group, _ name: String?, _ number: Int = 0, _ class: Int = 0,
      in position: Layouts.Place?
    ) throws(ArchiveError) {
      var place = group.tokens.lowerBound
      var character = 0
      let count = stream.types[group.type].count
      var index = 0
      while place < group.tokens.upperBound {
        index += 1
        let suffix = count == 1 ? 0 : index
        if let name {
          pairs.append(try add(key: suffix == 0 ? name : "\(name)_\(suffix)"))
        } else {
          pairs.append(try key(number, suffix, of: `class`))
        }
        pairs.append(try value(at: &place, &character, in: position))
      }
    }

    /// The key of a position, and of a value of several there.
    private mutating func key(
      _ number: Int, _ index: Int, of class: Int
    ) throws(ArchiveError) -> UInt32 {
      let keys = keySets[`class`]
      while keyNodes[keys].count <= number { keyNodes[keys].append([]) }
      while keyNodes[keys][number].count <= index { keyNodes[keys][number].append(0) }
      if keyNodes[keys][number][index] == 0 {
        let name = (rules[`class`] ?? PositionRules.Class()).key(number, index)
        keyNodes[keys][number][index] = try add(key: ArchivedKey.escaped(name))
      }
      return keyNodes[keys][number][index]
    }

    /// A list of elements that are groups, or of arrays where an element has several values.
    private mutating func add(
      _ count: Int, _ arity: Int, _ cursor: inout Cursor, in position: Layouts.Place?
    ) throws(ArchiveError) -> UInt32 {
      let start = elements.count
      for _ in 0..<count {
        let first = elements.count
        var character = 0
        var values = 0
        for _ in 0..<arity {
          guard let group = stream.next(&cursor) else { break }
          values += stream.types[group.type].count
          var place = group.tokens.lowerBound
          while place < group.tokens.upperBound {
            elements.append(try value(at: &place, &character, in: position))
          }
        }
        if values != 1 { try endArray(from: first) }
      }
      try endArray(from: start)
      return elements.removeLast()
    }

    private mutating func endArray(from start: Int) throws(ArchiveError) {
      let node = try builder.add(array: elements[start...])
      elements.removeSubrange(start...)
      elements.append(node)
    }

    // MARK: Values

    private mutating func value(
      at place: inout Int, in position: Layouts.Place?
    ) throws(ArchiveError) -> UInt32 {
      var character = 0
      return try value(at: &place, &character, in: position)
    }

    /// The value whose tokens begin at a place, which is moved behind them.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - character: The number of characters before it in its group.
    ///   - position: The position of its group, if that tells whether characters are BOOLs.
    /// - Returns: The node.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    private mutating func value(
      at place: inout Int, _ character: inout Int, in position: Layouts.Place?
    ) throws(ArchiveError) -> UInt32 {
      guard stream.tokens[place].kind == .list else {
        return try plain(at: &place, &character, in: position)
      }
      var open: [(end: Int, start: Int)] = []
      repeat {
        let token = stream.tokens[place]
        if token.kind == .list {
          place += 1
          let end = place + Int(token.count)
          guard let text = geometry(token, place..<end) else {
            open.append((end, elements.count))
            try close(&open, at: place)
            continue
          }
          place = end
          elements.append(try add(text: text))
        } else {
          elements.append(try plain(at: &place, &character, in: position))
        }
        try close(&open, at: place)
      } while !open.isEmpty
      return elements.removeLast()
    }

    /// The same of a value that is no list.
    @inline(__always)
    private mutating func plain(
      at place: inout Int, _ character: inout Int, in position: Layouts.Place?
    ) throws(ArchiveError) -> UInt32 {
      let token = stream.tokens[place]
      place = stream.end(ofValueAt: place)
      var isBool = false
      if token.kind == .character {
        isBool = position.map { layouts.areTruths($0, character: character) } ?? false
        character += 1
      }
      return try plain(token, isBool: isBool)
    }

    /// Makes arrays of the lists that end at a place.
    private mutating func close(
      _ open: inout [(end: Int, start: Int)], at place: Int
    ) throws(ArchiveError) {
      while let last = open.last, last.end == place {
        open.removeLast()
        try endArray(from: last.start)
      }
    }

    /// The text of a structure that NSKeyedArchiver writes as one, such as "{1, 2}".
    private func geometry(_ token: Token, _ tokens: Range<Int>) -> String? {
      switch stream.steps[token.number].geometry {
      case .point, .size, .rect: return stream.geometry(tokens)
      case .range, nil: return nil
      }
    }

    /// A value that is no list.
    mutating func plain(_ token: Token, isBool: Bool = false) throws(ArchiveError) -> UInt32 {
      switch token.kind {
      case .null, .group, .list: return try builder.add(uid: 0)
      case .bool: return try builder.add(token.bits != 0)
      case .character where isBool: return try builder.add(token.bits != 0)
      case .character, .integer: return try builder.add(Int64(bitPattern: token.bits))
      case .unsigned:
        guard let small = Int64(exactly: token.bits) else {
          return try builder.add(wide: Int128(token.bits))
        }
        return try builder.add(small)
      case .real: return try builder.add(token.real)
      case .text:
        return try bytes(token.range).isUTF8 ? add(textAt: token.range) : add(dataAt: token.range)
      case .data: return try add(dataAt: token.range)
      case .shared:
        if sharedNodes[token.number] != 0 { return sharedNodes[token.number] }
        let range = stream.strings[token.number]
        let node = try bytes(range).isUTF8 ? add(textAt: range) : add(dataAt: range)
        sharedNodes[token.number] = node
        return node
      case .object: return try builder.add(uid: UInt32(truncatingIfNeeded: token.number + 1))
      case .class: return try builder.add(uid: try record(of: token.number))
      }
    }

    /// A number of an NSNumber.
    mutating func number(_ token: Token) throws(ArchiveError) -> UInt32 {
      try plain(token, isBool: token.kind == .character && haveTruths)
    }

    // MARK: Nodes

    func bytes(_ range: ByteRange) -> BorrowedBytes {
      file.part(range.offset..<range.offset + range.count)
    }

    mutating func add(key: String) throws(ArchiveError) -> UInt32 {
      if let known = names[key] { return known }
      let node = try Array(key.utf8).withBorrowedBytes { (bytes) throws(ArchiveError) in
        try builder.add(key: bytes)
      }
      names[key] = node
      return node
    }

    mutating func add(text: String) throws(ArchiveError) -> UInt32 {
      try Array(text.utf8).withBorrowedBytes { (bytes) throws(ArchiveError) in
        try builder.add(text: bytes)
      }
    }

    mutating func add(textAt range: ByteRange) throws(ArchiveError) -> UInt32 {
      try builder.add(text: bytes(range), inFileAt: range.offset)
    }

    mutating func add(dataAt range: ByteRange) throws(ArchiveError) -> UInt32 {
      let bytes = bytes(range)
      return try builder.add(dataOf: range.count) { unsafe $0.append(bytes: bytes.buffer) }
    }

    /// The text of a string, which older systems wrote in an encoding of their own.
    mutating func add(stringAt range: ByteRange) throws(ArchiveError) -> UInt32 {
      if bytes(range).isUTF8 { return try add(textAt: range) }
      if losses.count < Self.mostLosses {
        losses.append(ArchiveError(.textNotUTF8, at: .byte(range.offset)))
      }
      return try add(text: NextStepText.string(bytes(range)))
    }

    /// The entry of the record of a class.
    private mutating func record(of index: Int) throws(ArchiveError) -> UInt32 {
      if recordUIDs[index] > 0 { return recordUIDs[index] }
      let uid = UInt32(truncatingIfNeeded: stream.objects.count + records.count + 1)
      let names = try stream.hierarchy(of: index).map { (number) throws(ArchiveError) in
        let name = stream.classes[number].name
        if classNames[name] != 0 { return classNames[name] }
        let node = try add(text: stream.string(name, file))
        classNames[name] = node
        return node
      }
      let pairs = [
        try add(key: "$classname"), names[0],
        try add(key: "$classes"), try builder.add(array: names[...]),
      ]
      records.append(try builder.add(dictionary: pairs[...]))
      recordUIDs[index] = uid
      return uid
    }
  }
}

extension Typedstream {
  /// A shared string.
  func string(_ number: Int, _ file: BorrowedBytes) -> String {
    let range = strings[number]
    let bytes = file.part(range.offset..<range.offset + range.count)
    return bytes.isUTF8 ? String(decoding: bytes, as: UTF8.self) : NextStepText.string(bytes)
  }

  /// The text for two numbers, or for two pairs of them, as Foundation writes it.
  func geometry(_ tokens: Range<Int>) -> String? {
    let numbers = self.tokens[tokens].filter { $0.kind != .list }
    guard numbers.allSatisfy({ $0.kind == .real }) else { return nil }
    switch (numbers.count, tokens.count) {
    case (2, 2): return "{\(numbers[0].real), \(numbers[1].real)}"
    case (4, 6):
      return "{{\(numbers[0].real), \(numbers[1].real)}, {\(numbers[2].real), \(numbers[3].real)}}"
    default: return nil
    }
  }
}
