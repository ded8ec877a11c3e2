/// The keys of one object, or of `$top`, as a coder looks them up.
///
/// This is the part of `NSCoder`'s contract that needs no object graph: which key is meant, the
/// count of unkeyed values, and which keys were read.
package struct ObjectFields: Sendable {
  /// The archived keys, `$class` and those of unkeyed values included.
  package let keys: [String]
  /// Which of them have been read.
  package private(set) var read: KeyBits
  /// The position behind the key that was asked for last: keys are mostly decoded in the order in
  /// which they were encoded.
  private var guess = 0
  /// The number of the unkeyed value that comes next.
  private var nextUnkeyed = 0

  private let source: Source
  /// Where each key stands, for objects with many of them.
  private let positions: [String: Int]?

  private enum Source: Sendable {
    case object(uid: Int, values: NodeRun)
    case top([Node])
  }

  /// The keys of an object.
  package init(_ object: ArchivedObject, _ reader: ObjectReader) {
    self.init(
      reader.shapes[object.shape].keys, .object(uid: object.uid, values: object.values))
    if let position = keys.firstIndex(of: "$class") { read.insert(position) }
  }

  /// The keys of `$top`.
  package init(topOf archive: KeyedArchive) {
    self.init(archive.topLevelKeys, .top(archive.topLevel.map(\.node)))
  }

  private init(_ keys: [String], _ source: Source) {
    self.keys = keys
    self.source = source
    read = KeyBits(keys.count)
    // As everywhere in the format, the first of equal keys counts.
    positions =
      keys.count <= Self.mostSearched
      ? nil : Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
  }

  private static let mostSearched = 32

  // MARK: Keys

  /// The value of an object's key, which counts as read; nil where the key is absent, or its value
  /// takes more than a look: `field` tells what is wrong with it.
  package mutating func plainValue(
    _ key: String, _ reader: inout ObjectReader
  ) -> ArchivedValue? {
    guard case .object(_, let values) = source, key.utf8.first != UInt8(ascii: "$") else {
      return nil
    }
    let position: Int
    if guess < keys.count, keys[guess] == key {
      position = guess
    } else {
      guard let found = self.position(ofArchived: key) else { return nil }
      position = found
    }
    guard let value = try? reader.value(of: reader.table[values, position]) else { return nil }
    guess = position + 1
    read.insert(position)
    return value
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

  /// Notes a key as read; returns whether it is there.
  @discardableResult
  package mutating func note(_ key: String) -> Bool {
    guard let position = position(of: key) else { return false }
    read.insert(position)
    return true
  }

  /// Notes all unkeyed values as read, and returns where their keys stand.
  package mutating func noteUnkeyed() -> [Int] {
    let positions = (0..<unkeyedCount).compactMap { position(ofArchived: "$\($0)") }
    for position in positions { read.insert(position) }
    return positions
  }

  // MARK: Values

  /// What stands under a key; nil where it is absent.
  package mutating func field(
    _ key: String, _ reader: inout ObjectReader
  ) throws(ArchiveError) -> ArchivedField? {
    guard let position = position(of: key) else { return nil }
    return try field(at: position, &reader)
  }

  /// The next of the values that were encoded without keys; nil behind the last.
  package mutating func nextUnkeyedField(
    _ reader: inout ObjectReader
  ) throws(ArchiveError) -> ArchivedField? {
    guard let position = position(ofArchived: "$\(nextUnkeyed)") else { return nil }
    nextUnkeyed += 1
    return try field(at: position, &reader)
  }

  private mutating func field(
    at position: Int, _ reader: inout ObjectReader
  ) throws(ArchiveError) -> ArchivedField {
    read.insert(position)
    let place = place(of: keys[position])
    let node: Node
    switch source {
    case .object(_, let values): node = reader.table[values, position]
    case .top(let nodes): node = nodes[position]
    }
    do throws(ArchiveError) {
      return ArchivedField(
        key: keys[position], place: place, node: node,
        isReference: reader.table.uid(of: node) != nil, value: try reader.value(of: node))
    } catch {
      throw error.placed(at: place)
    }
  }

  /// The place of the next unkeyed value, for errors.
  package var unkeyedPlace: ArchiveError.Position { place(of: "$\(nextUnkeyed)") }

  /// The place of an archived key, for errors.
  package func place(of key: String) -> ArchiveError.Position {
    switch source {
    case .object(let uid, _): .object(uid, key: key)
    case .top: .topLevelKey(key)
    }
  }
}
