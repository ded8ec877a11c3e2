import DataModel
import Mappings

/// The properties that a block of a mapping file makes in place of a policy, ready to run.
struct DeclaredProperties: Sendable {
  /// An attribute.
  struct DeclaredAttribute: Sendable {
    let attribute: Attribute
    let source: ValueSource
    let conversion: ValueConversion
    /// What takes the place of nothing.
    let defaultValue: ImportValue

    /// Whether its values may become others.
    let isConverted: Bool
  }

  /// A relationship to objects that are found or made from parts of a value.
  struct DeclaredRelationship: Sendable {
    let name: String
    let source: ValueSource
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

  /// The keys of the source object that are read.
  var readKeys: Set<String> {
    Set((attributes.map(\.source) + relationships.map(\.source)).compactMap(\.keys.first))
  }
}

extension ValueSource {
  /// The keys that lead to the value; none for a constant.
  var keys: [String] { if case .keyPath(let keys) = self { keys } else { [] } }
}
