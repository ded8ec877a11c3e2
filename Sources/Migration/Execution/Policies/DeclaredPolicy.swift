import DataModel
import Mappings
import Policies

/// The policy that a block of a mapping file declares.
///
/// It makes the properties that the block names; everything else is made as the mapping model says.
final class DeclaredPolicy: MigrationPolicy {
  /// Why a property of an object cannot be made.
  struct Failure: Error {
    /// The number of the source object.
    var uid: Int
    var property: String
    /// In words, without a value.
    var reason: String
  }

  /// How many values of each attribute are not what they were.
  private(set) var lostValues: [String: Int] = [:]
  private let properties: DeclaredProperties
  /// For each relationship whose parts are folded, the objects by their folded parts.
  private var folded: [String: [ImportValue: DestinationInstance]] = [:]

  init(_ properties: DeclaredProperties) { self.properties = properties }

  convenience init() { self.init(DeclaredProperties()) }

  // MARK: Attributes

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    guard mapping.destination != nil else { return }
    let destination = try manager.createDestinationInstances(forSource: source, in: mapping)
    for declared in properties.attributes {
      destination[declared.attribute.name] = try value(of: declared, source)
    }
  }

  private func value(
    of declared: DeclaredProperties.DeclaredAttribute, _ source: SourceInstance
  ) throws -> ImportValue {
    let (name, type) = (declared.attribute.name, declared.attribute.type)
    let found = try value(of: declared.source, source)
    let converted: ConvertedValue
    do throws(ConversionFailure) {
      converted = try declared.conversion.convert(found)
    } catch {
      throw Failure(uid: source.uid, property: name, reason: "\(error)")
    }
    if converted.value.isNull, found.isNull { return declared.defaultValue }
    guard let fitted = converted.value.fitted(to: type), fitted.isStorable else {
      throw Failure(
        uid: source.uid, property: name, reason: "it cannot hold \(converted.value.kind)")
    }
    if converted.loss != nil || converted.value.losesValue(in: type) {
      lostValues[name, default: 0] += 1
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
        let rows = try parts(of: declared, source).map { part in
          try row(for: part, declared, manager.context)
        }
        if !rows.isEmpty { destination.add(rows, to: declared.name) }
      }
    }
  }

  /// The parts of a value, each once, as the attribute holds them.
  private func parts(
    of declared: DeclaredProperties.DeclaredRelationship, _ source: SourceInstance
  ) throws -> [ImportValue] {
    let split = declared.split
    var seen: Set<ImportValue> = []
    let elements = split.elements(of: try value(of: declared.source, source))
    return try elements.compactMap(split.part).compactMap { part in
      guard let fitted = part.fitted(to: declared.partType), fitted.isStorable else {
        throw Failure(
          uid: source.uid, property: declared.name,
          reason: "\(declared.entity).\(split.attribute.value) cannot hold \(part.kind)")
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
