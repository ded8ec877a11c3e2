import DataModel
import Mappings

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
