import DataModel
import GraphCore

extension MigratedSource {
  /// The summary with the number of values that were lost: those that a conversion changed, those
  /// that nothing reads, and links that lead to nothing.
  ///
  /// - Parameter options: How the store is read.
  /// - Returns: The summary.
  /// - Throws: `ArchiveError` if the store cannot be read.
  /// - Complexity: Linear in the values of the source objects of entity mappings that convert
  ///   attributes or leave some unread, and in the links of relationships of which some may be lost;
  ///   of others, nothing is read.
  package func countedSummary(
    options: GraphOptions = GraphOptions()
  ) throws(ArchiveError) -> MigrationSummary {
    var summary = summary
    let reader = SourceReader(oldSource.makeGraph(options), options.limits)
    let links = LinkLossCounter(state, reader)
    for index in summary.entityMappings.indices {
      summary.entityMappings[index].lostLinks = try links.counts(of: index)
      let entry = summary.entityMappings[index]
      let demands = demands(index)
      guard
        !entry.unreadProperties.isEmpty || !entry.convertedAttributes.isEmpty || !demands.isEmpty
      else { continue }
      var counter = LossCounter(
        reader, unread: entry.unreadProperties, converted: conversions(index), demands: demands)
      let readers = partlyUnread[index]
      try state.forEachSource(of: index) { (uid) throws(ArchiveError) in
        try counter.count(uid) { key in
          readers[key]?.contains { state.takes(uid, $0) } ?? false
        }
      }
      // What others read of all of its objects that have a value is not unread, nor what only
      // subentities have and none of its objects.
      summary.entityMappings[index].unreadProperties.removeAll {
        readers[$0] != nil && counter.unreadValues[$0] == nil
      }
      summary.entityMappings[index].unreadValues = counter.unreadValues
      summary.entityMappings[index].missingValues = counter.missingValues
      // Those of declared policies have been counted.
      summary.entityMappings[index].lostValues.merge(counter.lostValues, uniquingKeysWith: +)
    }
    return summary
  }

  /// The attributes that an entity mapping copies from those of another type.
  private func conversions(_ index: Int) -> [LossCounter.Conversion] {
    let mapping = state.program.mappings[index]
    guard let entity = mapping.destinationEntity else { return [] }
    let properties = state.program.destination.entities[entity].properties
    return zip(properties, mapping.values).compactMap { property, value in
      guard case .copy(let key, false, _) = value, case .attribute(let attribute) = property.content
      else { return nil }
      return LossCounter.Conversion(key: key, attribute: attribute)
    }
  }

  /// The mandatory properties that an entity mapping takes over from optional ones.
  private func demands(_ index: Int) -> [LossCounter.Demand] {
    let program = state.program
    let mapping = program.mappings[index]
    guard mapping.policyClassName == nil, let from = mapping.sourceEntity,
      let entity = mapping.destinationEntity
    else { return [] }
    let properties = program.destination.entities[entity].properties
    return zip(properties, mapping.values).compactMap { property, value in
      switch (property.content, value) {
      case (.attribute(let attribute), .copy(let key, _, .null)):
        let old = program.sourceHierarchy.attribute(key, of: from, in: program.source)
        guard !attribute.isOptional, old?.isOptional ?? false else { return nil }
        return LossCounter.Demand(key: key, property: property.name)
      case (.relationship(let relationship, let pair, _), .links(let links)):
        guard !relationship.isOptional, relationship.requiredCount > 0, program.isLazy[pair],
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

  let reader: SourceReader
  let unread: [String]
  let converted: [Conversion]
  let demands: [Demand]
  var unreadValues: [String: Int] = [:]
  var lostValues: [String: Int] = [:]
  var missingValues: [String: Int] = [:]

  init(
    _ reader: SourceReader, unread: [String], converted: [Conversion], demands: [Demand]
  ) {
    (self.reader, self.unread, self.converted) = (reader, unread, converted)
    self.demands = demands
  }

  /// Counts the values of a source object.
  ///
  /// - Parameters:
  ///   - uid: The object.
  ///   - isRead: Whether another entity mapping reads a property of it.
  /// - Throws: `ArchiveError` if it cannot be read.
  mutating func count(_ uid: Int, _ isRead: (String) -> Bool) throws(ArchiveError) {
    let object = try reader.graph.object(uid)
    for key in unread where try hasValue(key, object) && !isRead(key) {
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
    guard let position = reader.position(of: key, in: object) else { return false }
    switch try reader.graph.value(of: object, at: position) {
    case .null, .nsNull: return false
    case .collection(let id, let kind): return try reader.graph.elements(of: id, kind).count > 0
    default: return true
    }
  }

  private func isLost(
    _ conversion: Conversion, _ object: GraphObject
  ) throws(ArchiveError) -> Bool {
    guard let position = reader.position(of: conversion.key, in: object) else { return false }
    let value = try reader.graph.value(of: object, at: position)
    if case .null = value { return false }
    let plain = reader.graph.importValue(ofPlain: value)
    return plain.isNull || plain.losesValue(in: conversion.attribute.type)
  }
}
