import Foundation

extension UnwrappedSource {
  /// The objects of a source without its wrappers.
  ///
  /// It reads through the source's own graph: classes, shapes and objects have the same numbers.
  final class Graph: LayeredGraph {
    let inner: any ObjectGraph
    private let options: GraphOptions
    /// The source without wrappers; nil for one that has none.
    private var unwrapped: UnwrappedSource?
    /// The wrappers whose chains were followed to their ends, where it counts what was reached.
    private var followed: Set<Int> = []

    init(_ source: UnwrappedSource, _ inner: any ObjectGraph, _ options: GraphOptions) {
      (unwrapped, self.inner, self.options) = (source, inner, options)
    }

    private init(copying other: Graph) {
      (unwrapped, inner, options) = (other.unwrapped, other.inner.copy(), other.options)
      followed = other.followed
    }

    func copy() -> any ObjectGraph { Graph(copying: self) }

    var source: any GraphSource { unwrapped ?? inner.source }
    var classes: [ClassRecord] { inner.classes }
    var metClasses: [ClassID] { inner.metClasses }
    var nonconformingClasses: Set<ClassID> { inner.nonconformingClasses }
    func keys(ofShape shape: Int) -> [String] { inner.keys(ofShape: shape) }

    func reset(to source: any GraphSource) -> Bool {
      let next = source as? UnwrappedSource
      guard options.isReused, inner.reset(to: next?.base ?? source) else { return false }
      (unwrapped, followed) = (next, [])
      return true
    }

    // MARK: Values

    /// A value of the source's graph, as it is here.
    @inline(__always)
    private func own(_ value: GraphValue) throws(ArchiveError) -> GraphValue {
      guard case .object(let uid, _) = value, let wrapper = unwrapped?.index[uid] else {
        return value
      }
      return try self.value(heldBy: uid, wrapper)
    }

    private func value(
      heldBy uid: Int, _ wrapper: WrapperIndex.Wrapper
    ) throws(ArchiveError) -> GraphValue {
      if options.countsUnreached { try follow(uid) }
      let (holder, position) = try self.holder(wrapper)
      return try inner.value(of: holder, at: position)
    }

    /// The object that holds what a wrapper is replaced by, and the position of its key.
    private func holder(
      _ wrapper: WrapperIndex.Wrapper
    ) throws(ArchiveError) -> (object: GraphObject, position: Int) {
      (try inner.object(wrapper.last), unwrapped?.index[wrapper.last]?.position ?? wrapper.position)
    }

    /// Lets the source's graph see that wrappers lead to each other: once for each.
    private func follow(_ uid: Int) throws(ArchiveError) {
      var next: Int? = uid
      while let uid = next, let wrapper = unwrapped?.index[uid], followed.insert(uid).inserted {
        _ = try inner.value(of: inner.object(uid), at: wrapper.position)
        next = wrapper.next
      }
    }

    func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
      try own(try inner.value(of: root))
    }

    func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
      try own(try inner.value(ofObject: uid))
    }

    func object(_ uid: Int) throws(ArchiveError) -> GraphObject { try inner.object(uid) }

    func values(
      of object: GraphObject, into values: inout MutableSpan<GraphValue>
    ) throws(ArchiveError) {
      try inner.values(of: object, into: &values)
      for position in 0..<object.keyCount { values[position] = try own(values[position]) }
    }

    func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
      try own(try inner.value(of: object, at: position))
    }

    func reference(of object: GraphObject, at position: Int) -> Int? {
      guard let uid = inner.reference(of: object, at: position) else { return nil }
      guard let wrapper = unwrapped?.index[uid] else { return uid }
      guard let (holder, position) = try? self.holder(wrapper) else { return nil }
      return inner.reference(of: holder, at: position)
    }

    // MARK: Collections

    func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
      try own(try inner.value(of: elements, at: position))
    }

    func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
      try own(try inner.key(of: elements, at: position))
    }

    func archivedData(
      of object: GraphObject, at position: Int, limits: ReadingLimits
    ) throws(ArchiveError) -> Data? {
      try inner.archivedData(of: object, at: position, limits: limits)
    }
  }
}
