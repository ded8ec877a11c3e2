import Foundation
import GraphCore
import GraphTesting

/// A source whose graphs break one law.
final class FaultySource: GraphSource {
  private let sound: MemorySource
  let law: GraphFault.Law

  init(_ sound: MemorySource, breaking law: GraphFault.Law) {
    (self.sound, self.law) = (sound, law)
  }

  var format: SourceFormat { sound.format }
  var archiver: String { sound.archiver }
  var version: Int64 { sound.version }
  var byteCount: Int { sound.byteCount }
  var residentBytes: Int { sound.residentBytes }
  var objectCount: Int { sound.objectCount }
  var valueCount: Int { sound.valueCount }
  var forbiddenCharacters: Int { 0 }
  var losses: [ArchiveError] { [] }
  var roots: [GraphRoot] {
    sound.roots.map { root in
      guard law == .roots else { return root }
      return GraphRoot(key: root.key, index: 0, isReference: root.isReference)
    }
  }

  func check() throws(ArchiveError) {}
  func explained(_ error: ArchiveError) -> ArchiveError { error }
  func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    FaultyGraph(self, sound.makeGraph(options))
  }
}

/// A graph that breaks one law, and keeps all others.
final class FaultyGraph: ObjectGraph {
  private let faulty: FaultySource
  private let sound: any ObjectGraph
  private var readCount = 0
  private var wasReset = false

  init(_ source: FaultySource, _ sound: any ObjectGraph) {
    (faulty, self.sound) = (source, sound)
  }

  private func breaks(_ law: GraphFault.Law) -> Bool { faulty.law == law }

  func copy() -> any ObjectGraph {
    breaks(.copies) ? self : FaultyGraph(faulty, sound.copy())
  }

  var source: any GraphSource { faulty }
  var classes: [ClassRecord] { sound.classes }
  var metClasses: [ClassID] { breaks(.classes) ? [] : sound.metClasses }
  var nonconformingClasses: Set<ClassID> { sound.nonconformingClasses }

  func keys(ofShape shape: Int) -> [String] {
    let keys = sound.keys(ofShape: shape)
    return breaks(.shapes) ? keys + ["more"] : keys
  }

  func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
    if breaks(.reset), wasReset { return .null }
    return try sound.value(of: root)
  }

  func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    if breaks(.wrongNumbers), uid < 0 { return .null }
    return try sound.value(ofObject: uid)
  }

  func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    let object = try sound.object(uid)
    guard breaks(.identity) else { return object }
    return GraphObject(
      uid: uid + 1, class: object.class, shape: object.shape, keyCount: object.keyCount,
      location: object.location)
  }

  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    try sound.values(of: object, into: &values)
    if breaks(.values), object.keyCount > 0 { values[0] = .bool(false) }
  }

  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
    readCount += 1
    if breaks(.repeatable), position == 0 { return .integer(Int64(readCount)) }
    let value = try sound.value(of: object, at: position)
    if breaks(.bytes), case .uuid(let bytes) = value {
      return .uuid(BorrowedBytes(start: bytes.start, count: 15))
    }
    if breaks(.foundationValues), case .text = value {
      return .foundation(uid: object.uid, class: object.class)
    }
    return value
  }

  func reference(of object: GraphObject, at position: Int) -> Int? {
    guard breaks(.references) else { return sound.reference(of: object, at: position) }
    return sound.reference(of: object, at: position).map { _ in 3 }
  }

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    let elements = try sound.elements(of: collection, kind)
    guard breaks(.collections) else { return elements }
    return GraphElements(
      kind: .orderedSet, count: elements.count, keys: elements.keys, values: elements.values)
  }

  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    try sound.value(of: elements, at: position)
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    try sound.key(of: elements, at: position)
  }

  func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    try sound.foundationValue(uid)
  }

  func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    try sound.foundationByteCount(uid)
  }

  func urlText(_ uid: Int) -> String? { sound.urlText(uid) }

  func countUnreachedObjects() -> Int { breaks(.unreached) ? -1 : sound.countUnreachedObjects() }

  func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? { nil }

  func reset(to source: any GraphSource) -> Bool {
    wasReset = true
    return breaks(.reset)
  }
}
