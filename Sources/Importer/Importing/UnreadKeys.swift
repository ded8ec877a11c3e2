import ArchiveReader

/// The keys of the objects of an archive that nothing read, as far as they are known in a turn.
struct UnreadKeys {
  private struct ShapeOfClass: Hashable {
    var `class`: Int
    var shape: Int

    init(_ object: ArchivedObject) {
      self.class = object.class.index
      shape = object.shape
    }
  }

  private struct KeySet: Hashable {
    var kind: ShapeOfClass
    var positions: [UInt64]
  }

  /// For each set of keys that was read, of how many objects.
  private var counts: [KeySet: Int] = [:]
  /// The keys that entity mappings read, for each class and shape.
  private var mapped: [ShapeOfClass: KeyBits] = [:]
  /// The objects of value classes with a hook, and the keys that it has read of them.
  private var valueObjects: [ShapeOfClass: Int] = [:]
  private var valueReads: [ShapeOfClass: KeyBits] = [:]

  /// Counts an object of which some keys were read.
  mutating func add(_ object: ArchivedObject, read: [UInt64]) {
    counts[KeySet(kind: ShapeOfClass(object), positions: read), default: 0] += 1
  }

  /// Counts an object of which entity mappings read some keys.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - read: Finds the keys; it is called once for each class and shape.
  mutating func addMapped(_ object: ArchivedObject, read: () -> KeyBits) {
    let kind = ShapeOfClass(object)
    let known = mapped[kind] ?? read()
    mapped[kind] = known
    add(object, read: known.words)
  }

  /// Counts an object of a value class with a hook.
  mutating func addValueObject(_ object: ArchivedObject) {
    valueObjects[ShapeOfClass(object), default: 0] += 1
  }

  /// Notes which keys a hook read of an object of a value class, which it may see several times.
  mutating func addValueRead(_ object: ArchivedObject, _ read: KeyBits) {
    valueReads[ShapeOfClass(object), default: read].formUnion(read)
  }

  /// Hands over the keys that nothing read, with the number of objects, and forgets them.
  ///
  /// A key comes several times if different sets of keys were read.
  mutating func take(_ reader: ObjectReader) -> [(key: ImportFindings.ClassKey, count: Int)] {
    for (kind, count) in valueObjects {
      counts[KeySet(kind: kind, positions: valueReads[kind]?.words ?? []), default: 0] += count
    }
    valueObjects = [:]
    var found: [(key: ImportFindings.ClassKey, count: Int)] = []
    for (set, count) in counts {
      let name = reader.classes[set.kind.class].name
      for (position, key) in reader.shapes[set.kind.shape].keys.enumerated() where key != "$class" {
        let isRead =
          position >> 6 < set.positions.count
          && set.positions[position >> 6] & 1 << UInt64(position & 63) != 0
        if !isRead { found.append((ImportFindings.ClassKey(className: name, key: key), count)) }
      }
    }
    counts = [:]
    return found
  }
}
