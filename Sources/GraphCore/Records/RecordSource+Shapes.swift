extension RecordSource {
  /// The sets of keys that dictionaries have.
  ///
  /// Dictionaries with the same keys have one shape, in whatever order each holds them. An order
  /// that was met before is recognized by the bytes of its keys, without a text being made of any.
  struct Shapes {
    /// An order in which dictionaries hold the keys of a shape.
    struct Variant {
      /// The index of the shape.
      var shape: Int
      /// For each key of the shape, its place in the dictionary.
      var places: [Int]
      /// The bytes of the keys, each after its length.
      fileprivate var bytes: [UInt8]
    }

    /// The keys of each shape, as they would be archived, in the order of their bytes.
    private(set) var keys: [[String]] = []
    private(set) var variants: [Variant] = []
    private var shapeNumbers: [[String]: Int] = [:]
    /// The variants whose keys have a hash.
    private var indices: [Int: [Int]] = [:]
    /// The bytes of the keys that are looked at.
    private var bytes: [UInt8] = []

    /// The variant of a dictionary; nil if it cannot be a record: see `RecordRules`.
    mutating func variant(
      of elements: GraphElements, _ graph: any ObjectGraph
    ) throws(ArchiveError) -> Int? {
      guard elements.count <= RecordRules.maxKeys else { return nil }
      bytes.removeAll(keepingCapacity: true)
      for position in 0..<elements.count {
        guard case .text(let text) = try graph.key(of: elements, at: position) else { return nil }
        switch text.encoding {
        case .utf8: guard unsafe append(text.bytes.buffer) else { return nil }
        case .utf16:
          guard let string = text.exactString, append(string.utf8) else {
            return nil
          }
        }
      }
      return variant()
    }

    /// The variant with some keys, of a shape that has them in the same order; nil if no record can
    /// have them.
    mutating func variant(ofOrdered names: [String]) -> Int? {
      guard names.count <= RecordRules.maxKeys else { return nil }
      bytes.removeAll(keepingCapacity: true)
      for name in names {
        guard append(ArchivedName.plain(name).utf8) else { return nil }
      }
      return variant(isOrdered: true)
    }

    /// Appends a key; returns whether a record can have it.
    private mutating func append(_ key: some Collection<UInt8>) -> Bool {
      guard !key.isEmpty, key.count <= RecordRules.maxKeyLength,
        key.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { return false }
      bytes.append(UInt8(truncatingIfNeeded: key.count))
      bytes.append(contentsOf: key)
      return true
    }

    /// The variant of the keys that were appended.
    private mutating func variant(isOrdered: Bool = false) -> Int? {
      // No key is that long.
      if isOrdered { bytes.append(UInt8.max) }
      var hasher = Hasher()
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      let hash = hasher.finalize()
      if let known = indices[hash]?.first(where: { variants[$0].bytes == bytes }) { return known }
      guard let new = newVariant(isOrdered: isOrdered) else { return nil }
      variants.append(new)
      indices[hash, default: []].append(variants.count - 1)
      return variants.count - 1
    }

    private mutating func newVariant(isOrdered: Bool) -> Variant? {
      var names: [String] = []
      var rest = bytes.dropLast(isOrdered ? 1 : 0)
      while let count = rest.popFirst() {
        let name = String(decoding: rest.prefix(Int(count)), as: UTF8.self)
        // Top-level keys are as they are archived.
        names.append(isOrdered ? ArchivedName.text(name) : ArchivedKey.escaped(name))
        rest = rest.dropFirst(Int(count))
      }
      // A key that stands there twice has no one value.
      guard Set(names).count == names.count, !names.contains("$class") else { return nil }
      let places =
        isOrdered
        ? Array(names.indices)
        : names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
      let ordered = places.map { names[$0] }
      let shape = shapeNumbers[ordered] ?? keys.count
      if shape == keys.count {
        keys.append(ordered)
        shapeNumbers[ordered] = shape
      }
      return Variant(shape: shape, places: places, bytes: bytes)
    }
  }
}
