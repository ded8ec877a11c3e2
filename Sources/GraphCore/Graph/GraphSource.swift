import Synchronization

/// An opened source of objects: an archive, as a file or as part of another.
///
/// It does not change, and any number of graphs read it at the same time.
package protocol GraphSource: AnyObject, Sendable {
  /// The encoding of the source.
  var format: SourceFormat { get }
  /// The name of what wrote it, and its version.
  var archiver: String { get }
  var version: Int64 { get }
  /// The size of the source in bytes.
  var byteCount: Int { get }
  /// The memory that the source takes while it is open, in bytes, mapped files left out.
  var residentBytes: Int { get }
  /// The number of objects; their numbers are below this.
  var objectCount: Int { get }
  /// An upper bound on its values, without those that are read from several places.
  var valueCount: Int { get }
  /// The names under which it holds values, in its own order.
  var roots: [GraphRoot] { get }
  /// The numbers of values that nothing reads, by their keys.
  var unreadKeys: [UnreadKey: Int] { get }
  /// True if objects belong to the source by themselves, as a row does to its store, rather than
  /// by being reached from a root.
  ///
  /// Then every number up to `ownObjectCount` is an object's own; of one that no object has, such as
  /// that of one that is left out, `ObjectGraph.value(ofObject:)` says so with `danglingReference`.
  var holdsEveryObject: Bool { get }
  /// The number of objects that belong to the source by themselves.
  ///
  /// The others, which have numbers after theirs, are parts of their values.
  var ownObjectCount: Int { get }
  /// True if the bytes of values stay where they are as long as the source is open.
  ///
  /// Otherwise those of the last `GraphValue.objectsAtHand` objects that a graph has read do.
  var keepsBytes: Bool { get }
  /// True if there may be dictionaries among its values: if not, nobody looks for them.
  var mayHoldDictionaries: Bool { get }
  /// The number of characters that its encoding forbids, and that are kept.
  var forbiddenCharacters: Int { get }
  /// The losses of a damaged source whose rest is read: the first ones, if there are very many.
  var losses: [ArchiveError] { get }
  /// The number of losses, listed or not.
  var lossCount: Int { get }

  /// The versions of classes, where the source tells them.
  var classVersions: [String: Int64] { get }

  /// The number by which people know an object: its UID in an archive, its primary key in a store.
  func number(ofObject uid: Int) -> Int64
  /// The place of an object in the file.
  func place(ofObject uid: Int) -> ObjectPlace
  /// The lookup of an object by its class and such a number.
  func makeNumberLookup() -> (_ number: Int64, _ className: String) -> Int?

  /// Refuses what was read so far if the file could not be read where it is mapped.
  func check() throws(ArchiveError)
  /// The error that a reader of the values met, or what explains it.
  func explained(_ error: ArchiveError) -> ArchiveError
  /// The content of the source: counts of objects, references and classes, whether reached or not.
  ///
  /// - Complexity: Linear in the number of values.
  func inspect(limits: ReadingLimits) throws(ArchiveError) -> ArchiveInspection
  /// A graph that reads it.
  func makeGraph(_ options: GraphOptions) -> any ObjectGraph
}

extension GraphSource {
  package func number(ofObject uid: Int) -> Int64 { Int64(uid) }
  package func makeNumberLookup() -> (_ number: Int64, _ className: String) -> Int? {
    { number, _ in Int(exactly: number) }
  }
  package func place(ofObject uid: Int) -> ObjectPlace { ObjectPlace() }
  /// The same number as reports list it.
  package func reportedNumber(ofObject uid: Int) -> Int {
    Int(truncatingIfNeeded: number(ofObject: uid))
  }
  package var unreadKeys: [UnreadKey: Int] { [:] }
  package var classVersions: [String: Int64] { [:] }
  package var lossCount: Int { losses.count }
  package var holdsEveryObject: Bool { false }
  package var ownObjectCount: Int { holdsEveryObject ? objectCount : 0 }
  package var keepsBytes: Bool { true }
  package var mayHoldDictionaries: Bool { true }

