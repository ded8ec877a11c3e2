import Foundation

extension RecordSource {
  /// The objects of a source, dictionaries that are records among them.
  ///
  /// It reads through the source's own graph. The classes of records have the lowest numbers, those
  /// of the source follow; the shapes of records have odd numbers, those of the source even ones.
  final class Graph: LayeredGraph {
    let inner: any ObjectGraph
    private let rules: RecordRules
    private let isReused: Bool
    /// The source with records, and which they are; nil for one without any.
    private var records: RecordSource?
    private var shapes = Shapes()
    private(set) var classes: [ClassRecord]
    private(set) var metClasses: [ClassID] = []
    /// The number of classes met by the source's graph that are among those.
    private var innerMetCount = 0
    private var hasMet: [Bool]
    /// The record that was met last.
    private var last: (uid: Int, elements: GraphElements)?

    init(_ source: RecordSource, _ inner: any ObjectGraph, _ options: GraphOptions) {
      (records, rules, self.inner) = (source, source.rules, inner)
      isReused = options.isReused
      classes = source.rules.classes
      hasMet = Array(repeating: false, count: source.rules.classes.count)
    }

    private init(copying other: Graph) {
      (inner, rules, isReused) = (other.inner.copy(), other.rules, other.isReused)
      (records, shapes, classes) = (other.records, other.shapes, other.classes)
      (metClasses, innerMetCount, hasMet) = (other.metClasses, other.innerMetCount, other.hasMet)
    }

    func copy() -> any ObjectGraph { Graph(copying: self) }

    var source: any GraphSource { records ?? inner.source }

    var nonconformingClasses: Set<ClassID> { Set(inner.nonconformingClasses.map(moved)) }

    func keys(ofShape shape: Int) -> [String] {
      shape & 1 == 1 ? shapes.keys[shape >> 1] : inner.keys(ofShape: shape >> 1)
    }

    func reset(to source: any GraphSource) -> Bool {
      let next = source as? RecordSource
      guard isReused, next.map({ $0.rules == rules }) ?? true,
        shapes.variants.count < Self.maxKeptVariants, inner.reset(to: source.withoutRecords)
      else { return false }
      records = next
      (metClasses, innerMetCount, last) = ([], 0, nil)
      for index in hasMet.indices { hasMet[index] = false }
      return true
    }

    private static let maxKeptVariants = 4096

    // MARK: Classes

    private func moved(_ id: ClassID) -> ClassID {
      ClassID(index: id.index + rules.classes.count)
    }

    /// Adds the classes that the source's graph has met meanwhile.
    private func noteInnerClasses() {
      let found = inner.classes
      let own = rules.classes.count
      if classes.count - own < found.count {
        classes += found[(classes.count - own)...]
      }
      let met = inner.metClasses
      while innerMetCount < met.count {
        metClasses.append(moved(met[innerMetCount]))
        innerMetCount += 1
      }
    }

    private func meet(_ id: ClassID) {
      guard !hasMet[id.index] else { return }
      hasMet[id.index] = true
      metClasses.append(id)
    }

    // MARK: Values

    /// A value of the source's graph, as it is here.
    @inline(__always)
    private func own(_ value: GraphValue) -> GraphValue {
      switch value {
      case .object(let uid, let id): return .object(uid: uid, class: moved(id))
      case .foundation(let uid, let id): return .foundation(uid: uid, class: moved(id))
      case .className(let id): return .className(moved(id))
      case .collection(let id, .dictionary):
        guard let (uid, recordClass) = records?.index.record(id) else { return value }
        meet(recordClass)
        return .object(uid: uid, class: recordClass)
      default: return value
      }
    }

    func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
      if let records, let id = records.index.document, let uid = records.index.documentNumber {
        meet(id)
        return .object(uid: uid, class: id)
      }
      defer { noteInnerClasses() }
      return own(try inner.value(of: root))
    }

