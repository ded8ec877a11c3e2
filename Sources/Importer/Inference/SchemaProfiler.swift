import ArchiveReader
import DataModel
import Support

/// Takes the profile of everything that the top-level keys of an archive reach.
///
/// It walks the archive by itself (`take`), or goes along with an import, which hands over what it
/// reads (`init(observing:_:)`): the profile is the same, since both come by objects in the same
/// order.
///
/// The walk checks whatever an import touches: an archive that passes does not fail later on.
///
/// - Complexity: Linear in the values reached. Takes a bit for each archived object, and four bytes
///   for each that is visited.
package struct SchemaProfiler {
  /// The traversal of a walk of its own; nil where it goes along with an import.
  var route: GraphTraversal?
  var profile = SchemaProfile()
  /// For each class of the graph, its index in the profile; -1 where it was not met.
  private var profileIndices: [Int] = []
  /// The number of classes that were met and have one.
  private var registeredCount = 0
  var tallies = ShapeTallies()
  let limits: ReadingLimits
  var budget: ExpansionBudget
  var collectionKeys = 0
  /// The collections of the object that is being visited, which are looked into at its end.
  private var openCollections: [OpenCollection] = []
  /// The values of the object that is being visited.
  var values: [GraphValue] = []
  /// The seed that tells pairs of entries apart, also those of one archive from those of any other:
  /// the same numbers stand for other objects there.
  private(set) var seed = UInt64.random(in: .min ... .max)
  /// The findings in the collection that is looked into.
  var current = CollectionVisit()
  /// The members of the collection that is visited: tells one that stands in it twice.
  var members: MarkedEntries
  /// The class of the row that a top-level key or a nested collection held last.
  var lastUnownedTarget = -1
  /// The positions in a shape of the keys that may be those of the inverse, as long as a collection
  /// is visited.
  var inversePositions: (shape: Int, positions: [Int])?

  /// The most keys of a member that are looked at for its owner: one is the rule.
  static let maxInverseKeys = 16

  struct OpenCollection {
    var id: CollectionID
    var kind: CollectionKind
    /// The position of its key among those of the object.
    var position: Int
  }

  /// One that goes along with an import.
  package init(observing archive: any GraphSource, _ limits: ReadingLimits) {
    self.init(archive, limits, isNested: false, nil)
  }

  init(
    _ archive: any GraphSource, _ limits: ReadingLimits, isNested: Bool, _ route: GraphTraversal?
  ) {
    self.route = route
    self.limits = limits
    budget = ExpansionBudget(archive, limits, isNested: isNested)
    members = MarkedEntries(count: archive.objectCount)
  }

  // MARK: The walk

  mutating func walk(_ graph: any ObjectGraph) throws(ArchiveError) -> SchemaProfile {
    defer { route?.ticker.end() }
    var visited = ArchiveError.Position.topLevel
    do throws(ArchiveError) {
      for entry in graph.source.roots {
        visited = .topLevelKey(entry.key)
        try visitUnowned(try graph.value(of: entry), at: visited, graph)
      }
      var next = 0
      while let (uid, id) = try graph.ownObject(from: next) {
        visited = .object(uid, key: nil)
        let index = profileIndex(of: id, graph)
        profile.update(index) { $0.isOwn = true }
        _ = admit(uid, index)
        next = uid + 1
      }
      while let next = route?.takeNext() {
        switch next {
        case .object(let uid):
          visited = .object(uid, key: nil)
          try visit(try graph.object(uid), graph)
          route?.tick(graph)
        case .collection(let id, let kind, let place):
          visited = place
          try visitUnownedElements(id, kind, at: place, graph)
        }
      }
      route?.ticker.share = 1
    } catch {
      throw error.placed(at: visited)
    }
    endArchive(graph)
    if let store = graph.source as? any ModelledSource {
      profile.declare(store.modelSource)
    } else {
      profile.declared = .various
    }
    return finish()
  }

  /// Ends an archive, when all of it was visited.
  package mutating func endArchive(_ graph: any ObjectGraph) {
    registerClasses(graph)
    profile.unreachedObjects += graph.countUnreachedObjects()
    profile.addUnreadKeys(of: graph.source)
    for id in graph.nonconformingClasses {
      profile.nonconformingClasses.insert(graph.classes[id.index].name)
    }
  }

  /// Goes along with the import of another archive: what it counts adds up.
  package mutating func reset(to archive: any GraphSource) {
    budget = ExpansionBudget(archive, limits, isNested: false)
    members.reset(count: archive.objectCount)
    registeredCount = 0
    seed = .random(in: .min ... .max)
  }

  /// Everything that was counted.
  package consuming func finish() -> SchemaProfile {
    tallies.add(to: &profile)
    return profile
  }

  private mutating func visit(
    _ object: GraphObject, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    let tally = try begin(object, graph)
    try graph.read(object, into: &values)
    for position in 0..<object.keyCount where isKey(position, tally) {
      try note(values[position], position, tally, graph)
    }
    try end(object, tally, graph)
  }

  // MARK: Objects

  /// Begins to visit an object; returns the number of the tally that its values are noted with.
  package mutating func begin(
    _ object: GraphObject, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> Int {
    let index = profileIndex(of: object.class, graph)
    guard profile.classes.count <= limits.classes else {
      throw limits.exceeded(.classes, at: .object(object.uid, key: "$class"))
    }
    openCollections.removeAll(keepingCapacity: true)
    if let known = tallies.begin(shape: object.shape, class: index) { return known }
    let properties = graph.keys(ofShape: object.shape).map { key in
      key == "$class" ? -1 : profile.update(index) { $0.index(of: key) }
    }
    return tallies.begin(shape: object.shape, class: index, properties: properties)
  }

  /// True if the value at a position of an object is that of a key, and not its class.
  func isKey(_ position: Int, _ tally: Int) -> Bool { tallies.property(position, tally) >= 0 }

  /// Notes what stands under a key of the object.
  @inline(__always)
  package mutating func note(
    _ value: GraphValue, _ position: Int, _ tally: Int, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    try budget.spend(on: value, graph)
    tallies.note(ValueKinds(value, graph), position, tally)
    switch value {
    case .object(let uid, let id):
      let target = profileIndex(of: id, graph)
      let isCounted = admit(uid, target)
      if !isCounted || tallies.noteReference(to: target, position, tally) {
        profile.note(
          target: target, class: tallies.class(of: tally),
          property: tallies.property(position, tally))
      }
    case .collection(let id, let kind):
      // An import hands over their elements itself.
      guard route != nil else { return }
      openCollections.append(OpenCollection(id: id, kind: kind, position: position))
    default:
      break
    }
  }

  /// Ends the visit of an object with its collections.
  private mutating func end(
    _ object: GraphObject, _ tally: Int, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    for collection in openCollections {
      do throws(ArchiveError) {
        try visitElements(collection, of: object, tally, graph)
      } catch {
        let key = graph.keys(ofShape: object.shape)[collection.position]
        throw error.placed(at: .object(object.uid, key: key))
      }
    }
  }

  // MARK: Samples

  /// Lets an object have its turn; returns whether it is to be counted.
  @inline(__always)
  mutating func admit(_ uid: Int, _ classIndex: Int) -> Bool {
    route?.admit(uid, classIndex) ?? true
  }

  /// The positions of the elements of a collection that are looked at.
  func positions(in elements: GraphElements) -> StrideTo<Int> {
    stride(from: 0, to: elements.count, by: route?.sample?.step(over: elements.count) ?? 1)
  }

  // MARK: Places in the profile

  @inline(__always)
  mutating func profileIndex(of id: ClassID, _ graph: any ObjectGraph) -> Int {
    if profileIndices.count <= id.index || profileIndices[id.index] < 0 { registerClasses(graph) }
    return profileIndices[id.index]
  }

  /// Gives all classes that the graph has met an index in the profile.
  private mutating func registerClasses(_ graph: any ObjectGraph) {
    while profileIndices.count < graph.classes.count { profileIndices.append(-1) }
    while registeredCount < graph.metClasses.count {
      let id = graph.metClasses[registeredCount]
      registeredCount += 1
      let record = graph.classes[id.index]
      let index = profile.index(of: record.name)
      profile.update(index) { found in
        if found.hierarchy.isEmpty { found.hierarchy = record.hierarchy }
        if found.hints.isEmpty { found.hints = record.hints }
      }
      profileIndices[id.index] = index
    }
  }
}

/// The profiling of objects that an import reads otherwise than straight.
extension SchemaProfiler {
  /// Visits an object, and looks into its collections.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - leading: The positions of the keys from which the import goes on to other objects.
  ///   - graph: The graph that reads it.
  /// - Throws: `ArchiveError.unplanned` if it refers to others under a key from which the import
  ///   does not go on, or inside of collections in one another.
  package mutating func observe(
    _ object: GraphObject, leading: [Int], _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    let tally = try begin(object, graph)
    try graph.read(object, into: &values)
    for position in 0..<object.keyCount where isKey(position, tally) {
      let value = values[position]
      try note(value, position, tally, graph)
      switch value {
      case .object, .collection:
        guard leading.contains(position) else { throw .unplanned }
      default: break
      }
      guard case .collection(let id, let kind) = value else { continue }
      let elements = try graph.elements(of: id, kind)
      try begin(elements, of: object, at: position, tally)
      for place in 0..<elements.count {
        let element = try graph.element(of: elements, at: place)
        try note(element, graph)
        switch (element.key, element.value) {
        case (.object?, _), (.collection?, _), (_, .collection): throw .unplanned
        default: break
        }
      }
      endElements()
    }
  }
}
