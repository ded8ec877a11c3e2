/// The keys of one object, or of `$top`, as a coder looks them up.
///
/// This is the part of `NSCoder`'s contract that needs no object graph: which key is meant, the
/// count of unkeyed values, and which keys were read.
package struct ObjectFields {
  /// The archived keys, `$class` and those of unkeyed values included.
  package let keys: [String]
  /// Which of them have been read.
  package private(set) var read: KeyBits
  /// The position after the key that was asked for last: keys are mostly decoded in the order in
  /// which they were encoded.
  private var guess = 0
  /// The index of the unkeyed value that comes next.
  private var nextUnkeyed = 0

  /// The object; nil for `$top`.
  private var object: GraphObject?
  /// What `$top` holds.
  private let roots: [GraphRoot]
  /// Where each key stands, for objects with many of them.
  private let positions: [String: Int]?
  /// In which order keys are asked for, where several objects of a shape are looked at in turn.
  private let order: NameOrder?
  /// Where `$class` stands.
  private let classPosition: Int?
  /// The values of the object, and whether they have been read: all at once, for the first of them
  /// that is asked for.
  private var values: [GraphValue] = []
  private var areAtHand = false
  /// Whether one of them could not be read: then each is read by itself.
  private var isDamaged = false

  /// The keys of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - graph: What has read it.
  ///   - isReused: Whether objects of the same shape are to follow: see `begin`.
  package init(_ object: GraphObject, _ graph: any ObjectGraph, isReused: Bool = false) {
    let keys = graph.keys(ofShape: object.shape)
    self.init(keys, object, roots: [], isReused ? NameOrder(count: keys.count) : nil)
  }

  /// The keys of `$top`.
  package init(topOf source: any GraphSource) {
    let roots = source.roots
    // What the top-level keys hold together is the root, where it is one object.
    let keys = roots.map { $0.key == RecordPath.topLevel.text ? "root" : $0.key }
    self.init(keys, nil, roots: roots, nil)
  }

  private init(
    _ keys: [String], _ object: GraphObject?, roots: [GraphRoot], _ order: NameOrder?
  ) {
    self.keys = keys
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

  /// Where a key stands that was asked for at the same place of the object before; -1 for others.
  @inline(__always)
  func orderedPosition(of key: String) -> Int {
    order?.index(of: key, after: guess - 1) ?? -1
  }

  /// Where a key of an object stands; -1 where it is absent, or one of the format's own.
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

  /// Where a key stands that a program asks for; nil where it is absent.
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

  /// How many unkeyed values there are.
  package var unkeyedCount: Int {
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

  /// What stands under a key; nil where it is absent.
  package mutating func field(
    _ key: String, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> ArchivedField? {
    guard let position = position(of: key) else { return nil }
    return try field(at: position, graph)
  }

  /// The next of the values that were encoded without keys; nil after the last.
  package mutating func nextUnkeyedField(
    _ graph: any ObjectGraph
  ) throws(ArchiveError) -> ArchivedField? {
    guard let position = position(ofArchived: "$\(nextUnkeyed)") else { return nil }
    nextUnkeyed += 1
    return try field(at: position, graph)
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
  package var unkeyedPlace: ArchiveError.Position { place(of: "$\(nextUnkeyed)") }

  /// The place of an archived key, for errors.
  package func place(of key: String) -> ArchiveError.Position {
    object.map { .object($0.uid, key: key) } ?? .topLevelKey(key)
  }
}
