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
    private var dangling: [ArchiveError] = []

    private struct Class {
      var found: ArchiveInspection.Class
      var places: [String: Int] = [:]
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
        rootTargets += try references(in: value, depth: 0)
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
      let record = graph.classRecord(of: object)
      let place = places[record.name] ?? classes.count
      if place == classes.count {
        places[record.name] = place
        classes.append(
          Class(found: .init(name: record.name, count: 0, hierarchy: record.hierarchy, keys: [])))
      }
      classes[place].found.count += 1
      for (position, key) in graph.keys(ofShape: object.shape).enumerated() where key != "$class" {
        do throws(ArchiveError) {
          let value = try graph.value(of: object, at: position)
          note(typeName(of: value), under: key, in: place)
          targets[uid] += try references(in: value, depth: 0)
        } catch {
          guard error.code == .danglingReference else { throw error }
          note("missing", under: key, in: place)
          dangling.append(error)
        }
      }
    }

    private mutating func note(_ type: String, under key: String, in place: Int) {
      let known = classes[place].places[key] ?? classes[place].found.keys.count
      if known == classes[place].found.keys.count {
        classes[place].places[key] = known
        classes[place].found.keys.append(.init(key: key, count: 0, types: []))
      }
      classes[place].found.keys[known].count += 1
      if !classes[place].found.keys[known].types.contains(type) {
        classes[place].found.keys[known].types.append(type)
      }
    }

    /// The objects that a value leads to, collections included.
    private mutating func references(
      in value: GraphValue, depth: Int
    ) throws(ArchiveError) -> [Int] {
      switch value {
      case .object(let uid, _):
        met.add(uid)
        return [uid]
      case .foundation(let uid, _): return [uid]
      case .collection(let id, let kind):
        guard depth < limits.depth else { throw limits.exceeded(.depth) }
        let elements = try graph.elements(of: id, kind)
        var found: [Int] = []
        for position in 0..<elements.count {
          if kind.isKeyed {
            found += try references(in: try graph.key(of: elements, at: position), depth: depth + 1)
          }
          found += try references(in: try graph.value(of: elements, at: position), depth: depth + 1)
        }
        return found
      default: return []
      }
    }

    /// How many objects the roots lead to, and whether there is a cycle among these.
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
