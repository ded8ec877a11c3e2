import Importer
import Mappings

extension ExpectedRows {
  /// The keys that an entity mapping reads of the objects of one shape, found out once for all of
  /// them.
  final class MappedKeys: Sendable {
    /// An attribute that objects of the shape may say something of.
    struct Read: Sendable {
      /// Its index among those of the mapping, and among the entity's.
      var source: Int
      var index: Int
      var stored: EntityShape.StoredAttribute
      /// The position of the key whose value it is, as it stands; nil where there is more to it.
      var position: Int?
      /// The kinds of values that it leaves to other properties of that key.
      var leaves: ImportPlan.SourceKinds
    }

    /// A source that may lead to rows.
    struct Lead: Sendable {
      /// The index of its attribute among those of the mapping.
      var source: Int
      /// The position of its first key; nil for an expression, which may lead anywhere.
      var position: Int?
      /// True if the value is stored unconverted.
      var isPlain: Bool
      var leaves: ImportPlan.SourceKinds
    }

    /// The entity mapping, by its index.
    let mapping: Int
    let attributes: [Read]
    let leads: [Lead]
    /// The positions of the keys under which rows or collections may stand.
    let references: [Int]
    /// For each relationship of the mapping, where its key stands.
    let relationships: [Int?]
    /// For each collection of the mapping, where its key stands.
    let collections: [Int?]

    /// - Parameters:
    ///   - mapping: The index of the mapping.
    ///   - plan: The mapping.
    ///   - names: The keys of the shape.
    ///   - run: The run.
    init(_ mapping: Int, _ plan: ImportPlan.EntityPlan, _ names: [String], _ run: ExpectedRun) {
      self.mapping = mapping
      let shape = run.shapes[plan.entity]
      func position(_ key: String?) -> Int? { key.flatMap { names.firstIndex(of: $0) } }
      var attributes: [Read] = []
      var leads: [Lead] = []
      for (sourceIndex, source) in plan.attributes.enumerated() {
        let path = source.source.keyPath
        let isPlain = source.conversion == nil && path?.count == 1
        let first = position(path?.first)
        if !isPlain || first != nil {
          attributes.append(
            Read(
              source: sourceIndex, index: source.attribute,
              stored: shape.attributes[source.attribute],
              position: isPlain ? first : nil, leaves: source.leaves))
        }
        if case .constant = source.source { continue }
        if path == nil || first != nil {
          leads.append(
            Lead(source: sourceIndex, position: first, isPlain: isPlain, leaves: source.leaves))
        }
      }
      self.attributes = attributes
      self.leads = leads
      relationships = plan.relationships.map { relationship in
        guard let path = relationship.source.keyPath, path.count == 1 else { return nil }
        return position(path[0])
      }
      collections = plan.collections.map { position($0.key) }
      let own = zip(plan.relationships, relationships).compactMap { $0.split == nil ? $1 : nil }
      references = Set(own + collections.compactMap { $0 }).sorted()
    }
  }
}
