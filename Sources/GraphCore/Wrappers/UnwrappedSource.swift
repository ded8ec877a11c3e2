import Foundation

/// A source that is read without its wrappers: objects of some classes that hold one thing and no
/// more, such as boxes and weak references.
///
/// Wherever one is referred to, what it holds is there instead. Everything else is as the source
/// has it.
package final class UnwrappedSource: LayeredSource {
  /// The source with its wrappers.
  package let base: any GraphSource
  let index: WrapperIndex

  /// The source without its wrappers; the source itself if it has none, or if it is damaged:
  /// whoever reads it meets the damage.
  ///
  /// - Parameters:
  ///   - base: The source.
  ///   - classNames: The names of the classes, as archived or as in Swift.
  ///   - options: The limits on following chains of references.
  /// - Returns: The source.
  /// - Complexity: Linear in the values that are reached, if there are any such classes.
  package static func make(
    _ base: any GraphSource, _ classNames: Set<String>, _ options: GraphOptions
  ) -> any GraphSource {
    guard !classNames.isEmpty, !base.holdsEveryObject, base.keepsBytes,
      let index = try? WrapperIndex(base, classNames, options), index.count > 0
    else { return base }
    return UnwrappedSource(base, index)
  }

  private init(_ base: any GraphSource, _ index: WrapperIndex) {
    (self.base, self.index) = (base, index)
  }

  package var residentBytes: Int { base.residentBytes + index.byteCount }
  package var objectCount: Int { base.objectCount }
  package var valueCount: Int { base.valueCount }
  package var roots: [GraphRoot] { base.roots }
  package var mayHoldDictionaries: Bool { base.mayHoldDictionaries }

  package func number(ofObject uid: Int) -> Int64 { base.number(ofObject: uid) }
  package func makeNumberLookup() -> (_ number: Int64, _ className: String) -> Int? {
    base.makeNumberLookup()
  }
  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    Graph(self, base.makeGraph(options), options)
  }
}

extension GraphSource {
  /// The source as it was opened: with its wrappers, and its records as dictionaries.
  package var underlying: any GraphSource {
    let source = withoutRecords
    return (source as? UnwrappedSource)?.base ?? source
  }

  /// The version of a class; `NSNotFound` where it is not known.
  package func classVersion(_ name: String) -> Int {
    underlying.classVersions[name].flatMap { Int(exactly: $0) } ?? Int.max
  }

  /// The number of wrappers that it is read without.
  package var wrapperCount: Int { (withoutRecords as? UnwrappedSource)?.index.count ?? 0 }
}

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
