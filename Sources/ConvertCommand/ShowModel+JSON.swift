import Converter
import Foundation
import Support

extension ConvertCommand.ShowModel {
  /// The form of `convert model --json`: see Documentation/cli.md.
  struct JSON: Encodable {
    struct Entity: Encodable {
      var name: String
      var number: Int
      var parent: String?
      var abstract: Bool
      var versionHash: String?
      var attributes: [Attribute]
      var relationships: [Relationship]
      var uniquenessConstraints: [[String]]
      var indexes: [Index]
    }

    struct Attribute: Encodable {
      var name: String
      var type: String
      var optional: Bool
      var transient: Bool
      var derived: Bool
    }

    struct Relationship: Encodable {
      var name: String
      var destination: String
      var inverse: String?
      var toMany: Bool
      var ordered: Bool
      var optional: Bool
      var transient: Bool
      var minimumCount: Int
      var maximumCount: Int
      var deleteRule: String
    }

    struct Index: Encodable {
      var name: String
      var properties: [String?]
    }

    var entities: [Entity]
    var versionIdentifiers: [String]
    var digest: String
    var checksum: String

    init(_ source: ModelSource) {
      let model = source.model
      let hashes = source.hashes()
      entities = model.numberedEntities.map { numbered in
        let entity = numbered.entity
        return Entity(
          name: entity.name, number: numbered.number, parent: entity.parent,
          abstract: entity.isAbstract, versionHash: hashes[entity.name]?.base64EncodedString(),
          attributes: entity.attributes.map {
            Attribute(
              name: $0.name, type: $0.type.rawValue, optional: $0.isOptional,
              transient: $0.isTransient, derived: $0.isDerived)
          },
          relationships: entity.relationships.map {
            Relationship(
              name: $0.name, destination: $0.destinations.joined(separator: ", "),
              inverse: $0.inverse, toMany: $0.isToMany, ordered: $0.isOrdered,
              optional: $0.isOptional, transient: $0.isTransient, minimumCount: $0.minimumCount,
              maximumCount: $0.maximumCount, deleteRule: $0.deleteRule.rawValue)
          }, uniquenessConstraints: entity.uniquenessConstraints,
          indexes: entity.fetchIndexes.map {
            Index(name: $0.name, properties: $0.elements.map(\.property))
          })
      }
      versionIdentifiers = model.versionIdentifiers
      digest = Model.digest(of: hashes)
      checksum = Model.checksum(of: hashes)
    }

    func text() throws -> String { try JSONDocument.text(of: self) }
  }
}