  /// The content of the source as its graph gives it.
  package func inspect(limits: ReadingLimits) throws(ArchiveError) -> ArchiveInspection {
    var inspector = ArchiveInspection.Inspector(self, limits)
    return try inspector.inspect()
  }
}

/// A key of a source that belongs to none of its objects.
package struct UnreadKey: Hashable, Codable, Sendable {
  /// The owner of the key: a table of a store, or `$archive`.
  package var owner: String
  package var key: String

  package init(owner: String, key: String) {
    (self.owner, self.key) = (owner, key)
  }
}

/// The encodings of sources.
package enum SourceFormat: String, Sendable, CaseIterable {
  /// A binary property list.
  case binary
  /// An XML property list.
  case xml
  /// A compiled nib.
  case nib
  /// A stream of NSArchiver.
  case typedstream
  /// An older one, of version 3, which is read as if of version 4: no sample of it was at hand.
  case oldTypedstream = "typedstream-3"
  /// Core Data stores, of SQLite, XML and the binary kind.
  case sqliteStore = "coredata-sqlite"
  case xmlStore = "coredata-xml"
  case binaryStore = "coredata-binary"
  /// Any other SQLite database.
  case database = "sqlite"
  /// Objects in memory: see `MemorySource`.
  case memory

  /// True if values have positions in place of keys.
  package var hasPositions: Bool { self == .typedstream || self == .oldTypedstream }
}

/// The options of a graph.
package struct GraphOptions: Sendable {
  /// The limits on chains of references and on the size of values.
  package var limits: ReadingLimits
  /// Names of classes whose objects are read as objects with keys of their own even if they are
  /// known.
  package var classesReadAsObjects: Set<String>
  /// True if objects of Foundation's other classes, such as colours, are read as values, too.
  package var readsFoundationValues: Bool
  /// The data that is shared with the graphs of other sources.
  package var library: GraphLibrary?
  /// True if other sources are to follow: see `ObjectGraph.reset(to:)`.
  package var isReused: Bool
  /// True if the graph notes which objects something led to.
  package var countsUnreached: Bool

  package init(
    limits: ReadingLimits = .standard, classesReadAsObjects: Set<String> = [],
    readsFoundationValues: Bool = true, library: GraphLibrary? = nil, isReused: Bool = false,
    countsUnreached: Bool = false
  ) {
    self.limits = limits
    self.classesReadAsObjects = classesReadAsObjects
    self.readsFoundationValues = readsFoundationValues
    self.library = library
    self.isReused = isReused
    self.countsUnreached = countsUnreached
  }
}

/// The place of an object in its file, as far as the source tells it.
package struct ObjectPlace: Sendable {
  /// The number of the object of the source's own in whose values it is; nil for such an object.
  package var owner: Int?
  /// The row of a database that is the object, or in whose value it is.
  package var row: (table: String, id: Int64)?
  /// The column of the row with the archive that the object is in.
  package var column: String?
  /// The number of the object in its archive; nil for a row, and for an archive as a whole.
  package var uid: Int?
  /// The bytes of the object in its archive, as offset and count: of binary property lists alone.
  package var bytes: (offset: Int, count: Int)?

  package init(
    owner: Int? = nil, row: (table: String, id: Int64)? = nil, column: String? = nil,
    uid: Int? = nil, bytes: (offset: Int, count: Int)? = nil
  ) {
    self.owner = owner
    (self.row, self.column, self.uid, self.bytes) = (row, column, uid, bytes)
  }
}

/// The data that the graphs of a run share, such as names that most of its sources have.
///
/// Each kind of source keeps an object of its own type here.
package final class GraphLibrary: Sendable {
  private let shared = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  package init() {}

  /// The object of a type, which is made if there is none yet.
  package func object<Shared: AnyObject & Sendable>(
    of type: Shared.Type = Shared.self, _ make: () -> Shared
  ) -> Shared {
    shared.withLock { objects in
      if let known = objects[ObjectIdentifier(type)] as? Shared { return known }
      let made = make()
      objects[ObjectIdentifier(type)] = made
      return made
    }
  }
}
