import ArchiveReader
import Converter
import Foundation
import Support

extension ConvertCommand.ShowModel {
  /// A model for people: a table for each entity.
  struct Listing {
    private let model: Model

    init(_ model: Model) {
      self.model = model
    }

    func text() -> String {
      let entities = model.numberedEntities
      var parts = ["\(Words.count(entities.count, "entity", plural: "entities"))\n"]
      parts += entities.map { table(of: $0.entity, number: $0.number) }
      return parts.joined(separator: "\n")
    }

    private func table(of entity: Entity, number: Int) -> String {
      var heading = "\(number) \(entity.name)"
      if let parent = entity.parent { heading += " : \(parent)" }
      if entity.isAbstract { heading += " (abstract)" }
      var table = TextTable(
        [heading, "type", ""], alignment: [.left, .left, .left], style: Console.style)
      for attribute in entity.attributes {
        table.add([attribute.name, attribute.type.rawValue, notes(on: attribute)])
      }
      for relationship in entity.relationships {
        let arrow = relationship.isToMany ? "→→" : "→"
        let destination = relationship.destinations.joined(separator: ", ")
        table.add([relationship.name, "\(arrow) \(destination)", notes(on: relationship)])
      }
      for constraint in entity.uniquenessConstraints {
        table.add([constraint.joined(separator: ", "), "unique", ""])
      }
      for index in entity.fetchIndexes {
        let properties = index.elements.map { $0.property ?? $0.expression ?? "?" }
        table.add([properties.joined(separator: ", "), "index", index.name])
      }
      return table.text()
    }

    private func notes(on attribute: Attribute) -> String {
      var notes: [String] = []
      if !attribute.isOptional { notes.append("required") }
      if attribute.isTransient { notes.append("transient") }
      if attribute.isDerived { notes.append("derived") }
      if let value = attribute.defaultValue, let text = Self.text(of: value) {
        notes.append("default \(text)")
      }
      if let bound = attribute.minimum {
        notes.append("at least \(Self.text(of: bound, attribute))")
      }
      if let bound = attribute.maximum {
        notes.append("at most \(Self.text(of: bound, attribute))")
      }
      if let pattern = attribute.pattern { notes.append("matches \(pattern)") }
      if let transformer = attribute.valueTransformerName { notes.append(transformer) }
      return notes.joined(separator: ", ")
    }

    private func notes(on relationship: Relationship) -> String {
      var notes: [String] = []
      if let inverse = relationship.inverse { notes.append("inverse \(inverse)") }
      if relationship.isToMany {
        if relationship.minimumCount > 0 { notes.append("at least \(relationship.minimumCount)") }
        if relationship.maximumCount > 0 { notes.append("at most \(relationship.maximumCount)") }
      }
      if relationship.isOrdered { notes.append("ordered") }
      if !relationship.isOptional { notes.append("required") }
      if relationship.isTransient { notes.append("transient") }
      if relationship.deleteRule != .nullify {
        notes.append("on deletion \(relationship.deleteRule.rawValue)")
      }
      return notes.joined(separator: ", ")
    }

    /// A bound of the values of an attribute: of texts it is one of their lengths.
    private static func text(of bound: Double, _ attribute: Attribute) -> String {
      if attribute.type == .date { return DateText.text(secondsSince2001: bound) }
      let number = Int64(exactly: bound).map(String.init) ?? "\(bound)"
      return attribute.type == .string ? "\(number) characters" : number
    }

    private static func text(of value: AttributeDefault) -> String? {
      switch value {
      case .boolean(let value): "\(value)"
      case .integer(let value): "\(value)"
      case .double(let value): "\(value)"
      case .decimal(let text): text
      case .string(let text): "\"\(text)\""
      case .date(let seconds): DateText.text(secondsSince2001: seconds)
      case .other: nil
      }
    }
  }
}

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
