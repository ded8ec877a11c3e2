import ArchiveReader
import DataModel
import Support

extension MappingDrafter {
  func entities() -> String {
    guard !model.entities.isEmpty else { return "entities: {}\n" }
    return "entities:\n"
      + (superclasses.map(suggestion) + model.entities.map(block))
      .joined(separator: "\n")
  }

  /// The block of a superclass, as a comment.
  private func suggestion(of group: SharedSuperclasses.Group) -> String {
    var lines = MappingDraft.YAML.entry(group.name, indentation: 0)
    if let parent = parent(of: Set(group.entities), besides: group) {
      lines += MappingDraft.YAML.entry("parent", MappingDraft.YAML.scalar(parent), indentation: 1)
    }
    lines += MappingDraft.YAML.entry("abstract", "true", indentation: 1)
    return MappingDraft.YAML.comment(
      "\(ArchivedName.plain(group.superclass)) is a superclass of "
        + "\(Words.list(group.entities, "and")). For one table with the rows of all of them, uncomment "
        + "its lines and theirs with it as parent:", indentation: 1)
      + MappingDraft.YAML.commentedOut(lines, indentation: 1)
  }

  /// The closest shared superclass of some entities.
  private func parent(
    of entities: Set<String>, besides group: SharedSuperclasses.Group? = nil
  ) -> String? {
    superclasses.filter { $0 != group && entities.isSubset(of: $0.entities) }
      .min { $0.entities.count < $1.entities.count }?.name
  }

  private func block(_ entity: Entity) -> String {
    var text = evidence.comments(on: entity).map { MappingDraft.YAML.comment($0, indentation: 1) }
      .joined()
    text += MappingDraft.YAML.entry(entity.name, indentation: 1)
    if let parent = entity.parent {
      text += MappingDraft.YAML.entry("parent", MappingDraft.YAML.scalar(parent), indentation: 2)
    } else if let parent = parent(of: [entity.name]) {
      text += MappingDraft.YAML.commentedOut(
        MappingDraft.YAML.entry("parent", MappingDraft.YAML.scalar(parent), indentation: 0),
        indentation: 2)
    }
    if entity.isAbstract { text += MappingDraft.YAML.entry("abstract", "true", indentation: 2) }
    text += MappingDraft.YAML.entry("complete", "true", indentation: 2)
    if entity.archivedClasses.contains(where: { KnownClass.isFoundationValue($0) }) {
      text += MappingDraft.YAML.entry("keepValues", "true", indentation: 2)
    }
    text += section("attributes", entity.attributes) { attribute in
      MappingDraft.YAML.entry(
        attribute.name, MappingDraft.YAML.flow(Self.pairs(attribute)),
        comment: comment { evidence.comment(on: attribute, of: entity) }, indentation: 3)
    }
    text += section("relationships", Self.byName(entity.relationships)) { relationships in
      let inverses = relationships.compactMap { relationship in
        comment { evidence.inverse(of: relationship, of: entity) }
      }
      .map { MappingDraft.YAML.comment($0, indentation: 3) }.joined()
      if relationships.count == 1 {
        return inverses
          + MappingDraft.YAML.entry(
            relationships[0].name, MappingDraft.YAML.flow(Self.pairs(relationships[0])),
            comment: comment { evidence.comment(on: relationships[0], of: entity) },
            indentation: 3)
      }
      return inverses + MappingDraft.YAML.entry(relationships[0].name, indentation: 3)
        + relationships.map { relationship in
          MappingDraft.YAML.item(
            MappingDraft.YAML.flow(Self.pairs(relationship)),
            comment: comment { evidence.comment(on: relationship, of: entity) }, indentation: 4)
        }.joined()
    }
    text += section("collections", entity.collections) { collection in
      MappingDraft.YAML.entry(
        collection.name, MappingDraft.YAML.flow(Self.pairs(collection)),
        comment: evidence.comment(on: collection, of: entity), indentation: 3)
    }
    return text
  }

  /// The evidence of the archives for a property; nil where a model declares it.
  private func comment(_ text: () -> String?) -> String? { options.isDeclared ? nil : text() }

  /// The relationships of each name: two where a key holds one row here and several there.
  private static func byName(_ relationships: [Relationship]) -> [[Relationship]] {
    relationships.map(\.name).uniqued().map { name in relationships.filter { $0.name == name } }
  }

  private func section<Property>(
    _ name: String, _ properties: [Property], _ entry: (Property) -> String
  ) -> String {
    guard !properties.isEmpty else { return "" }
    return MappingDraft.YAML.entry(name, indentation: 2) + properties.map(entry).joined()
  }
}
