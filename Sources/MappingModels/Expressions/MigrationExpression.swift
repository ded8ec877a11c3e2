import GraphCore
import Mappings

/// An expression of a mapping model: where a value, an object or a set of objects comes from.
///
/// It is a tree of what Core Data's migration understands of NSExpression. A part that is not
/// understood is an `unknown` leaf, which says why: nothing is guessed. Trees are less than a
/// hundred levels high, whether they come from texts (`MigrationFormatParser.maxLevels`) or from
/// archives, so that functions may call themselves for each level.
package indirect enum MigrationExpression: Sendable, Hashable {
  /// A value; nil is `.null`.
  case constant(UnarchivedValue)
  /// A variable: `$source`.
  case variable(Variable)
  /// The object that a predicate is asked about: `SELF`.
  case evaluatedObject
  /// What a path of keys and collection operators leads to: `$source.owner.name`.
  case keyPath(MigrationExpression, [KeyPathStep])
  /// A call of a method of an object: `FUNCTION($manager, "selector:", argument)`.
  case function(MigrationExpression, selector: String, [MigrationExpression])
  /// A function that expressions have by themselves: `now()`.
  case builtIn(MigrationFunction, [MigrationExpression])
  /// A value as one of another class: `CAST($source.date, "NSNumber")`.
  case cast(MigrationExpression, className: String)
  /// Source objects, or their number: `FETCH(…)`.
  case fetch(MigrationFetch)
  /// Several values: `{1, 2}`.
  case aggregate([MigrationExpression])
  /// Two sets: `$source.a UNION $source.b`.
  case set(SetOperation, MigrationExpression, MigrationExpression)
  /// The elements of a collection for which a predicate holds.
  case subquery(MigrationExpression, variable: Variable, MigrationPredicate)
  /// One value or another: `TERNARY($source.a > 1, "many", "one")`.
  case ternary(MigrationPredicate, MigrationExpression, MigrationExpression)
  /// What is not understood.
  case unknown(UnknownExpression)
}

extension MigrationExpression {
  /// The name of a variable, without its dollar sign.
  ///
  /// Core Data sets those that are listed here (`NSMigrationSourceObjectKey` and its neighbours). A
  /// subquery has one of its own.
  package struct Variable: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The migration manager.
    package static let manager = Variable(rawValue: "manager")
    /// The object that is migrated.
    package static let source = Variable(rawValue: "source")
    /// The object that it becomes.
    package static let destination = Variable(rawValue: "destination")
    /// The entity mapping.
    package static let entityMapping = Variable(rawValue: "entityMapping")
    /// The property mapping.
    package static let propertyMapping = Variable(rawValue: "propertyMapping")
    /// The policy of the entity mapping.
    package static let entityPolicy = Variable(rawValue: "entityPolicy")
  }
}

extension MigrationExpression {
  /// A step of a key path.
  package enum KeyPathStep: Sendable, Hashable {
    /// The name of a property.
    case key(String)
    /// An operator on the collection that the path has led to: `@count`.
    case collectionOperator(CollectionOperator)
  }
}

extension MigrationExpression {
  /// What is made of two sets: NSExpressionType of an NSSetExpression.
  package enum SetOperation: Int, Sendable, CaseIterable {
    case union = 5
    case intersection
    case difference
  }
}

/// The objects of a source entity for which a predicate holds.
package struct MigrationFetch: Sendable, Hashable {
  /// The name of the source entity.
  package var entityName: String
  /// Which of its objects.
  package var predicate: MigrationPredicate
  /// Whether only their number is asked for.
  package var isCountOnly: Bool

  package init(
    entityName: String, predicate: MigrationPredicate = .constant(true), isCountOnly: Bool = false
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.isCountOnly = isCountOnly
  }
}

/// A part of an expression or of a predicate that is not understood.
package struct UnknownExpression: Sendable, Hashable {
  /// Why it is not.
  package enum Reason: String, Sendable, CaseIterable {
    /// It is archived in a class that is unknown, or with keys that its class does not have.
    case unknownClass
    /// It is archived in a way that its class does not explain.
    case misshapen
    /// It calls a function of expressions that is unknown.
    case unknownFunction
    /// It compares in a way that is unknown.
    case unknownOperator
    /// It has a key path that is none, or has an unknown collection operator.
    case invalidKeyPath
    /// It fetches by something else than an entity and a predicate.
    case unknownFetch
    /// It is a text that is no expression, or no predicate.
    case invalidFormat
    /// It says of a relationship from where, but not by which entity mapping.
    case unknownEntityMapping
  }

  package var reason: Reason
  /// The name of the class, function, operator or path, or the text.
  package var name: String

  package init(_ reason: Reason, _ name: String) {
    self.reason = reason
    self.name = name
  }
}
