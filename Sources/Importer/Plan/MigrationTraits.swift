import Foundation
import Mappings

/// The demands of a migration on an import, beside its mapping.
///
/// The entity mappings of the only pass are those of the mapping models, in their order.
package struct MigrationTraits: Sendable {
  /// An entity mapping of a mapping model.
  package struct EntityTraits: Sendable {
    /// The form in which policies and expressions see it.
    package var info: MigrationMapping
    /// The number of its mapping model among those of a step.
    package var model: Int
    /// Makes its policy; nil if its objects are made while the store is read.
    package var makePolicy: (@Sendable () -> any MigrationPolicy)?
    /// The relationships that are set when all objects are there.
    package var links: [StagedLinks]
    /// The notes of the author for each property, by its name and key.
    package var userInfo: [String: [String: ImportValue]]

    package init(
      info: MigrationMapping, model: Int, makePolicy: (@Sendable () -> any MigrationPolicy)?,
      links: [StagedLinks], userInfo: [String: [String: ImportValue]]
    ) {
      (self.info, self.model, self.makePolicy) = (info, model, makePolicy)
      (self.links, self.userInfo) = (links, userInfo)
    }

    /// True if the walk over the store makes no rows of its objects.
    var isStaged: Bool { makePolicy != nil || info.destination == nil }
  }

  /// A relationship that leads to what entity mappings made of source objects.
  package struct StagedLinks: Sendable {
    /// The source objects, or what they have become.
    package enum Origin: Sendable {
      /// The source object itself.
      case itself
      /// The objects in a relationship of the source object.
      case key(String)
      /// The source objects that an expression gives.
      case expression(ValueExpression)
      /// The destination objects that an expression gives.
      case objects(ValueExpression)
    }

    package var relationship: String
    package var origin: Origin
    /// The entity mappings that made the destination objects.
    package var mappings: [Int]

    package init(_ relationship: String, _ origin: Origin, _ mappings: [Int] = []) {
      (self.relationship, self.origin, self.mappings) = (relationship, origin, mappings)
    }
  }

  package var entities: [EntityTraits]
  /// The values of an inserted row, by entity and attribute.
  package var initialValues: [String: [String: ImportValue]]
  /// The attributes that a store does not have, by source entity.
  package var unstoredKeys: [String: Set<String>]

  /// Archives a plain value, as a transformable attribute has it.
  package let archive: @Sendable (ImportValue) -> Data?

  package init(
    entities: [EntityTraits] = [], initialValues: [String: [String: ImportValue]] = [:],
    unstoredKeys: [String: Set<String>] = [:],
    archive: @escaping @Sendable (ImportValue) -> Data?
  ) {
    (self.entities, self.initialValues) = (entities, initialValues)
    (self.unstoredKeys, self.archive) = (unstoredKeys, archive)
  }

  /// A computed value as the store keeps it in an attribute.
  func stored(_ value: ImportValue, _ attribute: Attribute) -> ImportValue {
    guard attribute.type == .transformable else { return value }
    return archive(value).map { .data($0) } ?? value
  }

  /// The entity mappings of a name, of all mapping models.
  func mappings(named name: String) -> [Int] {
    entities.indices.filter { entities[$0].info.name == name }
  }

  /// The entity mappings of a name: those of a mapping model, or else of the others.
  func mappings(named name: String, besides mapping: Int) -> [Int] {
    let found = mappings(named: name)
    let own = found.filter { entities[$0].model == entities[mapping].model }
    return own.isEmpty ? found : own
  }
}
