/// The content of an archive: counts of objects, references and classes, whether reached or not.
public struct ArchiveInspection: Sendable {
  /// A class and the keys of its objects.
  public struct Class: Sendable {
    /// The name as archived.
    public var name: String
    /// The name as one would write it in Swift, where it is archived in another form.
    public var plainName: String? { SwiftName.plain(name) }
    /// Its version in a typedstream, of those that objects have the first; nil in other archives.
    public var version: Int64?
    /// The number of objects of the class in `$objects`.
    public var count: Int
    /// The class and its superclasses.
    public var hierarchy: [String]
    /// The keys of the objects, in the order in which they were met.
    public var keys: [Key]

    package init(name: String, count: Int, hierarchy: [String], keys: [Key]) {
      self.name = name
      self.count = count
      self.hierarchy = hierarchy
      self.keys = keys
    }
  }

  /// A key of a class.
  public struct Key: Sendable {
    /// The key as archived.
    public var key: String
    /// The number of objects of the class that have the key.
    public var count: Int
    /// The types of its values: kinds of plain values, and names of classes.
    public var types: [String]
    /// The least and the greatest of the finite numbers under a key of a typedstream, which is no name;
    /// nil if there is none.
    public var bounds: (least: Double, greatest: Double)?

    package init(key: String, count: Int, types: [String]) {
      self.key = key
      self.count = count
      self.types = types
    }
  }

  /// The value of a key of `$top`.
  public enum TopValue: Sendable, Equatable {
    /// A reference to an entry of `$objects`.
    case uid(Int)
    /// A value of a kind that stands in `$top` itself.
    case inline(String)
  }

  /// The keys of `$top`, in the order of the file.
  public var top: [(key: String, value: TopValue)] = []
  /// The number of entries of `$objects`.
  public var objects = 0
  /// The number of entries that are reached from `$top`, class records included.
  public var reachable = 0
  /// The number of references in the objects, those to their classes left out.
  public var references = 0
  /// True if the references that are reached from `$top` form a cycle.
  public var isCyclic = false
  /// The classes, those with the most objects first.
  public var classes: [Class] = []
  /// References to entries that do not exist: the archive is damaged.
  public var danglingReferences: [ArchiveError] = []

  package init() {}
}
