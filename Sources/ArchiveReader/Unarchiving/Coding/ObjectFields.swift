/// The keys of one object, or of `$top`, as a coder looks them up.
///
/// This is the part of `NSCoder`'s contract that needs no object graph: which key is meant, the
/// count of unkeyed values, and which keys were read.
package struct ObjectFields {
  /// The archived keys, `$class` and those of unkeyed values included.
  package let keys: [String]
  /// The positions of the keys that have been read.
  package private(set) var read: KeyBits
  /// The position after the key that was asked for last: keys are mostly decoded in the order in
  /// which they were encoded.
  private var guess = 0
  /// The index of the unkeyed value that comes next; where all have positions, that of its key.
  private var nextUnkeyed = 0
  /// True if no value has a key but the number of its position, or the name that a mapping gave it:
  /// see `Typedstream.Converter`.
  package let hasPositions: Bool
  /// The elements of lists that are being taken one by one, the innermost last, and which is next.
  private var lists: [(elements: GraphElements, next: Int)] = []

  /// The object; nil for `$top`.
  private var object: GraphObject?
  /// The roots of the source, for `$top`.
  private let roots: [GraphRoot]
  /// The position of each key, for objects with many of them.
  private let positions: [String: Int]?
  /// In which order keys are asked for, where several objects of a shape are looked at in turn.
  private let order: NameOrder?
  /// The position of `$class`.
  private let classPosition: Int?
  /// The values of the object, and whether they have been read: all at once, for the first of them
  /// that is asked for.
  private var values: [GraphValue] = []
  private var areAtHand = false
  /// True if one of the values could not be read: then each is read by itself.
  private var isDamaged = false

  /// The keys of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - graph: The graph that has read it.
  ///   - isReused: True if objects of the same shape are to follow: see `begin`.
  package init(_ object: GraphObject, _ graph: any ObjectGraph, isReused: Bool = false) {
    let keys = graph.keys(ofShape: object.shape)
    self.init(
      keys, object, roots: [], isReused ? NameOrder(count: keys.count) : nil,
      hasPositions: graph.source.underlying.format.hasPositions)
  }

  /// The keys of `$top`.
  package init(topOf source: any GraphSource) {
    let roots = source.roots
    // What the top-level keys hold together is the root, where it is one object.
    let keys = roots.map { $0.key == RecordPath.topLevel.text ? "root" : $0.key }
    self.init(keys, nil, roots: roots, nil)
  }

  private init(
    _ keys: [String], _ object: GraphObject?, roots: [GraphRoot], _ order: NameOrder?,
    hasPositions: Bool = false
  ) {
    self.keys = keys
    self.hasPositions = hasPositions
    self.object = object
    self.roots = roots
    self.order = order
    classPosition = object == nil ? nil : keys.firstIndex(of: "$class")
    read = KeyBits(keys.count)
    if let classPosition { read.insert(classPosition) }
    // As everywhere in the format, the first of equal keys counts.
    positions =
      keys.count <= Self.maxSearched
      ? nil : Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
  }

  private static let maxSearched = 32

  /// Goes on with another object of the same shape, of which nothing has been read.
  package mutating func begin(_ object: GraphObject) {
    self.object = object
    (guess, nextUnkeyed, areAtHand, isDamaged) = (0, 0, false, false)
    lists.removeAll()
    read = KeyBits(keys.count)
    if let classPosition { read.insert(classPosition) }
  }

  // MARK: Keys

  /// The value of a key that is asked for in the usual order, once another of the object was.
  ///
  /// It counts as read; nil for any other key, whose value `plainValue` gives.
  @inline(__always)
  package mutating func valueAtHand(_ key: String) -> GraphValue? {
    guard areAtHand else { return nil }
    let position = orderedPosition(of: key)
    guard position >= 0 else { return nil }
    noteRead(position)
    return values[position]
  }

  /// The value of an object's key, which counts as read; nil where the key is absent, or its value
  /// takes more than a look: `field` tells what is wrong with it.
  package mutating func plainValue(_ key: String, _ graph: any ObjectGraph) -> GraphValue? {
    guard let object else { return nil }
    var position = orderedPosition(of: key)
    if position < 0 { position = searchedPosition(of: key) }
    guard position >= 0 else { return nil }
    if !areAtHand, !isDamaged {
      areAtHand = (try? graph.read(object, into: &values)) != nil
      isDamaged = !areAtHand
    }
    guard let value = areAtHand ? values[position] : try? graph.value(of: object, at: position)
    else { return nil }
    noteRead(position)
    return value
  }

  /// The position of a key asked for at the same place of the object before; -1 for others.
  @inline(__always)
  func orderedPosition(of key: String) -> Int {
    order?.index(of: key, after: guess - 1) ?? -1
  }

  /// The position of a key of an object; -1 where it is absent, or one of the format's own.
  private func searchedPosition(of key: String) -> Int {
    guard object != nil, key.utf8.first != UInt8(ascii: "$") else { return -1 }
    let archived = ArchivedName.text(key)
    if guess < keys.count, keys[guess] == archived {
      order?.note(key, guess, after: guess - 1)
      return guess
    }
    guard let position = position(ofArchived: archived) else { return -1 }
    order?.note(key, position, after: guess - 1)
    return position
  }

  /// Notes that the value at a position was read.
  @inline(__always)
  mutating func noteRead(_ position: Int) {
    guess = position + 1
    read.insert(position)
  }

  /// The position of a key that a program asks for; nil where it is absent.
  package func position(of key: String) -> Int? {
    position(ofArchived: ArchivedKey.escaped(key))
  }

  private func position(ofArchived key: String) -> Int? {
    guard let positions else { return keys.firstIndex(of: key) }
    return positions[key]
  }

  /// The keys that a program can ask for, in the order of the archive.
  package var plainKeys: [String] {
    keys.filter { !ArchivedKey.isReserved($0) }.map(ArchivedKey.plain)
  }

  /// The number of unkeyed values; lists are one.
  package var unkeyedCount: Int {
    if hasPositions { return keys.indices.count { isPosition($0) } }
    var count = 0
    while position(ofArchived: "$\(count)") != nil { count += 1 }
    return count
  }

  /// Notes a key as read; returns where it stands, if it is there.
  @discardableResult
  package mutating func note(_ key: String) -> Int? {
    var position = orderedPosition(of: key)
    if position < 0 {
      guard let found = self.position(of: key) else { return nil }
      order?.note(key, found, after: guess - 1)
      position = found
    }
    read.insert(position)
    return position
  }

  // MARK: Values

  /// The value under a key; nil where it is absent.
  package mutating func field(
    _ key: String, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> ArchivedField? {
    guard let position = position(of: key) else { return nil }
    return try field(at: position, graph)
  }

  /// The next of the values that were encoded without keys.
  ///
  /// - Parameters:
  ///   - graph: The graph that has read the object.
  ///   - code: The first letter of the type that is asked for. A list at one position is its number of
  ///     elements, and then these, to one who asks for an integer; else it is one value.
  /// - Returns: The value; nil after the last.
  /// - Throws: `ArchiveError` if the value cannot be read.
  package mutating func nextUnkeyedField(
    _ graph: any ObjectGraph, as code: UInt8 = UInt8(ascii: "@")
  ) throws(ArchiveError) -> ArchivedField? {
    if let element = try nextElement(code, graph) { return element }
    guard let position = nextUnkeyedPosition else { return nil }
    nextUnkeyed = hasPositions ? position + 1 : nextUnkeyed + 1
    var field = try field(at: position, graph)
    guard hasPositions else { return field }
    switch field.value {
    case .collection(.inline(let number), let kind) where "cCsSiIlLqQ".utf8.contains(code):
      let elements = try graph.elements(of: .inline(number), kind)
      lists = [(elements, 0)]
      field.value = .integer(Int64(elements.count))
    // Objects to an archiver with keys.
    case .text, .data, .className: field.isReference = true
    default: break
    }
    return field
  }

  /// The next element of a list that was begun; nil if there is none.
  private mutating func nextElement(
    _ code: UInt8, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> ArchivedField? {
    while let (elements, next) = lists.last {
      guard next < elements.count else {
        lists.removeLast()
        continue
      }
      lists[lists.count - 1].next += 1
      let value = try graph.value(of: elements, at: next)
      // Elements of several values are lists of these.
      if case .collection(.inline(let number), let kind) = value {
        let members = try graph.elements(of: .inline(number), kind)
        let holdsStructures = try Self.holdsStructures(members, graph)
        if !"[{".utf8.contains(code) || holdsStructures {
          lists.append((members, 0))
          continue
        }
      }
      let key = keys[nextUnkeyed - 1]
      return ArchivedField(
        key: key, place: place(of: key), isReference: "@#:*%+".utf8.contains(code), value: value)
    }
    return nil
  }

  /// True for an array of several values that begin with a structure, rather than the members of
  /// one.
  private static func holdsStructures(
    _ members: GraphElements, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> Bool {
    guard members.count > 1 else { return false }
    switch (try graph.value(of: members, at: 0), try graph.value(of: members, at: 1)) {
    // A point or a rectangle is a text.
    case (.text, _): return true
    case (.collection(.inline, _), .collection(.inline, _)): return false
    case (.collection(.inline, _), _): return true
    default: return false
    }
  }

  /// The place of the next of the values without keys; nil after the last.
  private var nextUnkeyedPosition: Int? {
    guard hasPositions else { return position(ofArchived: "$\(nextUnkeyed)") }
    return (nextUnkeyed..<keys.count).first(where: isPosition)
  }

  /// True for the key of a position.
  private func isPosition(_ index: Int) -> Bool {
    !ArchivedKey.isReserved(keys[index]) && keys[index] != "class_version"
  }

  /// True after the last of the values without keys.
  package var isAtEnd: Bool {
    nextUnkeyedPosition == nil && lists.allSatisfy { $0.next == $0.elements.count }
  }

  private mutating func field(
    at position: Int, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> ArchivedField {
    read.insert(position)
    let place = place(of: keys[position])
    do throws(ArchiveError) {
      guard let object else {
        return ArchivedField(
          key: keys[position], place: place, isReference: roots[position].isReference,
          value: try graph.value(of: roots[position]))
      }
      return ArchivedField(
        key: keys[position], place: place,
        isReference: graph.reference(of: object, at: position) != nil,
        value: try graph.value(of: object, at: position))
    } catch {
      throw error.placed(at: place)
    }
  }

  /// The place of the next unkeyed value, for errors.
  package var unkeyedPlace: ArchiveError.Position {
    place(of: hasPositions ? nextUnkeyedPosition.map { keys[$0] } ?? "" : "$\(nextUnkeyed)")
  }

  /// The place of an archived key, for errors.
  package func place(of key: String) -> ArchiveError.Position {
    object.map { .object($0.uid, key: key) } ?? .topLevelKey(key)
  }
}
