import ArchiveReader
import DataModel
import Mappings
import Stores
import Support

/// The keys that lead to the objects of a source: the shortest ways from the roots or, where objects
/// belong to the source by themselves, from such an object.
package struct ObjectRoutes {
  private let graph: any ObjectGraph
  /// The object that the ways begin at; nil for the roots, and before the first way.
  private var start: Int?
  private var isBegun = false
  /// The steps that were taken, each with the one before it, and the length of the path so far.
  private var steps: [(name: String, before: Int?, length: Int)] = []
  /// For each object that was met, the step that led to it.
  private var ways: [Int: Int] = [:]
  private var metCollections: Set<CollectionID> = []
  private var pending: [(node: Node, step: Int)] = []
  private var next = 0

  private enum Node {
    case object(Int)
    case collection(CollectionID, CollectionKind)
  }

  /// The greatest length of a path in bytes: a chain of objects can have any.
  private static let maxLength = 4_096

  /// Prepares to look for ways.
  ///
  /// - Parameter graph: The objects of the source; those that are met count as reached.
  package init(_ graph: any ObjectGraph) { self.graph = graph }

  /// The source of the objects.
  package var source: any GraphSource { graph.source }

  /// The way to an object.
  ///
  /// - Parameters:
  ///   - uid: The number of the object.
  ///   - place: Its place in the source.
  /// - Returns: The keys with dots, and the places of elements in brackets: `root.notes[3]`; nil for
  ///   an object that the source has by itself, one that nothing leads to, and a way that is too
  ///   long.
  /// - Throws: `ArchiveError` if something on the way cannot be read.
  /// - Complexity: All ways together are linear in the size of the source, where those from one
  ///   object are asked for in turn.
  package mutating func path(
    to uid: Int, at place: ObjectPlace
  ) throws(ArchiveError) -> String? {
    if graph.source.holdsEveryObject {
      guard let owner = place.owner else { return nil }
      try begin(at: owner)
    } else {
      try begin(at: nil)
    }
    while ways[uid] == nil, next < pending.count {
      let (node, step) = pending[next]
      next += 1
      switch node {
      case .object(let object): try visitObject(object, step)
      case .collection(let id, let kind):
        let elements = try graph.elements(of: id, kind)
        for position in 0..<elements.count {
          visit("[\(position)]", step, try graph.value(of: elements, at: position))
        }
      }
    }
    return ways[uid].flatMap(path)
  }

  /// The cells of `RelationalLayout.placeColumns` for an object.
  ///
  /// - Parameter uid: The number of the object.
  /// - Returns: The cells, in the order of the columns.
  /// - Throws: `ArchiveError` if something on the way to the object cannot be read.
  package mutating func cells(of uid: Int) throws(ArchiveError) -> [StoredValue] {
    let place = graph.source.place(ofObject: uid)
    return [
      StoredValue(place.row?.table), StoredValue(place.row?.id), StoredValue(place.column),
      StoredValue(try path(to: uid, at: place)), StoredValue(place.bytes.map { Int64($0.offset) }),
      StoredValue(place.bytes.map { Int64($0.count) }),
    ]
  }

  private mutating func begin(at object: Int?) throws(ArchiveError) {
    guard !isBegun || start != object else { return }
    (start, isBegun, next) = (object, true, 0)
    steps.removeAll(keepingCapacity: true)
    ways.removeAll(keepingCapacity: true)
    metCollections.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    if let object { return try visitObject(object, nil) }
    for root in graph.source.roots { visit(root.key, nil, try graph.value(of: root)) }
  }

  /// The names of the steps up to one.
  private func path(_ last: Int) -> String? {
    guard steps[last].length <= Self.maxLength else { return nil }
    var names: [String] = []
    var step: Int? = last
    while let place = step {
      names.append(steps[place].name)
      step = steps[place].before
    }
    return names.reversed().reduce("") { path, name in
      path.isEmpty || name.hasPrefix("[") ? path + name : "\(path).\(name)"
    }
  }

  private mutating func visitObject(_ uid: Int, _ step: Int?) throws(ArchiveError) {
    let object = try graph.object(uid)
    for (position, key) in graph.keys(ofShape: object.shape).enumerated()
    where key != ObjectHandle.classKey {
      visit(ArchivedKey.unescaped(key), step, try graph.value(of: object, at: position))
    }
  }

  private mutating func visit(_ name: String, _ before: Int?, _ value: GraphValue) {
    switch value {
    case .object(let uid, _), .foundation(let uid, _):
      // Others of the source's own have ways of their own.
      guard !graph.source.holdsEveryObject || uid >= graph.source.ownObjectCount,
        ways[uid] == nil
      else { return }
      ways[uid] = steps.count
      // The parts of a value are read with it.
      if case .object = value { pending.append((.object(uid), steps.count)) }
    case .collection(let id, let kind):
      guard metCollections.insert(id).inserted else { return }
      pending.append((.collection(id, kind), steps.count))
    default: return
    }
    let length = [before.map { steps[$0].length } ?? 0, name.utf8.count + 1].boundedSum
    steps.append((name, before, length))
  }
}

extension StoredValue {
  fileprivate init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  fileprivate init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
}
