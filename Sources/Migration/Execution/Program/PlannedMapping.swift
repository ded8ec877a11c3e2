import DataModel
import GraphCore
import Mappings

/// An entity mapping that is ready to run.
package struct PlannedMapping: Sendable {
  /// What policies see of it.
  package let info: MigrationMapping
  /// Which of the mapping models of a step it belongs to.
  package let pass: Int
  /// The name of the class of its policy, if it has one.
  package let policyClassName: String?
  /// The entity of the source model whose objects it migrates, if it migrates any.
  package let sourceEntity: Int?
  /// Which of them; nil for all.
  package let filter: FilterPredicate?
  /// The entity of the destination model; nil if the objects are left behind.
  package let destinationEntity: Int?
  /// For each property of the destination entity, where its value comes from.
  package var values: [PlannedValue]
  /// The positions of the attributes of which every object must have a value, in an inferred step.
  package var requiredAttributes: Set<Int> = []
  /// The names of the properties for which the mapping model has an expression.
  package var filledProperties: Set<String> = []
  /// What a block of a mapping file makes in place of the policy, if there is one.
  package var declared: DeclaredProperties?
  /// Whether values are computed once, when its objects are made: by a policy, or from what is only
  /// known then.
  package var isEager: Bool
  /// The notes of the author for each property, by its name and key.
  package var propertyUserInfo: [String: [String: UnarchivedValue]]
}

/// Where the value of a property comes from.
package enum PlannedValue: Sendable {
  /// Nothing is said: nil, or what the other side of a relationship makes of it.
  case none
  /// A constant, of the type of the attribute.
  case constant(ImportValue)
  /// The attribute of a name of the source object, or a default where that is nil.
  case copy(key: String, fits: Bool, default: ImportValue)
  /// An expression.
  case computed(ValueExpression)
  /// An expression that is computed once, when the object is made.
  case stored(ValueExpression)
  /// The destination objects of source objects.
  case links(PlannedMapping.Links)
  /// The destination objects that an expression gives.
  case objects(ValueExpression)

  /// Whether it says where a relationship leads to.
  package var isOfRelationship: Bool {
    switch self {
    case .links, .objects: true
    case .none, .constant, .copy, .computed, .stored: false
    }
  }
}

extension PlannedMapping {
  /// A relationship that leads to what source objects have become.
  package struct Links: Sendable {
    /// The source objects that are asked for.
    package enum Sources: Sendable {
      /// The source object itself: `$source`.
      case itself
      /// Those in a relationship of the source object: `$source.owner`.
      case relationship(String)
      /// The source objects that an expression gives.
      case expression(ValueExpression)
    }

    package var sources: Sources
    /// The entity mappings that made the destination objects.
    package var mappings: [Int]
  }
}

extension Attribute {
  /// What an object has for the attribute when it is inserted: its default, or nil.
  package var initialValue: ImportValue {
    defaultValue?.importValue.flatMap { $0.fitted(to: type) } ?? .null
  }
}
