import Foundation

/// The objects of an opened source, as everything after the sources reads them.
///
/// This is the narrow waist of the program: keyed archives are one kind of source, and whatever
/// conforms is converted, verified and inspected like them. `checkGraph` checks the laws that a
/// conformer keeps; Documentation/internals/sources.md tells how to add one.
///
/// A graph remembers the classes and shapes that it meets, and is used by one thread at a time. It
/// never decodes an object for being referred to: `value` says which object it is and no more, so
/// cycles and long lists cost no stack.
package protocol ObjectGraph: AnyObject {
  /// The source that is read, which stays open as long as the graph.
  var source: any GraphSource { get }

  // MARK: Names

  /// The classes, by their IDs; more are added as objects are met.
  var classes: [ClassRecord] { get }
  /// The classes that were met in this source, in the order in which they were.
  var metClasses: [ClassID] { get }
  /// Classes of known names with an object that has no form of the class.
  ///
  /// Such an object is read as one with keys of its own; all others of the class stay values.
  var nonconformingClasses: Set<ClassID> { get }
  /// The keys of a shape, in the order of the source.
  func keys(ofShape shape: Int) -> [String]

  // MARK: Objects and values

  /// The value that a root holds.
  func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue
  /// The value that a reference to an object stands for.
  func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue
  /// The object with a number whose value is `.object`, or a collection with keys of its own.
  func object(_ uid: Int) throws(ArchiveError) -> GraphObject
  /// The values of an object, in the order of its shape's keys; nil in the place of a class.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - values: At least as many places as the object has keys.
  /// - Throws: `ArchiveError` if one of them cannot be read.
  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError)
  /// The value under the key at a position of an object's shape.
  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue
  /// The object that is referred to under the key at a position, without a look at it; nil where
  /// that is no reference.
  func reference(of object: GraphObject, at position: Int) -> Int?
  /// The elements of a collection, unread.
  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements
  /// The element at a place; for pairs, the value.
  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue
  /// The key of the pair at a place.
  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue

  // MARK: Values of Foundation's other classes

  /// The value of an object whose `GraphValue` is `.foundation`; nil if the object is not one whose
  /// parts are all values.
  ///
  /// - Complexity: Linear in the size of the value, at most the limit on parts.
  func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue?
  /// About how many bytes the JSON of such a value takes, which is not made for it.
  func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int
  /// The absolute text of a `.relativeURL`; nil if it has none.
  func urlText(_ uid: Int) -> String?

  // MARK: Bookkeeping

  /// The number of objects that nothing has led to so far, those for nil and for classes left out.
  ///
  /// Zero for a graph that was not asked to count them: see `GraphOptions`.
  func countUnreachedObjects() -> Int
  /// The number of objects that something has led to so far, values included; nil for a graph that
  /// does not count them.
  ///
  /// - Complexity: Some microseconds for a million objects.
  func countReachedObjects() -> Int?
  /// The value under a key of an object, with everything that it reaches, as a keyed archive of its
  /// own.
  ///
  /// Of a Core Data store, it is the bytes that the store keeps. Nil where the source cannot give
  /// it in this form.
  ///
  /// - Complexity: Linear in what is reached.
  func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data?
  /// The same of an element of a collection; of pairs, of the value.
  func archivedData(
    of elements: GraphElements, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data?
  /// The same of what a root holds.
  func archivedData(of root: GraphRoot, limits: ReadingLimits) throws(ArchiveError) -> Data?
  /// Goes on with another source, if it is one that this graph can read: classes and shapes keep
  /// their numbers, so what is known of them holds for it too.
  ///
  /// - Returns: True if it does; a graph that has met very many names does not.
  func reset(to source: any GraphSource) -> Bool
  /// A graph of the same source for another thread: classes and shapes have the same numbers in it.
  func copy() -> any ObjectGraph
}

extension ObjectGraph {
  package func countReachedObjects() -> Int? { nil }
  package func archivedData(
    of elements: GraphElements, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? { nil }
  package func archivedData(
    of root: GraphRoot, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? { nil }

  /// The values of an object, in memory that is used again for the next one.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - values: The values, in the order of the shape's keys; there may be more places.
  /// - Throws: `ArchiveError` if one of them cannot be read.
  @inline(__always)
  package func read(
    _ object: GraphObject, into values: inout [GraphValue]
  ) throws(ArchiveError) {
    while values.count < object.keyCount { values.append(.null) }
    var span = values.mutableSpan
    try self.values(of: object, into: &span)
  }

  /// The next object that belongs to the source by itself: see `GraphSource.holdsEveryObject`.
  ///
  /// - Parameter uid: The number to begin at.
  /// - Returns: The object with this number or the nearest above it; nil after the last.
  /// - Throws: `ArchiveError` if one of the numbers is an object that cannot be read.
  package func ownObject(from uid: Int) throws(ArchiveError) -> (uid: Int, class: ClassID)? {
    guard uid < source.ownObjectCount else { return nil }
    for uid in uid..<source.ownObjectCount {
      do throws(ArchiveError) {
        if case .object(let uid, let id) = try value(ofObject: uid) { return (uid, id) }
      } catch {
        // A number that no object has.
        guard error.code == .danglingReference else { throw error }
      }
    }
    return nil
  }

  /// The position of a key in an object's shape; nil if the shape does not have it.
  package func position(of key: String, in object: GraphObject) -> Int? {
    keys(ofShape: object.shape).firstIndex(of: key)
  }

  /// The class of an object.
  package func classRecord(of object: GraphObject) -> ClassRecord { classes[object.class.index] }
}

extension ObjectGraph {
  /// Finds every object that an object refers to, also in collections.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - maxDepth: The depth to which collections inside collections are followed.
  ///   - body: Is called with each object found, in the order of the keys.
  /// - Throws: `ArchiveError` if the object is damaged.
  package func forEachReference(
    of object: GraphObject, maxDepth: Int, _ body: (Int) -> Void
  ) throws(ArchiveError) {
    for position in 0..<object.keyCount
    where keys(ofShape: object.shape)[position] != "$class" {
      try forEachReference(in: try value(of: object, at: position), maxDepth: maxDepth, body)
    }
  }

  /// Finds every object in a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - maxDepth: The depth to which collections inside collections are followed.
  ///   - body: Is called with each object found, in order.
  /// - Throws: `ArchiveError` if a collection is damaged.
  package func forEachReference(
    in value: GraphValue, maxDepth: Int, _ body: (Int) -> Void
  ) throws(ArchiveError) {
    switch value {
    case .object(let uid, _):
      body(uid)
    case .collection(let id, let kind):
      guard maxDepth > 0 else { return }
      let elements = try elements(of: id, kind)
      for position in 0..<elements.count {
        if kind.isKeyed {
          try forEachReference(
            in: try key(of: elements, at: position), maxDepth: maxDepth - 1, body)
        }
        try forEachReference(
          in: try self.value(of: elements, at: position), maxDepth: maxDepth - 1, body)
      }
    default:
      break
    }
  }
}
