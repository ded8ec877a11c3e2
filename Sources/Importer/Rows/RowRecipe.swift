import ArchiveReader
import Stores

/// The recipe by which the objects of a class become rows straight from the archive.
final class RowRecipe {
  let entity: Int
  /// The name of the entity, its table, the column that tells it from others of the table, and what
  /// that has for it.
  let name: String
  let table: Int
  let kind: StoredValue
  let discriminator: Int?
  let columnCount: Int
  /// The properties that each key feeds.
  let properties: [String: [String]]
  /// Keys that are left behind on purpose.
  let ignored: Set<String>
  /// The attributes whose values may have to be converted, checked or replaced by a default.
  let transforms: [AttributeTransform]
  /// For each of these, which values need none of that.
  let usualValues: [UsualValue]
  /// The places in `transforms`, by the indices of the attributes.
  let preparationOrder: [Int]
  /// The relationships whose rows are found or made by the parts of texts.
  let splits: [ImportPlan.RelationshipPlan]
  /// The keys of collections whose order is lost, which is told.
  let unorderedKeys: Set<String>
  /// True if one side of a relationship that the other does not name is a conflict to tell.
  let tellsConflicts: Bool

  /// The values of a transformed attribute that need no transform: they are bound as they are.
  struct UsualValue {
    /// True if these are the values that the type takes.
    let isPassed: Bool
    let type: AttributeType
    /// True if nothing may stand there, and has no default.
    let mayBeNothing: Bool
    /// The columns; -1 where there is none.
    let column: Int
    let runs: Int?

    init(_ plan: ImportPlan.AttributePlan, _ stored: EntityShape.StoredAttribute) {
      isPassed = plan.conversion == nil && stored.acceptsAllValues && stored.column != nil
      type = stored.type
      mayBeNothing =
        plan.givesNothingForNothing && stored.attribute.isOptional && stored.defaultValue == nil
      column = stored.column ?? -1
      runs = stored.runs
    }
  }

  /// The transform that gives an attribute its value.
  final class AttributeTransform {
    let plan: ImportPlan.AttributePlan
    let stored: EntityShape.StoredAttribute
    /// Its key; nil where there is none.
    let key: String?
    /// The name of where its values come from, for what is noticed of them.
    let sourceName: String
    /// Writes values as texts of the attribute's type, without a detour.
    let writer: (any TextWritingStep)?

    init(_ plan: ImportPlan.AttributePlan, _ stored: EntityShape.StoredAttribute) {
      self.plan = plan
      self.stored = stored
      key = plan.source.key
      sourceName = plan.source.keyPath?.joined(separator: ".") ?? stored.attribute.name
      let writer = plan.conversion?.textWriter
      let takesText = stored.acceptsEverything && stored.form.usual != .seconds
      self.writer = takesText && writer?.writtenType == stored.type ? writer : nil
    }
  }

  /// A class whose rows an entity mapping makes.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - direct: The parts of it that need no more than a look at the archive.
  ///   - shape: The entity.
  ///   - relationships: All relationships.
  init(
    _ mapping: ImportPlan.EntityPlan, _ direct: ImportPlan.DirectPlan, _ shape: EntityShape,
    _ relationships: [StoredRelationship]
  ) {
    entity = mapping.entity
    name = shape.name
    (table, kind) = (shape.table, shape.kind)
    discriminator = shape.discriminator
    columnCount = shape.columnCount
    ignored = mapping.unread
    var properties: [String: [String]] = [:]
    var transforms: [AttributeTransform] = []
    var filled: Set<Int> = []
    func add(_ name: String, _ key: String) {
      if properties[key]?.contains(name) != true { properties[key, default: []].append(name) }
    }
    for (place, plan) in mapping.attributes.enumerated() {
      let stored = shape.attributes[plan.attribute]
      filled.insert(plan.attribute)
      if direct.bound.contains(place), let key = plan.source.key {
        add(stored.attribute.name, key)
      } else {
        transforms.append(AttributeTransform(plan, stored))
      }
    }
    // What nothing feeds gets its default, or is missing.
    for (index, stored) in shape.attributes.enumerated()
    where !filled.contains(index) && (stored.defaultValue != nil || !stored.attribute.isOptional) {
      transforms.append(
        AttributeTransform(
          ImportPlan.AttributePlan(attribute: index, source: .keyPath([])), stored))
    }
    self.transforms = transforms
    usualValues = transforms.map { UsualValue($0.plan, $0.stored) }
    preparationOrder = transforms.indices.sorted {
      transforms[$0].plan.attribute < transforms[$1].plan.attribute
    }
    for plan in mapping.relationships where plan.split == nil {
      if let key = plan.source.key {
        add(relationships[plan.relationship].name, key)
      }
    }
    for plan in mapping.collections { add(plan.name, plan.key) }
    for (key, name) in mapping.overflowing { add(name, key) }
    self.properties = properties
    splits = mapping.relationships.filter { $0.split != nil }
    unorderedKeys = mapping.unorderedKeys
    tellsConflicts = !direct.isPlain
  }
}

extension ImportPlan.AttributePlan {
  /// True if it gives nothing where its key holds nothing, or is not there.
  var givesNothingForNothing: Bool {
    conversion?.convertsNull != true && source.keyPath != nil
  }
}
