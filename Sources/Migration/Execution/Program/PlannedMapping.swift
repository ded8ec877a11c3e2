import DataModel
import GraphCore
import Mappings
import Policies

/// An entity mapping that is ready to run.
struct PlannedMapping: Sendable {
  /// What policies see of it.
  let info: MigrationMapping
  /// Which of the mapping models of a step it belongs to.
  let pass: Int
  /// The name of the class of its policy, if it has one.
  let policyClassName: String?
  /// The entity of the source model whose objects it migrates, if it migrates any.
  let sourceEntity: Int?
  /// Which of them; nil for all.
  let filter: FilterPredicate?
  /// The entity of the destination model; nil if the objects are left behind.
  let destinationEntity: Int?
  /// For each property of the destination entity, where its value comes from.
  var values: [PlannedValue]
  /// The positions of the attributes of which every object must have a value, in an inferred step.
  var requiredAttributes: Set<Int> = []
  /// The names of the properties for which the mapping model has an expression.
  var filledProperties: Set<String> = []
  /// What a block of a mapping file makes in place of the policy, if there is one.
  var declared: DeclaredProperties?
  /// Whether values are computed once, when its objects are made: by a policy, or from what is only
  /// known then.
  var isEager: Bool
  /// What the author left for each property, by its name and key.
  var propertyUserInfo: [String: [String: UnarchivedValue]]

  /// Whether it says where a relationship leads to.
  var hasRelationships: Bool {
    values.contains(where: \.isOfRelationship)
  }
}

/// Where the value of a property comes from.
enum PlannedValue: Sendable {
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
  var isOfRelationship: Bool {
    switch self {
    case .links, .objects: true
    case .none, .constant, .copy, .computed, .stored: false
    }
  }
}

extension PlannedMapping {
  /// A relationship that leads to what source objects have become.
  struct Links: Sendable {
    /// The source objects that are asked for.
    enum Sources: Sendable {
      /// The source object itself: `$source`.
      case itself
      /// Those in a relationship of the source object: `$source.owner`.
      case relationship(String)
      /// Those that an expression gives.
      case expression(ValueExpression)
    }

    var sources: Sources
    /// The entity mappings that made the destination objects.
    var mappings: [Int]
  }
}
