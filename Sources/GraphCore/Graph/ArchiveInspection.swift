/// The content of an archive: counts of objects, references and classes, whether reached or not.
public struct ArchiveInspection: Sendable {
  /// A class and the keys of its objects.
  public struct Class: Sendable {
    /// The name as archived.
    public var name: String
    /// The name as one would write it in Swift, where it is archived in another form.
    public var plainName: String? { SwiftName.plain(name) }
    /// Its version in a typedstream, of those that objects have the first; nil in other archives.
    public var version: Int64?
    /// The number of objects of the class in `$objects`.
    public var count: Int
    /// The class and its superclasses.
    public var hierarchy: [String]
    /// The keys of the objects, in the order in which they were met.
    public var keys: [Key]

    package init(name: String, count: Int, hierarchy: [String], keys: [Key]) {
      self.name = name
      self.count = count
      self.hierarchy = hierarchy
      self.keys = keys
    }
  }

  /// A key of a class.
  public struct Key: Sendable {
    /// The key as archived.
    public var key: String
    /// The number of objects of the class that have the key.
    public var count: Int
    /// The types of its values: kinds of plain values, and names of classes.
    public var types: [String]
    /// The least and the greatest of the finite numbers under a key of a typedstream, which is no name;
    /// nil if there is none.
    public var bounds: (least: Double, greatest: Double)?

    package init(key: String, count: Int, types: [String]) {
      self.key = key
      self.count = count
      self.types = types
    }
  }

  /// The value of a key of `$top`.
  public enum TopValue: Sendable, Equatable {
    /// A reference to an entry of `$objects`.
    case uid(Int)
    /// A value of a kind that stands in `$top` itself.
    case inline(String)
  }

  /// The keys of `$top`, in the order of the file.
  public var top: [(key: String, value: TopValue)] = []
  /// The number of entries of `$objects`.
  public var objects = 0
  /// The number of entries that are reached from `$top`, class records included.
  public var reachable = 0
  /// The number of references in the objects, those to their classes left out.
  public var references = 0
  /// True if the references that are reached from `$top` form a cycle.
  public var isCyclic = false
  /// The classes, those with the most objects first.
  public var classes: [Class] = []
  /// References to entries that do not exist: the archive is damaged.
  public var danglingReferences: [ArchiveError] = []

  package init() {}
}

extension ArchiveInspection {
  /// Counts what is in any source, by what its graph gives.
  ///
  /// A source that knows better, such as an archive with entries that are no objects, counts by
  /// itself: see `GraphSource.inspect(limits:)`.
  struct Inspector {
    private let graph: any ObjectGraph
    private let limits: ReadingLimits
    /// For each object, those that it refers to.
    private var targets: [[Int]] = []
    private var rootTargets: [Int] = []
    /// The objects that were met and are counted.
    private var met: WorkList
    private var classes: [Class] = []
    private var places: [String: Int] = [:]
    /// The classes and keys of objects of one class and shape.
    private var shapes: [Shape: Keys] = [:]
    private var dangling: [ArchiveError] = []

    private struct Class {
      var found: ArchiveInspection.Class
      var places: [String: Int] = [:]

      mutating func place(of key: String) -> Int {
        if let place = places[key] { return place }
        found.keys.append(.init(key: key, count: 0, types: []))
        places[key] = found.keys.count - 1
        return found.keys.count - 1
      }

      mutating func note(_ type: String, at place: Int) {
        found.keys[place].count += 1
        if !found.keys[place].types.contains(type) { found.keys[place].types.append(type) }
      }
    }

    private struct Shape: Hashable {
      let `class`: Int
      let shape: Int
    }

    private struct Keys {
      /// The place of the class.
      let place: Int
      /// The positions of the keys in the shape, and their places in the class.
      let places: [(position: Int, place: Int)]
    }

    init(_ source: any GraphSource, _ limits: ReadingLimits) {
      graph = source.makeGraph(GraphOptions(limits: limits))
      met = WorkList(objectCount: source.objectCount)
      self.limits = limits
    }

