import Foundation
import GraphCore

extension MemorySource {
  /// The objects of a source in memory.
  final class Graph: ObjectGraph {
    private var memory: MemorySource
    private let options: GraphOptions
    private var shapes: [[String]] = []
    private var shapeNumbers: [[String]: Int] = [:]
    private(set) var classes: [ClassRecord] = []
    /// For each class of the source, its ID here; nil where it was not met.
    private var classIDs: [ClassID?]
    private(set) var metClasses: [ClassID] = []
    private var reached: Set<Int> = []

    init(_ source: MemorySource, _ options: GraphOptions) {
      memory = source
      self.options = options
      classIDs = Array(repeating: nil, count: source.classRecords.count)
    }

    private init(copying other: Graph) {
      (memory, options) = (other.memory, other.options)
      (shapes, shapeNumbers) = (other.shapes, other.shapeNumbers)
      (classes, classIDs, metClasses) = (other.classes, other.classIDs, other.metClasses)
    }

    func copy() -> any ObjectGraph { Graph(copying: self) }

    var source: any GraphSource { memory }
    var nonconformingClasses: Set<ClassID> { [] }
    func keys(ofShape shape: Int) -> [String] { shapes[shape] }

    func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
      try graphValue(memory.rootValues[root.index])
    }

    func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
      let object = try stored(uid)
      let id = try classID(object.class)
      if object.foundationValue != nil, options.readsFoundationValues,
        !options.classesReadAsObjects.contains(classes[id.index].name)
      {
        return .foundation(uid: uid, class: id)
      }
      return .object(uid: uid, class: id)
    }

    func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
      let object = try stored(uid)
      return GraphObject(
        uid: uid, class: try classID(object.class), shape: shape(of: object.keys),
        keyCount: object.keys.count, location: uid)
    }

    func values(
      of object: GraphObject, into values: inout MutableSpan<GraphValue>
    ) throws(ArchiveError) {
      for position in 0..<object.keyCount {
        values[position] = try value(of: object, at: position)
      }
    }

    func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
      do throws(ArchiveError) {
        return try graphValue(memory.objects[object.location].values[position])
      } catch {
        throw error.placed(at: .object(object.uid, key: shapes[object.shape][position]))
      }
    }

    func reference(of object: GraphObject, at position: Int) -> Int? {
      memory.objects[object.location].values[position].reference
    }

    func elements(
      of collection: CollectionID, _ kind: CollectionKind
    ) throws(ArchiveError) -> GraphElements {
      guard case .inline(let number) = collection, memory.collections.indices.contains(number),
        memory.collections[number].kind == kind
      else { throw ArchiveError(.badCollection) }
      let place = GraphElements.Location(start: number, form: 0)
      return GraphElements(
        kind: kind, count: memory.collections[number].values.count, keys: place, values: place)
    }

    func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
      try graphValue(memory.collections[elements.values.start].values[position])
    }

    func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
      try graphValue(memory.collections[elements.keys.start].keys[position])
    }

    func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
      try stored(uid).foundationValue
    }

    func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
      try foundationValue(uid)?.json.utf8.count ?? 0
    }

    func urlText(_ uid: Int) -> String? { nil }

    func countUnreachedObjects() -> Int {
      options.countsUnreached ? memory.objectCount - reached.count : 0
    }

    func archivedData(
      of object: GraphObject, at position: Int, limits: ReadingLimits
    ) throws(ArchiveError) -> Data? { nil }

    func reset(to source: any GraphSource) -> Bool {
      guard options.isReused, let source = source as? MemorySource else { return false }
      memory = source
      classIDs = Array(repeating: nil, count: source.classRecords.count)
      metClasses = []
      reached = []
      return true
    }

    // MARK: The source

    private func stored(_ uid: Int) throws(ArchiveError) -> StoredObject {
      guard memory.objects.indices.contains(uid) else {
        throw ArchiveError(.danglingReference, name: "\(uid)")
      }
      reached.insert(uid)
      return memory.objects[uid]
    }

    private func graphValue(_ value: StoredValue) throws(ArchiveError) -> GraphValue {
      switch value {
      case .plain(.className(let id)): return .className(try classID(id.index))
      case .plain(let value): return value
      case .text(let range, let encoding):
        return .text(BorrowedText(bytes: memory.borrowed(range), encoding: encoding))
      case .data(let range): return .data(memory.borrowed(range))
      case .uuid(let range): return .uuid(memory.borrowed(range))
      case .url(let range):
        return .url(BorrowedText(bytes: memory.borrowed(range), encoding: .utf8))
      case .object(let number): return try self.value(ofObject: number)
      case .collection(let number):
        return .collection(.inline(number), memory.collections[number].kind)
      }
    }

    private func classID(_ number: Int) throws(ArchiveError) -> ClassID {
      guard classIDs.indices.contains(number) else { throw ArchiveError(.noClassRecord) }
      if let known = classIDs[number] { return known }
      // A class of a source before has its number already.
      let record = memory.classRecords[number]
      let index = classes.firstIndex(of: record) ?? classes.count
      if index == classes.count { classes.append(record) }
      let id = ClassID(index: index)
      classIDs[number] = id
      if !metClasses.contains(id) { metClasses.append(id) }
      return id
    }

    private func shape(of keys: [String]) -> Int {
      if let known = shapeNumbers[keys] { return known }
      shapes.append(keys)
      shapeNumbers[keys] = shapes.count - 1
      return shapes.count - 1
    }
  }
}
