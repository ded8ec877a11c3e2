import DataModel
import Mappings
import Synchronization

/// The policy that a block of a mapping file declares.
///
/// It makes the properties that the block names; everything else is made as the mapping model says.
final class DeclaredPolicy: MigrationPolicy {
  private let className: String
  /// How many values of each attribute are not what they were.
  private let losses: PolicyLosses
  private let properties: DeclaredProperties
  /// For each relationship whose parts are folded, the objects by their folded parts.
  private var folded: [String: [ImportValue: DestinationInstance]] = [:]

  /// Makes a policy of the properties that a block declares in place of a class.
  init(_ properties: DeclaredProperties, of className: String, _ losses: PolicyLosses) {
    (self.properties, self.className, self.losses) = (properties, className, losses)
  }

  convenience init() { self.init(DeclaredProperties(), of: "", PolicyLosses()) }

  /// The error of a property that cannot be made, in words without a value.
  private func failure(
    _ source: SourceInstance, _ property: String, _ reason: String, _ mapping: MigrationMapping
  ) -> MigrationError {
    let object = "\(source.className) \(source.reader.number(of: source.object))"
    return MigrationError(
      .failedPolicy, entityMapping: mapping.name, property: property,
      name: "\(className), mapping '\(mapping.name)', \(object): '\(property)': \(reason)")
  }

  // MARK: Attributes

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    guard mapping.destination != nil else { return }
    let destination = try manager.createDestinationInstances(forSource: source, in: mapping)
    for declared in properties.attributes {
      destination[declared.attribute.name] = try value(of: declared, source, mapping)
    }
  }

  private func value(
    of declared: DeclaredProperties.DeclaredAttribute, _ source: SourceInstance,
    _ mapping: MigrationMapping
  ) throws -> ImportValue {
    let (name, type) = (declared.attribute.name, declared.attribute.type)
    let found = try value(of: declared.source, source)
    let converted: ConvertedValue
    do throws(ConversionFailure) {
      converted = try declared.conversion.convert(found)
    } catch {
      throw failure(source, name, "\(error)", mapping)
    }
    if converted.value.isNull, found.isNull { return declared.defaultValue }
    guard let fitted = converted.value.fitted(to: type), fitted.isStorable else {
      throw failure(source, name, "it cannot hold \(converted.value.kind)", mapping)
    }
    if converted.loss != nil || converted.value.losesValue(in: type) {
      losses.note(name)
    }
    return converted.value.isNull ? declared.defaultValue : fitted
  }

  private func value(
    of place: DeclaredProperties.Source, _ source: SourceInstance
  ) throws -> ImportValue {
    switch place {
    case .keyPath(let path): try source.value(forKeyPath: path)
    case .constant(let value): value
    }
  }

  // MARK: Relationships

  func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping,
    manager: MigrationManager
  ) throws {
    try manager.createRelationships(forDestination: destination, in: mapping)
    guard !properties.relationships.isEmpty else { return }
    let sources = try manager.sourceInstances(
      forMapping: mapping.name, destinations: [destination])
    for source in sources {
      for declared in properties.relationships {
        let rows = try parts(of: declared, source, mapping).map { part in
          try row(for: part, declared, manager.context)
        }
        if !rows.isEmpty { destination.add(rows, to: declared.name) }
      }
    }
  }

  /// The parts of a value, each once, as the attribute holds them.
  private func parts(
    of declared: DeclaredProperties.DeclaredRelationship, _ source: SourceInstance,
    _ mapping: MigrationMapping
  ) throws -> [ImportValue] {
    let split = declared.split
    var seen: Set<ImportValue> = []
    let elements = split.elements(of: try value(of: declared.source, source))
    return try elements.compactMap(split.part).compactMap { part in
      guard let fitted = part.fitted(to: declared.partType), fitted.isStorable else {
        throw failure(
          source, declared.name,
          "\(declared.entity).\(split.attribute.value) cannot hold \(part.kind)", mapping)
      }
      return seen.insert(fitted.folded(split.folding)).inserted ? fitted : nil
    }
  }

  /// The object of a part: found, or made.
  private func row(
    for part: ImportValue, _ declared: DeclaredProperties.DeclaredRelationship,
    _ context: any DestinationContext
  ) throws -> DestinationInstance {
    let attribute = declared.split.attribute.value
    let folding = declared.split.folding
    guard folding != .none else {
      return try context.findOrInsert(into: declared.entity, identity: [attribute: part])
    }
    if folded[declared.name] == nil {
      folded[declared.name] = Dictionary(
        try context.fetch(declared.entity).map { ($0[attribute].folded(folding), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    let key = part.folded(folding)
    if let row = folded[declared.name]?[key] { return row }
    let row = try context.findOrInsert(into: declared.entity, identity: [attribute: part])
    folded[declared.name]?[key] = row
    return row
  }
}

/// The numbers of values that a policy of a mapping file has changed, by attribute.
package final class PolicyLosses: Sendable {
  private let losses = Mutex<[String: Int]>([:])

  /// The numbers of values, by attribute.
  package var counts: [String: Int] { losses.withLock { $0 } }

  fileprivate func note(_ attribute: String) { losses.withLock { $0[attribute, default: 0] += 1 } }
}

/// The properties that a block of a mapping file makes in place of a policy, ready to run.
package struct DeclaredProperties: Sendable {
  /// Where values come from.
  enum Source: Sendable {
    /// A key of the source object, or a path of keys.
    case keyPath(String)
    case constant(ImportValue)
  }

  /// An attribute.
  struct DeclaredAttribute: Sendable {
    let attribute: Attribute
    let source: Source
    let conversion: ValueConversion
    /// What takes the place of nothing.
    let defaultValue: ImportValue

    /// Whether its values may become others.
    let isConverted: Bool
  }

  /// A relationship to objects that are found or made from parts of a value.
  struct DeclaredRelationship: Sendable {
    let name: String
    let source: Source
    let split: RelationshipMapping.Split
    /// The entity of the objects.
    let entity: String
    /// The type of the attribute that holds a part.
    let partType: AttributeType
  }

  var attributes: [DeclaredAttribute] = []
  var relationships: [DeclaredRelationship] = []

  /// The names of the properties.
  var names: Set<String> { Set(attributes.map(\.attribute.name) + relationships.map(\.name)) }
}

/// The policy of entity mappings that name none, but have values that are computed once.
final class PlainEntityPolicy: MigrationPolicy {
  init() {}
}