    func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
      if let records, uid >= records.base.objectCount {
        if let id = records.index.document, uid == records.index.documentNumber {
          meet(id)
          return .object(uid: uid, class: id)
        }
        guard let dictionary = records.index.dictionary(uid) else {
          throw ArchiveError(.danglingReference, name: "\(uid)")
        }
        return own(.collection(dictionary, .dictionary))
      }
      defer { noteInnerClasses() }
      return own(try inner.value(ofObject: uid))
    }

    func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
      if let records {
        if let id = records.index.document, uid == records.index.documentNumber {
          meet(id)
          // The source found that a record can have these keys.
          guard let variant = shapes.variant(ofOrdered: records.base.roots.map(\.key)) else {
            throw ArchiveError(.badCollection, at: .topLevel)
          }
          return record(uid, id, variant)
        }
        if let dictionary = records.index.dictionary(uid) { return try record(uid, dictionary) }
      }
      defer { noteInnerClasses() }
      let found = try inner.object(uid)
      return GraphObject(
        uid: uid, class: moved(found.class), shape: found.shape << 1, keyCount: found.keyCount,
        location: found.location)
    }

    private func record(_ uid: Int, _ dictionary: CollectionID) throws(ArchiveError) -> GraphObject
    {
      defer { noteInnerClasses() }
      let elements = try inner.elements(of: dictionary, .dictionary)
      last = (uid, elements)
      guard let variant = try shapes.variant(of: elements, inner),
        let id = records?.index.record(dictionary)?.class
      else { throw ArchiveError(.badCollection, at: .object(uid, key: nil)) }
      meet(id)
      return record(uid, id, variant)
    }

    private func record(_ uid: Int, _ id: ClassID, _ variant: Int) -> GraphObject {
      let found = shapes.variants[variant]
      return GraphObject(
        uid: uid, class: id, shape: found.shape << 1 | 1, keyCount: found.places.count,
        location: variant)
    }

    /// The object as the source's graph has it.
    private func inner(_ object: GraphObject) -> GraphObject {
      GraphObject(
        uid: object.uid, class: ClassID(index: object.class.index - rules.classes.count),
        shape: object.shape >> 1, keyCount: object.keyCount, location: object.location)
    }

    private static func isRecord(_ object: GraphObject) -> Bool { object.shape & 1 == 1 }

    func values(
      of object: GraphObject, into values: inout MutableSpan<GraphValue>
    ) throws(ArchiveError) {
      guard !Self.isRecord(object) else {
        for position in 0..<object.keyCount {
          values[position] = try value(of: object, at: position)
        }
        return
      }
      try inner.values(of: inner(object), into: &values)
      for position in 0..<object.keyCount { values[position] = own(values[position]) }
      noteInnerClasses()
    }

    func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
      defer { noteInnerClasses() }
      guard Self.isRecord(object) else {
        return own(try inner.value(of: inner(object), at: position))
      }
      switch try place(of: object, at: position) {
      case .root(let root):
        do throws(ArchiveError) {
          return own(try inner.value(of: root))
        } catch {
          throw error.placed(at: .topLevelKey(root.key))
        }
      case .element(let elements, let place):
        do throws(ArchiveError) {
          return own(try inner.value(of: elements, at: place))
        } catch {
          throw error.placed(at: .object(object.uid, key: keys(ofShape: object.shape)[position]))
        }
      }
    }

    /// The location of a record's value in the source.
    private enum Place {
      case root(GraphRoot)
      case element(GraphElements, Int)
    }

    private func place(of object: GraphObject, at position: Int) throws(ArchiveError) -> Place {
      let place = shapes.variants[object.location].places[position]
      if let records, object.uid == records.index.documentNumber {
        return .root(records.base.roots[place])
      }
      if let last, last.uid == object.uid { return .element(last.elements, place) }
      guard let dictionary = records?.index.dictionary(object.uid) else {
        throw ArchiveError(.badCollection, at: .object(object.uid, key: nil))
      }
      let elements = try inner.elements(of: dictionary, .dictionary)
      last = (object.uid, elements)
      return .element(elements, place)
    }

    func reference(of object: GraphObject, at position: Int) -> Int? {
      guard Self.isRecord(object) else { return inner.reference(of: inner(object), at: position) }
      switch try? value(of: object, at: position) {
      case .object(let uid, _), .foundation(let uid, _): return uid
      default: return nil
      }
    }

    // MARK: Collections

    func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
      defer { noteInnerClasses() }
      return own(try inner.value(of: elements, at: position))
    }

    func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
      defer { noteInnerClasses() }
      return own(try inner.key(of: elements, at: position))
    }

    func archivedData(
      of object: GraphObject, at position: Int, limits: ReadingLimits
    ) throws(ArchiveError) -> Data? {
      guard Self.isRecord(object) else {
        return try inner.archivedData(of: inner(object), at: position, limits: limits)
      }
      return switch try place(of: object, at: position) {
      case .root(let root): try inner.archivedData(of: root, limits: limits)
      case .element(let elements, let place):
        try inner.archivedData(of: elements, at: place, limits: limits)
      }
    }
  }
}
