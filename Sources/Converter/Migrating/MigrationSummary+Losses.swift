import DataModel
import GraphCore
import Importer
import Mappings
import Migration

extension MigrationSummary {
  /// Takes note of what entity mappings and their policies did.
  mutating func note(
    _ outcome: MigrationOutcome, _ program: MigrationProgram,
    _ policies: MigrationProgram.PolicyMakers
  ) {
    note(uses(outcome, program), program)
    for (index, mapping) in program.mappings.enumerated() {
      entityMappings[index].sourceObjects = outcome.selected[index]
      if mapping.destinationEntity != nil || mapping.isEager {
        entityMappings[index].destinationObjects = outcome.made[index]
      }
      if mapping.isEager {
        entityMappings[index].droppedObjects = max(
          0, outcome.selected[index] - outcome.takenCount[index])
      }
      if let losses = policies.losses[index] { entityMappings[index].lostValues = losses.counts }
    }
    let names = Set(program.source.entities.map(\.name))
    sourceObjects = outcome.sourceObjects.filter { names.contains($0.key) && $0.value > 0 }
    unmigratedObjects = outcome.unmigratedObjects.filter { names.contains($0.key) && $0.value > 0 }
    otherObjects = max(
      0, outcome.rowCount - entityMappings.reduce(0) { $0 + $1.destinationObjects })
    replacedLinks = outcome.replacedLinks
  }

  /// The acts of policies: one that was given no object has not departed from the mapping model.
  private func uses(_ outcome: MigrationOutcome, _ program: MigrationProgram) -> PolicyUses {
    var uses = outcome.uses
    for index in program.mappings.indices
    where program.mappings[index].isEager && outcome.selected[index] == 0 {
      uses.attributes.insert(index)
      uses.relationships.insert(index)
    }
    return uses
  }

  /// Adds the number of values that were lost: those that a conversion changed, those that nothing
  /// reads, and links that lead to nothing.
  ///
  /// - Parameters:
  ///   - program: The entity mappings.
  ///   - outcome: What they made.
  ///   - graph: The objects of the old store.
  /// - Throws: `ArchiveError` if the store cannot be read.
  /// - Complexity: Linear in the values of the source objects of entity mappings that convert
  ///   attributes or leave some unread, and in the links of relationships of which some may be lost;
  ///   of others, nothing is read.
  mutating func countLosses(
    _ program: MigrationProgram, _ outcome: MigrationOutcome, _ graph: any ObjectGraph
  ) throws {
    let partlyUnread = partlyUnreadProperties(uses(outcome, program), program)
    let links = LinkLossCounter(program, outcome, graph)
    for index in entityMappings.indices {
      entityMappings[index].lostLinks = try links.counts(of: index)
      let entry = entityMappings[index]
      let demands = program.demands(index)
      guard
        !entry.unreadProperties.isEmpty || !entry.convertedAttributes.isEmpty || !demands.isEmpty
      else { continue }
      var counter = LossCounter(
        graph, unread: entry.unreadProperties, converted: program.conversions(index),
        demands: demands)
      let readers = partlyUnread[index]
      try outcome.forEachSource(of: index) { uid in
        try counter.count(uid) { key in
          try readers[key]?.contains { try outcome.takes(uid, $0) } ?? false
        }
      }
      // A property is read if others read it of all its objects with a value; and if no object has
      // one, it is that of subentities.
      entityMappings[index].unreadProperties.removeAll {
        readers[$0] != nil && counter.unreadValues[$0] == nil
      }
      entityMappings[index].unreadValues = counter.unreadValues
      entityMappings[index].missingValues = counter.missingValues
      // The lost values of declared policies have been counted.
      entityMappings[index].lostValues.merge(counter.lostValues, uniquingKeysWith: +)
    }
  }
}

extension MigrationProgram {
  /// The attributes that an entity mapping copies from those of another type.
  fileprivate func conversions(_ index: Int) -> [LossCounter.Conversion] {
    let mapping = mappings[index]
    guard let entity = mapping.destinationEntity else { return [] }
    let properties = destination.entities[entity].properties
    return zip(properties, mapping.values).compactMap { property, value in
      guard case .copy(let key, false, _) = value, case .attribute(let attribute) = property.content
      else { return nil }
      return LossCounter.Conversion(key: key, attribute: attribute)
    }
  }

  /// The mandatory properties that an entity mapping takes over from optional ones.
  fileprivate func demands(_ index: Int) -> [LossCounter.Demand] {
    let mapping = mappings[index]
    guard mapping.policyClassName == nil, let from = mapping.sourceEntity,
      let entity = mapping.destinationEntity
    else { return [] }
    let properties = destination.entities[entity].properties
    return zip(properties, mapping.values).compactMap { property, value in
      switch (property.content, value) {
      case (.attribute(let attribute), .copy(let key, _, .null)):
        let old = sourceHierarchy.attribute(key, of: from, in: source)
        guard !attribute.isOptional, old?.isOptional ?? false else { return nil }
        return LossCounter.Demand(key: key, property: property.name)
      case (.relationship(let relationship, let pair, _), .links(let links)):
        guard !relationship.isOptional, relationship.requiredCount > 0, isLazy[pair],
          case .relationship(let key) = links.sources
        else { return nil }
        return LossCounter.Demand(key: key, property: property.name)
      default: return nil
      }
    }
  }
}

/// Counts the values that source objects have and their destination objects have not.
private struct LossCounter {
  /// An attribute and the key of the source that its values come from.
  struct Conversion {
    var key: String
    var attribute: Attribute
  }

  /// A mandatory property of the destination, and the key of the source that it is taken over from.
  struct Demand {
    var key: String
    var property: String
  }

  let graph: any ObjectGraph
  let unread: [String]
  let converted: [Conversion]
  let demands: [Demand]
  var unreadValues: [String: Int] = [:]
  var lostValues: [String: Int] = [:]
  var missingValues: [String: Int] = [:]

  init(
    _ graph: any ObjectGraph, unread: [String], converted: [Conversion], demands: [Demand]
  ) {
    (self.graph, self.unread, self.converted) = (graph, unread, converted)
    self.demands = demands
  }

  /// Counts the values of a source object.
  ///
  /// - Parameters:
  ///   - uid: The object.
  ///   - isRead: Whether another entity mapping reads a property of it.
  /// - Throws: `ArchiveError` if it cannot be read.
  mutating func count(_ uid: Int, _ isRead: (String) throws -> Bool) throws {
    let object = try graph.object(uid)
    for key in unread where try hasValue(key, object) && !(try isRead(key)) {
      unreadValues[key, default: 0] += 1
    }
    for demand in demands where try !hasValue(demand.key, object) {
      missingValues[demand.property, default: 0] += 1
    }
    for conversion in converted where try isLost(conversion, object) {
      lostValues[conversion.attribute.name, default: 0] += 1
    }
  }

  private func hasValue(_ key: String, _ object: GraphObject) throws(ArchiveError) -> Bool {
    guard let position = graph.position(of: key, in: object) else { return false }
    switch try graph.value(of: object, at: position) {
    case .null, .nsNull: return false
    case .collection(let id, let kind): return try graph.elements(of: id, kind).count > 0
    default: return true
    }
  }

  private func isLost(
    _ conversion: Conversion, _ object: GraphObject
  ) throws(ArchiveError) -> Bool {
    guard let position = graph.position(of: conversion.key, in: object) else { return false }
    let value = try graph.value(of: object, at: position)
    if case .null = value { return false }
    let plain = graph.importValue(ofPlain: value)
    return plain.isNull || plain.losesValue(in: conversion.attribute.type)
  }
}
