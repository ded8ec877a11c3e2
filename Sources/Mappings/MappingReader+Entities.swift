extension MappingReader {
  /// The entity mappings of a file or a pass, in order.
  mutating func entities(_ node: MappingNode?) -> [EntityMapping] {
    named(node, "a block of entities", "an entity").flatMap { name, value in
      guard case .list(let items) = value.content else { return [entity(name, value)] }
      if items.isEmpty {
        note(
          .wrongKind, at: value.mark, name: value.kind,
          expected: "a block of an entity, or a list of such blocks")
      }
      return items.map { entity(name, $0) }
    }
  }

  private mutating func entity(_ name: Marked<String>, _ node: MappingNode) -> EntityMapping {
    var entity = EntityMapping(entity: name)
    let expected = "a block of an entity, or a list of such blocks"
    guard !node.isNull, let fields = fields(node, .entity, or: expected) else { return entity }
    entity.name = self.name(fields["name"])
    entity.sources = names(fields["from"])
    entity.parent = self.name(fields["parent"])
    entity.isAbstract = flag(fields["abstract"]) ?? false
    entity.filter = filter(fields["where"])
    entity.identity = names(fields["identity"])
    entity.policy = self.name(fields["policy"])
    entity.isComplete = flag(fields["complete"]) ?? false
    entity.keepsValues = flag(fields["keepValues"]) ?? false
    entity.attributes = named(fields["attributes"], "a block of attributes", "an attribute")
      .compactMap { attribute($0, $1) }
    entity.relationships = named(
      fields["relationships"], "a block of relationships", "a relationship"
    ).flatMap { relationships($0, $1) }
    entity.collections = named(fields["collections"], "a block of collections", "a collection")
      .compactMap { collection($0, $1) }
    entity.unread = names(fields["unread"])
    return entity
  }
}
