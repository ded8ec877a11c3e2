import GraphCore

/// Checks that a source keeps the laws of the waist.
///
/// - Parameters:
///   - source: The source.
///   - options: The options of its graphs.
///   - other: A source of the same kind, which a graph reads before.
/// - Returns: The laws that it breaks, at most 100 places; none for one that is sound. An error in
///   the source itself, such as a reference to nothing, is no fault.
/// - Complexity: Linear in the values that are reached, and in the number of objects.
package func checkGraph(
  _ source: any GraphSource, _ options: GraphOptions = GraphOptions(),
  after other: (any GraphSource)? = nil
) -> [GraphFault] {
  var options = options
  (options.isReused, options.countsUnreached) = (true, true)
  var checker = GraphChecker(source, options)
  checker.check()
  if let other {
    let graph = other.makeGraph(options)
    var unread = GraphChecker.Transcript(graph)
    _ = unread.text()
    if graph.reset(to: source) {
      var again = GraphChecker.Transcript(graph)
      if again.text() != checker.transcript { checker.fault(.reset, "after another source") }
    }
  }
  return checker.faults
}

/// Reads everything in a source, and notes which laws it breaks.
struct GraphChecker {
  private let source: any GraphSource
  private let graph: any ObjectGraph
  private let options: GraphOptions
  private(set) var faults: [GraphFault] = []
  /// The first reading of the graph, in words.
  private(set) var transcript = ""
  private var pendingCollections: [(id: CollectionID, kind: CollectionKind)] = []
  private var seenCollections: Set<CollectionID> = []

  init(_ source: any GraphSource, _ options: GraphOptions) {
    (self.source, self.options) = (source, options)
    graph = source.makeGraph(options)
  }

  mutating func fault(_ law: GraphFault.Law, _ place: String) {
    if faults.count < 100 { faults.append(GraphFault(law: law, place: place)) }
  }

  mutating func check() {
    for (index, root) in source.roots.enumerated() {
      if root.index != index { fault(.roots, "root \(index) says that it is \(root.index)") }
      if let value = try? graph.value(of: root) { check(value, "root \(index)") }
    }
    for uid in 0..<source.objectCount {
      guard let value = try? graph.value(ofObject: uid) else { continue }
      check(value, "object \(uid)")
      if case .object(let target, _) = value { check(object: target) }
    }
    while let (id, kind) = pendingCollections.popLast() { check(id, kind) }
    for uid in [-1, source.objectCount, .max] {
      if (try? graph.object(uid)) != nil { fault(.wrongNumbers, "object \(uid)") }
      if (try? graph.value(ofObject: uid)) != nil, source.losses.isEmpty {
        fault(.wrongNumbers, "the value of object \(uid)")
      }
    }
    // Those of an archive in a store are none of the store's.
    let most = source.holdsEveryObject ? Int.max : source.objectCount
    if !(0...most).contains(graph.countUnreachedObjects()) {
      fault(.unreached, "\(graph.countUnreachedObjects()) of \(source.objectCount)")
    }
    checkRepetition()
  }

  private mutating func checkRepetition() {
    var (first, second) = (Transcript(graph), Transcript(graph))
    transcript = first.text()
    if second.text() != transcript { fault(.repeatable, "the same graph") }
    var other = Transcript(source.makeGraph(options))
    if other.text() != transcript { fault(.repeatable, "another graph") }
    let copy = graph.copy()
    for uid in 0..<source.objectCount {
      // Both are asked, since what is met first has the lower number.
      let (object, again) = (try? graph.object(uid), try? copy.object(uid))
      if object?.class != again?.class || object?.shape != again?.shape {
        fault(.copies, "object \(uid)")
      }
    }
    var copied = Transcript(copy)
    if copy === graph || copied.text() != transcript { fault(.copies, "a copy") }
  }

  // MARK: Objects

  private mutating func check(object uid: Int) {
    guard let object = try? graph.object(uid) else { return }
    if object.uid != uid { fault(.identity, "object \(uid) says that it is \(object.uid)") }
    check(object.class, "object \(uid)")
    let keys = graph.keys(ofShape: object.shape)
    if keys.count != object.keyCount || Set(keys).count != keys.count {
      return fault(.shapes, "object \(uid)")
    }
    var values: [GraphValue] = []
    let areRead = (try? graph.read(object, into: &values)) != nil
    for (position, key) in keys.enumerated() {
      let place = "object \(uid), key \(position)"
      if graph.position(of: key, in: object) != position { fault(.shapes, place) }
      guard let value = try? graph.value(of: object, at: position) else { continue }
      if key != "$class" {
        check(value, place)
        if areRead, !isSame(values[position], value) { fault(.values, place) }
      }
      guard let target = graph.reference(of: object, at: position),
        let referred = try? graph.value(ofObject: target)
      else { continue }
      if !(0..<source.objectCount).contains(target)
        || !isSame(referred, value)
      {
        fault(.references, place)
      }
    }
  }

  private mutating func check(_ id: ClassID, _ place: String) {
    if !graph.classes.indices.contains(id.index) || !graph.metClasses.contains(id) {
      fault(.classes, place)
    }
  }

  // MARK: Values

  private mutating func check(_ value: GraphValue, _ place: String) {
    switch value {
    case .text(let text):
      if !isSound(text) { fault(.bytes, place) }
    case .url(let text):
      if text.encoding != .utf8 || !isSound(text) { fault(.bytes, place) }
    case .uuid(let bytes):
      if bytes.count != 16 { fault(.bytes, place) }
    case .relativeURL(let uid):
      if graph.urlText(uid) == nil { fault(.bytes, place) }
    case .className(let id):
      check(id, place)
    case .foundation(let uid, let id):
      check(id, place)
      if ((try? graph.foundationValue(uid)) ?? nil) == nil
        || (try? graph.foundationByteCount(uid)) == nil
      {
        fault(.foundationValues, place)
      }
    case .object(let uid, let id):
      check(id, place)
      if !(0..<source.objectCount).contains(uid) { fault(.references, place) }
    case .collection(let id, let kind):
      if seenCollections.insert(id).inserted { pendingCollections.append((id, kind)) }
    case .null, .bool, .integer, .wideInteger, .real, .date, .data, .decimal, .nsNull:
      break
    }
  }

  private func isSame(_ left: GraphValue, _ right: GraphValue) -> Bool {
    Transcript.words(left, graph) == Transcript.words(right, graph)
  }

  private func isSound(_ text: BorrowedText) -> Bool {
    switch text.encoding {
    case .utf8: String(validating: text.bytes, as: UTF8.self) != nil
    case .utf16: text.bytes.count % 2 == 0
    }
  }

  private mutating func check(_ id: CollectionID, _ kind: CollectionKind) {
    guard let elements = try? graph.elements(of: id, kind) else { return }
    if elements.kind != kind || elements.count < 0 { return fault(.collections, "\(id)") }
    for position in 0..<elements.count {
      let place = "\(id), element \(position)"
      if let value = try? graph.value(of: elements, at: position) { check(value, place) }
      if kind.isKeyed, let key = try? graph.key(of: elements, at: position) {
        check(key, "the key of \(place)")
      }
    }
  }
}
