extension ArchiveInspection {
  /// Inspects an archive.
  ///
  /// - Complexity: Linear in the number of values. Takes about twelve bytes for each object and
  ///   four for each reference.
  public init(
    _ archive: KeyedArchive, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    self.init()
    do throws(ArchiveError) {
      try count(archive, limits)
    } catch {
      throw archive.propertyList.explained(error)
    }
  }

  private mutating func count(
    _ archive: KeyedArchive, _ limits: ReadingLimits
  ) throws(ArchiveError) {
    let graph = try ReferenceGraph(archive, limits: limits)
    objects = archive.objectCount
    references = graph.references.count
    danglingReferences = graph.danglingReferences
    top = archive.topLevel.map { entry in
      switch archive.table.value(of: entry.node) {
      case .uid(let uid): (entry.key, .uid(uid))
      case let value: (entry.key, .inline(value.typeName))
      }
    }
    (reachable, _, isCyclic) = graph.walk(from: graph.topReferences)
    var counter = ClassCounter(archive, limits: limits)
    classes = try counter.count()
  }
}

extension KeyedArchive {
  /// The number of objects that no top-level key leads to, by whatever keys.
  ///
  /// - Complexity: Linear in the number of values.
  package func unreachableObjects(_ limits: ReadingLimits) throws(ArchiveError) -> Int {
    let graph = try ArchiveInspection.ReferenceGraph(self, limits: limits)
    return graph.walk(from: graph.topReferences).unreached
  }
}

extension Node.Value {
  /// The kind of a value in a word.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .wideInteger: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .text: "string"
    case .uid: "uid"
    case .array: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

extension ArchiveInspection {
  /// Counts the objects of each class and what stands under their keys.
  struct ClassCounter {
    private struct KeyCount {
      var key: String
      var count = 0
      var types: [String] = []
      var bounds: (least: Double, greatest: Double)?

      mutating func add(_ type: String, _ number: Double?) {
        count += 1
        if let number, number.isFinite {
          bounds = (min(bounds?.least ?? number, number), max(bounds?.greatest ?? number, number))
        }
        // Mostly it is the type that was met first.
        if types.first != type, !types.contains(type) { types.append(type) }
      }
    }

    private struct ClassCount {
      var count = 0
      /// In the order in which they were met.
      var keys: [KeyCount] = []
      var placesOfKeys: [String: Int] = [:]
      /// For each shape, where its keys stand in `keys`; -1 for `$class`.
      var places: [Int: [Int]] = [:]

      /// The position of a key in `keys`, to whose end it is added if need be.
      mutating func place(of key: String) -> Int {
        if let known = placesOfKeys[key] { return known }
        keys.append(KeyCount(key: key))
        placesOfKeys[key] = keys.count - 1
        return keys.count - 1
      }
    }

    private var reader: ObjectReader
    /// By the indices of classes.
    private var counts: [ClassCount] = []
    /// The positions of each shape's keys in the list of the class that was met last with it.
    private var lastPlaces: [(class: ClassID, places: [Int])?] = []

    init(_ archive: KeyedArchive, limits: ReadingLimits) {
      reader = ObjectReader(archive, limits: limits)
    }

    /// Counts all entries of `$objects`, whether they are reached or not.
    mutating func count() throws(ArchiveError) -> [ArchiveInspection.Class] {
      let archive = reader.archive
      let table = archive.table
      for uid in 0..<archive.objectCount {
        let node = table[archive.objects, uid]
        guard let (keys, _) = table.dictionary(at: table.offset(of: node)) else { continue }
        let shape = reader.shape(of: keys)
        guard reader.shapes[shape].classPosition != nil else { continue }
        try add(try reader.object(uid))
      }
      return result()
    }

    private mutating func add(_ object: GraphObject) throws(ArchiveError) {
      let places = places(of: object)
      let place = object.class.index
      counts[place].count += 1
      for position in places.indices where places[position] >= 0 {
        let node = reader.node(of: object, at: position)
        let type = try typeName(of: node)
        counts[place].keys[places[position]].add(
          type, reader.archive.format.hasPositions ? number(of: node) : nil)
      }
    }

    private func number(of node: Node) -> Double? {
      switch reader.table.value(of: node) {
      case .integer(let value): Double(value)
      case .real(let value): value
      default: nil
      }
    }

    /// The positions of an object's keys in the list of its class.
    private mutating func places(of object: GraphObject) -> [Int] {
      if object.shape < lastPlaces.count, let (last, places) = lastPlaces[object.shape],
        last == object.class
      {
        return places
      }
      let place = object.class.index
      while counts.count <= place { counts.append(ClassCount()) }
      while lastPlaces.count <= object.shape { lastPlaces.append(nil) }
      var places = counts[place].places[object.shape] ?? []
      if places.isEmpty {
        for key in reader.shapes[object.shape].keys {
          places.append(key == "$class" ? -1 : counts[place].place(of: key))
        }
      }
      counts[place].places[object.shape] = places
      lastPlaces[object.shape] = (object.class, places)
      return places
    }

    /// The kind of a plain value, the class of an object, or "nil".
    private mutating func typeName(of node: Node) throws(ArchiveError) -> String {
      guard case .uid(let uid) = reader.table.value(of: node) else {
        return reader.table.value(of: node).typeName
      }
      // A dangling reference is told of elsewhere.
      guard uid < reader.archive.objectCount else { return "missing" }
      let value: GraphValue
      do throws(ArchiveError) {
        value = try reader.value(ofObject: uid)
      } catch {
        guard error.code == .danglingReference else { throw error }
        return "missing"
      }
      switch value {
      case .null: return "nil"
      case .className: return "class"
      default:
        let entry = reader.table.value(of: try reader.entry(uid))
        guard case .dictionary = entry, let object = try? reader.object(uid) else {
          return entry.typeName
        }
        return reader.classes[object.class.index].name
      }
    }

    /// Classes by name: several records can have one.
    private func result() -> [ArchiveInspection.Class] {
      var classes: [String: (record: Int, count: ClassCount)] = [:]
      for (index, count) in counts.enumerated() where count.count > 0 {
        let name = reader.classes[index].name
        guard var merged = classes.removeValue(forKey: name) else {
          classes[name] = (index, count)
          continue
        }
        merged.count.count += count.count
        for more in count.keys {
          let place = merged.count.place(of: more.key)
          merged.count.keys[place].count += more.count
          merged.count.keys[place].types += more.types.filter {
            !merged.count.keys[place].types.contains($0)
          }
        }
        classes[name] = merged
      }
      return classes.map { name, found in
        var result = ArchiveInspection.Class(
          name: name, count: found.count.count, hierarchy: reader.classes[found.record].hierarchy,
          keys: found.count.keys.map { found in
            var key = ArchiveInspection.Key(key: found.key, count: found.count, types: found.types)
            key.bounds = found.bounds
            return key
          })
        result.version = reader.archive.classVersions[name]
        return result
      }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
  }
}
