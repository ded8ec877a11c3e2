/// What is in an archive: counts of objects, references and classes, whether reached or not.
public struct ArchiveInspection: Sendable {
  /// A class and the keys of its objects.
  public struct Class: Sendable {
    /// The name as archived.
    public var name: String
    /// The name as one would write it in Swift, where it is archived in another form.
    public var plainName: String? { SwiftName.plain(name) }
    /// How many entries of `$objects` are of the class.
    public var count: Int
    /// The class and its superclasses.
    public var hierarchy: [String]
    /// The keys of the objects, in the order in which they were met.
    public var keys: [Key]
  }

  /// A key of a class.
  public struct Key: Sendable {
    /// The key as archived.
    public var key: String
    /// How many objects of the class have it.
    public var count: Int
    /// What stands under it: kinds of plain values, and names of classes.
    public var types: [String]
  }

  /// What a key of `$top` holds.
  public enum TopValue: Sendable, Equatable {
    /// A reference to an entry of `$objects`.
    case uid(Int)
    /// A value of a kind that stands in `$top` itself.
    case inline(String)
  }

  /// The keys of `$top`, in the order of the file.
  public var top: [(key: String, value: TopValue)] = []
  /// How many entries `$objects` has.
  public var objects = 0
  /// How many of them are reached from `$top`, class records included.
  public var reachable = 0
  /// How many references stand in the objects, those to their classes left out.
  public var references = 0
  /// Whether the references that are reached from `$top` form a cycle.
  public var isCyclic = false
  /// The classes, those with the most objects first.
  public var classes: [Class] = []
  /// References to entries that do not exist: the archive is damaged.
  public var danglingReferences: [ArchiveError] = []

  /// Inspects an archive.
  ///
  /// - Complexity: Linear in the number of values. Takes about twelve bytes for each object and
  ///   four for each reference.
  public init(
    _ archive: KeyedArchive, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try count(archive, limits)
    } catch {
      throw archive.propertyList.explained(error)
    }
  }

  private mutating func count(
    _ archive: KeyedArchive, _ limits: ReadingLimits
  ) throws(ArchiveError) {
    let graph = try ReferenceGraph(archive, limits: limits)
    objects = archive.objectCount
    references = graph.references.count
    danglingReferences = graph.danglingReferences
    top = archive.topLevel.map { entry in
      switch archive.table.value(of: entry.node) {
      case .uid(let uid): (entry.key, .uid(uid))
      case let value: (entry.key, .inline(value.typeName))
      }
    }
    (reachable, isCyclic) = graph.walk(from: graph.topReferences)
    var counter = ClassCounter(archive, limits: limits)
    classes = try counter.count()
  }
}

extension NodeValue {
  /// The kind of a value in a word.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .wideInteger: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .text: "string"
    case .uid: "uid"
    case .array: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}
