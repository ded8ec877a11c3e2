import ArchiveReader
import Mappings

extension ImportPlan {
  /// An entity mapping, made ready to run.
  package struct EntityPlan: Sendable {
    /// The name by which associations know it.
    package var name: String
    package var entity: Int
    var sources: [String]
    package var filter: FilterPredicate?
    /// The attributes that tell rows apart, by their indices among the entity's.
    package var identity: [Int] = []
    /// Makes its policy, if it has one.
    var policy: (@Sendable () -> any MigrationPolicy)?
    /// True in a migration if the walk over the store makes no rows of its objects.
    var isStaged = false
    package var attributes: [AttributePlan] = []
    package var relationships: [RelationshipPlan] = []
    package var collections: [CollectionPlan] = []
    /// To-one relationships for which the entity's table has no room, by the keys that lead there.
    ///
    /// Only rows that are written straight from the archive have them.
    var overflowing: [String: String] = [:]
    /// Keys that are left behind on purpose.
    var unread: Set<String> = []

    /// Whether it asks which rows were made of which objects.
    package var asksForRows: Bool {
      relationships.contains { $0.entityMapping != nil || $0.source.callsFunctions }
        || attributes.contains { $0.source.callsFunctions }
    }

    /// Whether an object of the classes always becomes one row of its own.
    package var isSimple: Bool { filter == nil && identity.isEmpty && !isStaged }

    /// The keys of the archived objects that it reads.
    var readKeys: Set<String> {
      var keys = unread
      for source in attributes.map(\.source) + relationships.map(\.source) {
        keys.formUnion(source.keys)
      }
      keys.formUnion(collections.map(\.key))
      keys.formUnion((filter?.keyPaths ?? []).compactMap(\.first))
      return keys
    }

    /// Those of them whose values have a place in the store: what only expressions, longer paths
    /// and filters read has none.
    var keptKeys: Set<String> {
      let sources = attributes.map(\.source) + relationships.map(\.source)
      return Set(sources.compactMap(\.wholeKey) + collections.map(\.key))
    }
  }

  /// Where an attribute's value comes from.
  package struct AttributePlan: Sendable {
    /// The attribute, by its index among the entity's.
    package var attribute: Int
    package var source: ValueSource
    package var conversion: ValueConversion?
    /// What it leaves to other properties that have the same source.
    package var leaves: SourceKinds = []
  }

  /// Kinds of archived values, where one key feeds several properties.
  package struct SourceKinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let plain = SourceKinds(rawValue: 1)
    static let object = SourceKinds(rawValue: 2)
    static let collection = SourceKinds(rawValue: 4)

    /// Whether a value is of one of the kinds.
    package func contains(_ value: GraphValue) -> Bool {
      switch value {
      case .null, .nsNull: false
      case .object: contains(.object)
      case .collection: contains(.collection)
      default: contains(.plain)
      }
    }
  }

  /// Where a relationship's rows come from.
  package struct RelationshipPlan: Sendable {
    /// The relationship, by its index in the model.
    package var relationship: Int
    package var source: ValueSource
    package var split: SplitPlan?
    /// The name of the entity mapping whose rows are meant.
    package var entityMapping: String?
    /// Whether the archives have collections there whose order is lost.
    var dropsOrder = false
    /// What it leaves to other properties that have the same source.
    package var leaves: SourceKinds = []
  }

  /// How the parts of a value become rows.
  package struct SplitPlan: Sendable {
    package var rule: RelationshipMapping.Split
    package var entity: Int
    /// The attribute that holds the part, by its index among the entity's.
    package var attribute: Int
  }

  /// A collection that becomes rows of a table of elements.
  package struct CollectionPlan: Sendable {
    package var name: String
    package var key: String
    /// Whether the archives have collections there whose order is lost.
    var dropsOrder = false
    /// What it leaves to other properties that have the same source.
    package var leaves: SourceKinds = []
  }
}

extension ImportPlan.EntityPlan {
  /// Lets properties that have the same key share its values: each takes those of its kind.
  mutating func shareKeys(_ relationships: [StoredRelationship]) {
    var taken: [[String]: ImportPlan.SourceKinds] = [:]
    for plan in attributes where plan.conversion == nil {
      if let path = plan.source.keyPath { taken[path, default: []].insert(.plain) }
    }
    for plan in self.relationships where plan.split == nil {
      guard let path = plan.source.keyPath else { continue }
      taken[path, default: []].insert(
        relationships[plan.relationship].isToMany ? .collection : .object)
    }
    for plan in collections { taken[[plan.key], default: []].insert(.collection) }
    for (index, plan) in collections.enumerated() {
      let path = [plan.key]
      var others = (taken[path] ?? []).subtracting(.collection)
      // A conversion, or a split, takes what there is.
      if attributes.contains(where: { $0.conversion != nil && $0.source.keyPath == path })
        || self.relationships.contains(where: { $0.split != nil && $0.source.keyPath == path })
      {
        others = [.plain, .object]
      }
      collections[index].leaves = others
    }
    for (index, plan) in attributes.enumerated() where plan.conversion == nil {
      guard let path = plan.source.keyPath else { continue }
      attributes[index].leaves = (taken[path] ?? []).subtracting(.plain)
    }
    for (index, plan) in self.relationships.enumerated() where plan.split == nil {
      guard let path = plan.source.keyPath else { continue }
      let own: ImportPlan.SourceKinds =
        relationships[plan.relationship].isToMany ? .collection : .object
      self.relationships[index].leaves = (taken[path] ?? []).subtracting(own)
    }
  }
}

extension ValueSource {
  /// The key path, if it is one.
  package var keyPath: [String]? {
    if case .keyPath(let path) = self { path } else { nil }
  }

  /// The key, if it is a single one.
  var key: String? {
    keyPath.flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// The key whose value it is; nil if it is something else, or made of it.
  var wholeKey: String? {
    switch self {
    case .keyPath: key
    case .constant: nil
    case .expression(let expression): expression.key
    }
  }

  /// The keys of the archived object that it reads.
  var keys: [String] {
    switch self {
    case .keyPath(let path): path.first.map { [$0] } ?? []
    case .constant: []
    case .expression(let expression): expression.keyPaths.compactMap(\.first)
    }
  }
}
