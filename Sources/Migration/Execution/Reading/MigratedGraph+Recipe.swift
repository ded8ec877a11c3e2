import DataModel
import GraphCore

extension MigratedGraph {
  /// How the values of a destination object are read off a source object of a certain shape.
  final class Recipe {
    /// Where the value of a property comes from.
    enum Cell {
      /// The source object has it, as it is.
      case source(Int)
      /// The source object has a reference to an object, of which the value is what entity mappings
      /// made.
      case member(Int, mappings: [Int])
      /// It is a to-many relationship: its number among those of the object.
      case collection(Int, CollectionKind)
      /// It is computed, or has to be looked for.
      case computed
    }

    /// For each property, where its value comes from.
    let cells: [Cell]
    /// For each property, where the source object has what it comes from; nil if it has not.
    let sources: [Int?]

    /// Finds out where values are.
    ///
    /// - Parameters:
    ///   - program: The migration.
    ///   - mapping: The entity mapping.
    ///   - isLookedUp: Whether the links of a pair of relationships are looked up in the source.
    ///   - position: Where the source object has a key.
    init(
      _ program: MigrationProgram, _ mapping: Int, isLookedUp: (_ pair: Int) -> Bool,
      position: (_ key: String) -> Int?
    ) {
      let planned = program.mappings[mapping]
      sources = planned.values.map { value in
        switch value {
        case .copy(let key, _, _): return position(key)
        case .links(let links):
          guard case .relationship(let key) = links.sources else { return nil }
          return position(key)
        case .none, .constant, .computed, .stored, .objects: return nil
        }
      }
      let entity = planned.destinationEntity.map { program.destination.entities[$0] }
      cells = planned.values.indices.map { [sources] index in
        switch (entity?.properties[index].content, planned.values[index]) {
        case (.relationship(let relationship, _, _), _) where relationship.isToMany:
          return .collection(
            index - (entity?.attributeCount ?? 0), relationship.isOrdered ? .orderedSet : .set)
        case (.relationship(_, let pair, _), .links(let links)) where isLookedUp(pair):
          return sources[index].map { .member($0, mappings: links.mappings) } ?? .computed
        case (.attribute, .copy(_, true, .null)) where !planned.requiredAttributes.contains(index):
          return sources[index].map { .source($0) } ?? .computed
        default: return .computed
        }
      }
    }
  }
}