    mutating func inspect() throws(ArchiveError) -> ArchiveInspection {
      var inspection = ArchiveInspection()
      inspection.objects = graph.source.objectCount
      for root in graph.source.roots {
        let value = try graph.value(of: root)
        inspection.top.append((root.key, top(value)))
        var found: [Int] = []
        try addReferences(in: value, to: &found, depth: 0)
        rootTargets += found
      }
      targets = Array(repeating: [], count: graph.source.objectCount)
      if graph.source.holdsEveryObject {
        var next = 0
        while let (uid, _) = try graph.ownObject(from: next) {
          rootTargets.append(uid)
          met.add(uid)
          next = uid + 1
        }
        // Objects that are parts of values come after those that they are met in.
        while let uid = met.takeNext() { try count(uid) }
        inspection.objects = met.count
      } else {
        for uid in targets.indices { try count(uid) }
      }
      inspection.references = targets.reduce(0) { $0 + $1.count }
      (inspection.reachable, inspection.isCyclic) = walk()
      inspection.classes = classes.map(\.found).sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      inspection.danglingReferences = dangling
      return inspection
    }

    private func top(_ value: GraphValue) -> ArchiveInspection.TopValue {
      switch value {
      case .object(let uid, _), .foundation(let uid, _): .uid(uid)
      default: .inline(typeName(of: value))
      }
    }

    // MARK: Objects

    private mutating func count(_ uid: Int) throws(ArchiveError) {
      guard case .object(uid, _) = try graph.value(ofObject: uid) else { return }
      let object = try graph.object(uid)
      let keys = keys(of: object)
      classes[keys.place].found.count += 1
      var found: [Int] = []
      for (position, place) in keys.places {
        do throws(ArchiveError) {
          let value = try graph.value(of: object, at: position)
          classes[keys.place].note(typeName(of: value), at: place)
          try addReferences(in: value, to: &found, depth: 0)
        } catch {
          guard error.code == .danglingReference else { throw error }
          classes[keys.place].note("missing", at: place)
          dangling.append(error)
        }
      }
      targets[uid] = found
    }

    private mutating func keys(of object: GraphObject) -> Keys {
      let shape = Shape(class: object.class.index, shape: object.shape)
      if let keys = shapes[shape] { return keys }
      let record = graph.classRecord(of: object)
      let place = places[record.name] ?? classes.count
      if place == classes.count {
        places[record.name] = place
        classes.append(
          Class(found: .init(name: record.name, count: 0, hierarchy: record.hierarchy, keys: [])))
      }
      var positions: [(position: Int, place: Int)] = []
      for (position, key) in graph.keys(ofShape: object.shape).enumerated() where key != "$class" {
        positions.append((position, classes[place].place(of: key)))
      }
      let keys = Keys(place: place, places: positions)
      shapes[shape] = keys
      return keys
    }

    /// Adds the objects that a value leads to, collections included.
    private mutating func addReferences(
      in value: GraphValue, to found: inout [Int], depth: Int
    ) throws(ArchiveError) {
      switch value {
      case .object(let uid, _):
        met.add(uid)
        found.append(uid)
      case .foundation(let uid, _): found.append(uid)
      case .collection(let id, let kind):
        guard depth < limits.depth else { throw limits.exceeded(.depth) }
        let elements = try graph.elements(of: id, kind)
        for position in 0..<elements.count {
          if kind.isKeyed {
            let key = try graph.key(of: elements, at: position)
            try addReferences(in: key, to: &found, depth: depth + 1)
          }
          let value = try graph.value(of: elements, at: position)
          try addReferences(in: value, to: &found, depth: depth + 1)
        }
      default: break
      }
    }

    /// The number of objects that the roots lead to, and whether these form a cycle.
    private func walk() -> (reached: Int, isCyclic: Bool) {
      enum State { case new, open, done }
      var states = Array(repeating: State.new, count: targets.count)
      var isCyclic = false
      var path: [(object: Int, next: Int)] = []
      for root in rootTargets where states[root] == .new {
        states[root] = .open
        path.append((root, 0))
        while let (object, next) = path.last {
          guard next < targets[object].count else {
            states[object] = .done
            path.removeLast()
            continue
          }
          path[path.count - 1].next += 1
          let target = targets[object][next]
          if states[target] == .open { isCyclic = true }
          if states[target] == .new {
            states[target] = .open
            path.append((target, 0))
          }
        }
      }
      return (states.count { $0 != .new }, isCyclic)
    }

    /// The kind of a plain value, the class of an object, or "nil".
    private func typeName(of value: GraphValue) -> String {
      switch value {
      case .null: "nil"
      case .bool: "bool"
      case .integer, .wideInteger: "integer"
      case .real: "real"
      case .date: "date"
      case .text: "string"
      case .data: "data"
      case .className: "class"
      case .object(_, let id), .foundation(_, let id): graph.classes[id.index].name
      case .collection(_, let kind): kind.rawValue
      case .uuid, .decimal, .url, .relativeURL, .nsNull: value.knownClass?.className ?? "NSURL"
      }
    }
  }
}
