import ArchiveReader

/// The content of a mapping file, by which archived classes and keys become entities and
/// properties.
///
/// Everything that a mapping does not name follows from names. See Documentation/mapping.md.
public struct Mapping: Sendable, Equatable {
  /// The path of the Core Data model, as the file gives it: relative to the file's folder.
  public var model: Marked<String>?
  /// The digest of the model that the mapping was made for, in base64.
  public var modelDigest: Marked<String>?
  /// A beginning of class names that entities do without.
  public var stripPrefix: String?
  /// A beginning of the names of entities that the file does not name.
  public var addPrefix: String?
  /// True if names become plain ones: see Documentation/layouts.md.
  public var plainNames: Bool
  /// The classes whose objects are seen through: see Documentation/layouts.md.
  public var seeThrough: [Marked<String>]
  /// The paths of dictionaries that become rows of an entity: see Documentation/layouts.md.
  public var records: [Marked<String>]
  /// The paths of dictionaries that become pairs of keys and values.
  public var pairs: [Marked<String>]
  /// References between the tables of databases that their schema does not declare.
  public var foreignKeys: [ForeignKey]
  /// Columns of databases whose greatest value tells which of several is the newest.
  public var newestBy: [TableColumn]
  /// The treatment of archived classes.
  public var classes: [ClassMapping]
  /// The names that positions of classes in typedstreams have, by class.
  public var positions: [PositionMapping]
  /// The entity mappings of the first pass, in the order of the file.
  public var entities: [EntityMapping]
  /// Further mappings over the same store, run in order.
  public var passes: [Pass]
  /// The replacements of policies of Core Data mapping models.
  public var policies: [PolicyMapping]
  /// Views of the store, in the order of the file.
  public var views: [ViewMapping]

  /// Creates a mapping that names nothing.
  public init(
    model: Marked<String>? = nil, modelDigest: Marked<String>? = nil, stripPrefix: String? = nil,
    addPrefix: String? = nil, plainNames: Bool = false, seeThrough: [Marked<String>] = [],
    records: [Marked<String>] = [], pairs: [Marked<String>] = [], foreignKeys: [ForeignKey] = [],
    newestBy: [TableColumn] = [], classes: [ClassMapping] = [], positions: [PositionMapping] = [],
    entities: [EntityMapping] = [], passes: [Pass] = [], policies: [PolicyMapping] = [],
    views: [ViewMapping] = []
  ) {
    self.model = model
    self.modelDigest = modelDigest
    (self.stripPrefix, self.addPrefix) = (stripPrefix, addPrefix)
    self.plainNames = plainNames
    self.seeThrough = seeThrough
    (self.records, self.pairs, self.foreignKeys) = (records, pairs, foreignKeys)
    self.newestBy = newestBy
    (self.classes, self.positions) = (classes, positions)
    self.entities = entities
    self.passes = passes
    (self.policies, self.views) = (policies, views)
  }

  /// True if the mapping replaces policies, and does nothing else.
  package var hasOnlyPolicies: Bool {
    !policies.isEmpty && self == Mapping(policies: policies)
  }

  /// One of several mappings that fill a store one after the other.
  public struct Pass: Sendable, Equatable {
    /// Its name, for messages.
    public var name: Marked<String>
    /// Its entity mappings.
    public var entities: [EntityMapping]

    /// Creates a pass.
    public init(name: Marked<String>, entities: [EntityMapping]) {
      self.name = name
      self.entities = entities
    }
  }
}

/// A column of a database's table.
public struct TableColumn: Sendable, Equatable {
  /// The table, as the database names it.
  public var table: Marked<String>
  /// The column.
  public var column: Marked<String>

  /// Creates a column.
  public init(table: Marked<String>, column: Marked<String>) {
    (self.table, self.column) = (table, column)
  }
}

/// A column of a database's table that holds keys of the rows of another.
public struct ForeignKey: Sendable, Equatable {
  /// The table, as the database names it.
  public var table: Marked<String>
  /// The column.
  public var column: Marked<String>
  /// The table with the rows.
  public var target: Marked<String>

  /// Creates a foreign key.
  public init(table: Marked<String>, column: Marked<String>, target: Marked<String>) {
    (self.table, self.column, self.target) = (table, column, target)
  }
}

/// A view of the store: a query with a name.
public struct ViewMapping: Sendable, Equatable {
  /// The name of the view.
  public var name: Marked<String>
  /// The query, a `SELECT` of SQLite over the tables of the store.
  public var query: Marked<String>
  /// True if the view is left out of stores without the tables and columns that it names.
  public var isOptional: Bool
  /// Words by which the report lists the number of its rows; nil if it does not.
  public var report: String?

  /// Creates a view.
  public init(
    name: Marked<String>, query: Marked<String>, isOptional: Bool = false, report: String? = nil
  ) {
    (self.name, self.query) = (name, query)
    // As SQLite keeps it.
    let kept = query.value.reversed().drop { $0.isWhitespace || $0 == ";" }
    self.query.value = String(kept.reversed())
    (self.isOptional, self.report) = (isOptional, report)
  }
}

/// A place in a mapping file, both counted from 1.
public struct SourceMark: Sendable, Hashable {
  /// The line.
  public var line: Int
  /// The column.
  public var column: Int

  /// Creates a mark.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A value of a mapping file, with the place where it stands.
///
/// Two are equal if their values are, wherever they stand.
public struct Marked<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The value.
  public var value: Value
  /// The place of the value; nil if it does not come from a file.
  public var mark: SourceMark?

  /// Creates a value with its place.
  public init(_ value: Value, at mark: SourceMark? = nil) {
    self.value = value
    self.mark = mark
  }

  /// True if the values are equal.
  public static func == (first: Self, second: Self) -> Bool { first.value == second.value }
}

/// The treatment of the objects of an archived class.
public struct ClassMapping: Sendable, Equatable {
  /// The kinds of treatment.
  public enum Kind: Sendable, Equatable {
    /// They become rows of an entity.
    case entity(Marked<String>)
    /// They are no rows: the value of one of their keys takes their place.
    case value(key: String)
    /// They are left behind on purpose.
    case ignored
    /// They are objects of another class by now: what is said of that one holds for them.
    case translated(to: String)
  }

  /// The archived name of the class.
  public var className: Marked<String>
  /// The kind of treatment.
  public var kind: Kind

  /// Creates a class mapping.
  public init(className: Marked<String>, kind: Kind) {
    self.className = className
    self.kind = kind
  }
}

/// The names of what the objects of a class hold in typedstreams, which have no keys.
public struct PositionMapping: Sendable, Equatable {
  /// The archived name of the class, with its version behind a `#` if only that is meant.
  public var className: Marked<String>
  /// The names of the values at each position: one for the position, or one for each of its values;
  /// none, or nil, for what is not named.
  public var fields: [[String?]]
  /// The positions of numbers that say how many groups follow; nil to go by what the streams show.
  public var lists: Set<Int>?

  /// Creates the names of a class.
  public init(className: Marked<String>, fields: [[String?]], lists: Set<Int>? = nil) {
    (self.className, self.fields, self.lists) = (className, fields, lists)
  }
}

extension NameRules {
  /// The rules of a run, with what its mapping says where they say nothing.
  package func completed(by mapping: Mapping?) -> NameRules {
    var rules = self
    rules.stripPrefix = stripPrefix ?? mapping?.stripPrefix
    rules.addPrefix = addPrefix ?? mapping?.addPrefix
    rules.isPlain = isPlain || mapping?.plainNames == true
    return rules
  }
}
