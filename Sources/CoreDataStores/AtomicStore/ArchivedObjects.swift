import ArchiveReader
import GraphCore

/// The objects of an archive that stand as values in a store, with all that they refer to.
///
/// They are objects of the store's graph, too, with numbers after those of the store's own.
struct ArchivedObjects: Sendable {
  let archive: KeyedArchive
  /// Their UIDs in the archive, in the order of their numbers.
  private(set) var uids: [Int] = []
  private var places: [Int: Int] = [:]
  /// The values from which they are reached.
  private let roots: [AtomicObjects.Value]

  /// Finds the objects.
  ///
  /// - Parameters:
  ///   - archive: The archive that they are in.
  ///   - values: The values of the store.
  /// - Complexity: Linear in what the values refer to.
  init(_ archive: KeyedArchive, valuesOf values: [AtomicObjects.Value]) {
    self.archive = archive
    roots = values.filter {
      switch $0 {
      case .archived, .archivedCollection: true
      default: false
      }
    }
    var pending: [Node] = []
    var seen: Set<Node> = []
    for root in roots {
      switch root {
      case .archived(let uid): add(uid, &pending)
      case .archivedCollection(let index, _): pending.append(Node(index: index))
      default: break
      }
      while let node = pending.popLast() { visit(node, &pending, &seen) }
    }
  }

  /// True if no value of the store is an object or a collection.
  var isEmpty: Bool { roots.isEmpty }

  /// The place of an object among them; nil if it is not one of them.
  func place(of uid: Int) -> Int? { places[uid] }

  private mutating func add(_ uid: Int, _ pending: inout [Node]) {
    guard uid > 0, uid < archive.objectCount, places[uid] == nil else { return }
    places[uid] = uids.count
    uids.append(uid)
    pending.append(archive.table[archive.objects, uid])
  }

  private mutating func visit(_ node: Node, _ pending: inout [Node], _ seen: inout Set<Node>) {
    let table = archive.table
    switch table.value(of: node) {
    case .uid(let uid): add(uid, &pending)
    case .array(let run), .set(let run):
      guard seen.insert(node).inserted else { return }
      for position in 0..<run.count { pending.append(table[run, position]) }
    case .dictionary(let keys, let run):
      guard seen.insert(node).inserted else { return }
      for position in 0..<run.count where table.string(at: table[keys, position]) != "$class" {
        pending.append(table[run, position])
      }
    default: break
    }
  }

  // MARK: As a graph reads them

  /// The objects that a graph gives as objects or values by themselves.
  ///
  /// The others are parts of values such as colours.
  ///
  /// - Parameter graph: The graph of the archive.
  /// - Returns: Their UIDs.
  /// - Complexity: Linear in what the values refer to.
  func reached(by graph: ArchiveGraph) -> Set<Int> {
    var reached: Set<Int> = []
    var collections: Set<CollectionID> = []
    var pending = roots
    func reach(_ uid: Int?, _ value: GraphValue?) {
      if let uid {
        if places[uid] != nil, reached.insert(uid).inserted { pending.append(.archived(uid)) }
      } else if case .collection(.inline(let index), let kind) = value {
        pending.append(.archivedCollection(index, kind))
      }
    }
    while let next = pending.popLast() {
      let value: GraphValue?
      switch next {
      case .archived(let uid):
        reached.insert(uid)
        value = try? graph.value(ofObject: uid)
      case .archivedCollection(let index, let kind): value = .collection(.inline(index), kind)
      default: continue
      }
      switch value {
      case .object(let uid, _):
        guard let object = try? graph.object(uid) else { continue }
        for (position, key) in graph.keys(ofShape: object.shape).enumerated() where key != "$class"
        {
          reach(
            graph.reference(of: object, at: position), try? graph.value(of: object, at: position))
        }
      case .collection(let id, let kind):
        guard collections.insert(id).inserted, let elements = try? graph.elements(of: id, kind)
        else { continue }
        for position in 0..<elements.count {
          reach(
            graph.reference(of: elements, at: position),
            try? graph.value(of: elements, at: position))
          guard kind.isKeyed else { continue }
          reach(
            graph.reference(ofKeyIn: elements, at: position),
            try? graph.key(of: elements, at: position))
        }
      default: break
      }
    }
    return reached
  }
}
