import DataModel
import Mappings

// Blocks of a mapping file in place of policies.
extension MappingCompiler {
  /// Makes a block ready for an entity mapping.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - part: The entity mapping that names its policy.
  ///   - path: The path of the mapping file.
  /// - Returns: The properties that it makes.
  /// - Throws: `MigrationError` with everything that does not fit the models.
  func declared(
    _ block: PolicyMapping, in part: Part, _ path: String
  ) throws(MigrationError) -> DeclaredProperties {
    var declared = DeclaredProperties()
    var problems: [MappingError.Problem] = []
    for mapping in block.attributes {
      do throws(MappingError.Problem) {
        declared.attributes.append(try attribute(mapping, in: part))
      } catch { problems.append(error) }
    }
    for mapping in block.relationships {
      do throws(MappingError.Problem) {
        declared.relationships.append(try relationship(mapping, in: part))
      } catch { problems.append(error) }
    }
    if let first = problems.first {
      let error = MappingError(path: path, first, Array(problems.dropFirst()))
      throw MigrationError(.unsuitableBlock, name: "\(error)")
    }
    return declared
  }

  private func attribute(
    _ mapping: AttributeMapping, in part: Part
  ) throws(MappingError.Problem) -> DeclaredProperties.DeclaredAttribute {
    guard case .attribute(let attribute)? = content(mapping.name.value, of: part.destination) else {
      throw unknown(mapping.name, in: part.destination) { $0.isAttribute }
    }
    let source = try source(mapping.source, of: part.source)
    let rules = mapping.conversions.map(\.value)
    let conversion: ValueConversion
    do {
      conversion = try ValueConversion(rules)
    } catch {
      throw badConversion(mapping, "\(error)")
    }
    guard !conversion.needsArchive else {
      throw badConversion(mapping, "a store has no archive to take")
    }
    var defaultValue = ImportValue.null
    if let given = mapping.defaultValue {
      guard let fitted = given.fitted(to: attribute.type) else {
        throw badConversion(mapping, "its default is \(given.kind)")
      }
      defaultValue = fitted
    }
    if case .constant(let value) = source, !Self.holds(value, conversion, attribute.type) {
      let hint = attribute.type == .date && rules.isEmpty ? "; add 'convert: date'" : ""
      throw MappingError.Problem(
        .badConversion, at: mapping.source.mark ?? mapping.name.mark, name: mapping.name.value,
        expected: "its value is \(value.kind), its type \(attribute.type.rawValue)\(hint)")
    }
    return DeclaredProperties.DeclaredAttribute(
      attribute: attribute, source: source, conversion: conversion, defaultValue: defaultValue,
      isConverted: !rules.isEmpty || changesType(source, part.source, attribute))
  }

  /// True if an attribute can hold a constant.
  private static func holds(
    _ value: ImportValue, _ conversion: ValueConversion, _ type: AttributeType
  ) -> Bool {
    guard let converted = try? conversion.convert(value).value else { return false }
    return converted.isNull || converted.fitted(to: type)?.isStorable == true
  }

  private func badConversion(
    _ mapping: AttributeMapping, _ words: String
  ) -> MappingError.Problem {
    MappingError.Problem(
      .badConversion, at: mapping.conversions.first?.mark ?? mapping.name.mark,
      name: mapping.name.value, expected: words)
  }

  /// Whether an attribute is copied from one of another type.
  private func changesType(
    _ source: DeclaredProperties.Source, _ from: Int?, _ attribute: Attribute
  ) -> Bool {
    guard let from, case .keyPath(let key) = source,
      let found = sourceHierarchy.attribute(key, of: from, in: self.source)
    else { return false }
    return found.type != attribute.type
  }

  private func relationship(
    _ mapping: RelationshipMapping, in part: Part
  ) throws(MappingError.Problem) -> DeclaredProperties.DeclaredRelationship {
    let name = mapping.name
    guard case .relationship(let relationship, _, _)? = content(name.value, of: part.destination),
      let split = mapping.split
    else { throw unknown(name, in: part.destination) { !$0.isAttribute } }
    let source = try source(mapping.source, of: part.source)
    let entity = mapping.destinations.first ?? Marked(relationship.destinations.first ?? "")
    guard let index = destination.hierarchy.index(of: entity.value) else {
      throw MappingError.Problem(
        .unknownEntity, at: entity.mark, name: entity.value,
        nearest: NearestName.find(entity.value, in: destination.model.entities.map(\.name)))
    }
    guard !destination.entities[index].isAbstract else {
      throw MappingError.Problem(
        .abstractEntity, at: entity.mark ?? name.mark, name: entity.value)
    }
    let isHeld = relationship.destinations.compactMap(destination.hierarchy.index)
      .contains { destination.hierarchy.isKind(index, of: $0) }
    guard isHeld else {
      throw MappingError.Problem(
        .contradictsModel, at: entity.mark, name: name.value,
        expected: "it leads to \(relationship.destinations.joined(separator: ", "))")
    }
    guard case .attribute(let attribute)? = content(split.attribute.value, of: index) else {
      throw unknown(split.attribute, in: index) { $0.isAttribute }
    }
    return DeclaredProperties.DeclaredRelationship(
      name: name.value, source: source, split: split, entity: entity.value,
      partType: attribute.type)
  }

  // MARK: Names

  private func content(_ name: String, of entity: Int?) -> DestinationSchema.Content? {
    guard let entity = entity.map({ destination.entities[$0] }) else { return nil }
    return entity.positions[name].map { entity.properties[$0].content }
  }

  private func unknown(
    _ name: Marked<String>, in entity: Int?, among isMeant: (DestinationSchema.Content) -> Bool
  ) -> MappingError.Problem {
    let entity = entity.map { destination.entities[$0] }
    let names = entity?.properties.filter { isMeant($0.content) }.map(\.name) ?? []
    return MappingError.Problem(
      .unknownProperty, at: name.mark,
      name: [entity?.name, name.value].compactMap(\.self).joined(separator: "."),
      nearest: NearestName.find(name.value, in: names))
  }

  /// Where values come from; throws for a key that objects of the source entity do not have.
  private func source(
    _ found: Marked<ValueSource>, of entity: Int?
  ) throws(MappingError.Problem) -> DeclaredProperties.Source {
    let keys: [String]
    switch found.value {
    case .keyPath(let path): keys = path
    case .constant(let value): return .constant(value)
    case .expression:
      throw MappingError.Problem(
        .unknownKey, at: found.mark, name: "expression", expected: "a policy")
    }
    let path = keys.joined(separator: ".")
    guard let entity, context.source.obstacle(of: keys, from: source.entities[entity].name) != nil
    else { return .keyPath(path) }
    let whole = sourceHierarchy.withInherited(entity, in: source)
    let names = whole.attributes.map(\.name) + whole.relationships.map(\.name)
    throw MappingError.Problem(
      .unknownProperty, at: found.mark, name: "\(source.entities[entity].name).\(path)",
      nearest: keys.count == 1 ? NearestName.find(path, in: names) : nil)
  }
}

extension DestinationSchema.Content {
  fileprivate var isAttribute: Bool { if case .attribute = self { true } else { false } }
}
