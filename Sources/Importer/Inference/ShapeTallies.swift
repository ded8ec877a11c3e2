extension SchemaProfiler {
  /// The findings under the keys of objects, counted for each shape and class: so an object costs
  /// no look at its class's properties.
  struct ShapeTallies {
    /// The objects of a class that have a shape.
    private struct Tally {
      var `class`: Int
      /// The index of the first of its keys in `keys`.
      var firstKey: Int
      var keyCount: Int
      var objects = 0
    }

    /// The findings under a key.
    private struct KeyTally {
      /// Its place among the properties of the class; -1 for `$class`.
      var property: Int
      var kinds: ValueKinds = []
      /// The number of values that are rows.
      var references = 0
      /// The class of the row met last.
      var lastTarget = -1
    }

    private struct ShapeClass: Hashable {
      var shape: Int
      var `class`: Int
    }

    private var tallies: [Tally] = []
    private var keys: [KeyTally] = []
    private var indices: [ShapeClass: Int] = [:]
    /// For each shape, the tally of the class met last; -1 if there is none.
    private var last: [Int] = []

    /// Forgets everything.
    mutating func removeAll() {
      tallies.removeAll(keepingCapacity: true)
      keys.removeAll(keepingCapacity: true)
      indices.removeAll(keepingCapacity: true)
      for shape in last.indices { last[shape] = -1 }
    }

    /// Counts an object of a shape and a class, if they were met before; returns their tally.
    mutating func begin(shape: Int, class place: Int) -> Int? {
      guard shape < last.count, last[shape] >= 0 else { return nil }
      if tallies[last[shape]].class != place {
        guard let index = indices[ShapeClass(shape: shape, class: place)] else { return nil }
        last[shape] = index
      }
      tallies[last[shape]].objects += 1
      return last[shape]
    }

    /// Counts the first object of a shape and a class; returns their tally.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - place: The place of the class in the profile.
    ///   - properties: For each key, its place among the properties of the class; -1 for `$class`.
    /// - Returns: The tally.
    mutating func begin(shape: Int, class place: Int, properties: [Int]) -> Int {
      let index = tallies.count
      tallies.append(
        Tally(class: place, firstKey: keys.count, keyCount: properties.count, objects: 1))
      keys += properties.map { KeyTally(property: $0) }
      indices[ShapeClass(shape: shape, class: place)] = index
      while last.count <= shape { last.append(-1) }
      last[shape] = index
      return index
    }

    /// The place of a tally's class in the profile.
    func `class`(of tally: Int) -> Int { tallies[tally].class }

    /// The place of a key among the properties of its class; -1 for `$class`.
    func property(_ position: Int, _ tally: Int) -> Int {
      keys[tallies[tally].firstKey + position].property
    }

    /// Notes a value under a key.
    mutating func note(_ kinds: ValueKinds, _ position: Int, _ tally: Int) {
      keys[tallies[tally].firstKey + position].kinds.formUnion(kinds)
    }

    /// Notes that the value under a key is a row; returns whether the one before was of another
    /// class.
    mutating func noteReference(to target: Int, _ position: Int, _ tally: Int) -> Bool {
      let key = tallies[tally].firstKey + position
      keys[key].references += 1
      guard keys[key].lastTarget != target else { return false }
      keys[key].lastTarget = target
      return true
    }

    /// Adds what was counted to a profile, in which the properties have their places.
    func add(to profile: inout SchemaProfile) {
      for tally in tallies {
        profile.update(tally.class) { $0.count += tally.objects }
        for key in keys[tally.firstKey..<tally.firstKey + tally.keyCount] where key.property >= 0 {
          profile.add(
            key.kinds, references: key.references, objects: tally.objects, class: tally.class,
            property: key.property)
        }
      }
    }
  }
}
