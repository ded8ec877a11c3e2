import DataModel
import GraphCore
import Mappings

/// Finds the destination objects that a relationship leads to by what a mapping says.
struct LinkResolver {
  let state: MigrationState
  let scope: MigrationScope

  /// The destination objects for a property of an object.
  ///
  /// - Parameters:
  ///   - value: Where they come from.
  ///   - reader: What reads the source object.
  ///   - source: The source object; nil where there is none.
  ///   - mapping: The entity mapping.
  ///   - property: The property.
  /// - Returns: Their indices.
  /// - Throws: `ArchiveError` where the source cannot be read; `MigrationError`.
  func members(
    _ value: PlannedValue, _ reader: SourceReader, of source: Int?, _ mapping: Int,
    _ property: DestinationSchema.Property
  ) throws -> [Int] {
    switch value {
    case .links(let links):
      guard let source else { return [] }
      return destinations(
        of: try sources(links.sources, reader, source, mapping, property.name), links.mappings,
        property)
    case .objects(let expression):
      let found = try evaluate(expression, source, mapping, property.name)
      let indices = DestinationHandle.indices(in: found)
      guard indices.isEmpty, !found.isNull, !found.isEmptyCollection else {
        return indices.filter { holds($0, property) }
      }
      throw MigrationError(
        .failedExpression, entityMapping: state.program.mappings[mapping].info.name,
        property: property.name, name: "expected objects of the new store, found \(found.kind)")
    case .none, .constant, .copy, .computed, .stored: return []
    }
  }

  private func sources(
    _ sources: PlannedMapping.Links.Sources, _ reader: SourceReader, _ source: Int, _ mapping: Int,
    _ property: String
  ) throws -> [Int] {
    switch sources {
    case .itself: return [source]
    case .relationship(let key):
      let object = try reader.graph.object(source)
      guard let position = reader.position(of: key, in: object) else { return [] }
      return try reader.objects(try reader.graph.value(of: object, at: position))
    case .expression(let expression):
      return ObjectHandle.uids(in: try evaluate(expression, source, mapping, property))
    }
  }

  private func evaluate(
    _ expression: ValueExpression, _ source: Int?, _ mapping: Int, _ property: String
  ) throws(MigrationError) -> ImportValue {
    do {
      return try scope.evaluate(expression, of: source, mapping, property)
    } catch {
      throw MigrationError(
        .failedExpression, entityMapping: state.program.mappings[mapping].info.name,
        property: property, name: "\(error)")
    }
  }

  /// What entity mappings made of source objects, in their order; each once.
  func destinations(
    of sources: [Int], _ mappings: [Int], _ property: DestinationSchema.Property
  ) -> [Int] {
    var found: [Int] = []
    found.reserveCapacity(sources.count)
    for uid in sources {
      for mapping in mappings {
        state.forEachDestination(of: uid, mapping) { index in
          if !state.program.mappings[mapping].isEager || holds(index, property) {
            found.append(index)
          }
        }
      }
    }
    return found
  }

  /// Whether a relationship can lead to an object.
  func holds(_ index: Int, _ property: DestinationSchema.Property) -> Bool {
    guard case .relationship(let relationship, _, _) = property.content,
      let entity = state.entity(of: index)
    else { return false }
    let hierarchy = state.program.destination.hierarchy
    return relationship.destinations.compactMap(hierarchy.index)
      .contains { hierarchy.isKind(entity, of: $0) }
  }
}

extension ImportValue {
  /// Whether it is a collection without elements.
  fileprivate var isEmptyCollection: Bool {
    switch self {
    case .list(let elements), .set(let elements): elements.isEmpty
    default: false
    }
  }
}
