import DataModel

extension MappingReader {
  // MARK: Relationships

  /// The relationships of a name: one, or a to-one and a to-many one that share an archived key.
  mutating func relationships(
    _ name: Marked<String>, _ node: MappingNode
  ) -> [RelationshipMapping] {
    guard case .list(let items) = node.content, items.count > 1,
      items.allSatisfy({ if case .block = $0.content { true } else { false } })
    else { return relationship(name, node).map { [$0] } ?? [] }
    return items.compactMap { relationship(name, $0) }
  }

  /// A relationship; nil if nothing can be made of it.
  mutating func relationship(
    _ name: Marked<String>, _ node: MappingNode, _ block: MappingVocabulary.Block = .relationship
  ) -> RelationshipMapping? {
    guard let (source, fields) = property(name, node, block) else { return nil }
    var relationship = RelationshipMapping(name: name, source: source)
    noteConflict("to", ["into", "by"], fields)
    relationship.destinations = names(fields["to"] ?? fields["into"])
    relationship.split = split(fields, block)
    relationship.entityMapping = self.name(fields["mapping"])
    relationship.isToMany = flag(fields["toMany"])
    relationship.isOrdered = flag(fields["ordered"])
    relationship.inverse = self.name(fields["inverse"])
    relationship.deleteRule = word(fields["deleteRule"], .deleteRule)
    relationship.isOptional = flag(fields["optional"])
    let counts = 0...Int(Int32.max)
    relationship.minimumCount = integer(fields["minimum"], in: counts)
    relationship.maximumCount = integer(fields["maximum"], in: counts)
    // Zero is no limit.
    if let minimum = relationship.minimumCount, let maximum = relationship.maximumCount,
      maximum > 0, minimum > maximum, let node = fields["minimum"]
    {
      note(.badRange, at: node.mark, expected: MappingVocabulary.Block.relationship.noun)
    }
    relationship.keepsCount = flag(fields["keepCount"]) ?? false
    return relationship
  }

  /// The split of a value into parts that become rows; nil if it is not said.
  private mutating func split(
    _ fields: Fields, _ block: MappingVocabulary.Block
  ) -> RelationshipMapping.Split? {
    guard let by = fields["by"] else {
      for key in ["into", "split", "trim", "fold"] {
        guard let pair = fields.pairs[key] else { continue }
        note(
          .missingKey, at: pair.key.mark, name: "a relationship with '\(key)'", expected: "'by'")
        return nil
      }
      if block == .policyRelationship { _ = required("by", fields, block) }
      return nil
    }
    let separator = name(fields["split"], "a separator")?.value
    let trims = flag(fields["trim"]) ?? true
    let folding = word(fields["fold"], .folding, as: RelationshipMapping.Folding.self) ?? .none
    return name(by, "the name of an attribute").map {
      RelationshipMapping.Split(
        separator: separator, attribute: $0, trims: trims, folding: folding)
    }
  }

  // MARK: Collections

  /// A collection; nil if nothing can be made of it.
  mutating func collection(_ name: Marked<String>, _ node: MappingNode) -> CollectionMapping? {
    switch node.scalar {
    case .null?: return CollectionMapping(name: name, key: name)
    case .text?: return collectionKey(node).map { CollectionMapping(name: name, key: $0) }
    default: break
    }
    guard let fields = fields(node, .collection, or: "a key or a block of a collection") else {
      return nil
    }
    guard let key = fields["from"].map({ collectionKey($0) }) ?? name else { return nil }
    return CollectionMapping(
      name: name, key: key, form: form(name: name.value, key: key.value, fields),
      isOrdered: flag(fields["ordered"]))
  }

  /// The key of a collection: any text, also an empty one; nil if there is none.
  private mutating func collectionKey(_ node: MappingNode) -> Marked<String>? {
    if case .text("")? = node.scalar { return Marked("", at: node.mark) }
    return self.name(node, "a key")
  }

  /// The form of a collection's table; nil if it is not said.
  private mutating func form(
    name: String, key: String, _ fields: Fields
  ) -> ValueCollection? {
    let form = ValueCollection(
      name: name, key: key, isOrdered: flag(fields["ordered"]) ?? false,
      keyType: attributeType(fields["keys"]),
      hasReferencesAsKeys: flag(fields["keyReferences"]) ?? false,
      valueType: attributeType(fields["values"]),
      hasReferencesAsValues: flag(fields["valueReferences"]) ?? false,
      holdsNegativeZero: flag(fields["keepNegativeZero"]) ?? false,
      distinguishesEmpty: flag(fields["keepCount"]) ?? false)
    let keys = ["ordered", "keys", "keyReferences", "values", "valueReferences"]
    if keys.contains(where: { fields[$0] != nil }) { return form }
    for key in ["keepNegativeZero", "keepCount"] {
      guard let pair = fields.pairs[key] else { continue }
      note(
        .missingKey, at: pair.key.mark, name: "a collection with '\(key)'",
        expected: keys.map { "'\($0)'" }.joined(separator: " or "))
    }
    return nil
  }
}

extension MappingReader {
  /// The blocks that stand in for policies, in order.
  mutating func policies(_ node: MappingNode?) -> [PolicyMapping] {
    named(node, "a block of policies", "a policy").flatMap { name, value in
      guard case .list(let items) = value.content else {
        return policy(name, value).map { [$0] } ?? []
      }
      let blocks = items.compactMap { policy(name, $0) }
      noteRepeated(blocks)
      return blocks
    }
  }

  private mutating func policy(_ name: Marked<String>, _ node: MappingNode) -> PolicyMapping? {
    let expected = "a block of a policy, or a list of such blocks"
    guard let fields = fields(node, .policy, or: expected) else { return nil }
    var policy = PolicyMapping(className: name)
    policy.entityMapping = self.name(fields["mapping"], "the name of an entity mapping")
    policy.attributes = named(fields["attributes"], "a block of attributes", "an attribute")
      .compactMap { attribute($0, $1, .policyAttribute) }
    policy.relationships = named(
      fields["relationships"], "a block of relationships", "a relationship"
    ).compactMap { relationship($0, $1, .policyRelationship) }
    for other in policy.relationships.flatMap({ $0.destinations.dropFirst() }) {
      note(.wrongKind, at: other.mark ?? node.mark, name: "several", expected: "one entity")
    }
    return policy
  }

  /// Notes each block for what another one is for already.
  private mutating func noteRepeated(_ blocks: [PolicyMapping]) {
    var seen: Set<String?> = []
    for block in blocks where !seen.insert(block.entityMapping?.value).inserted {
      guard let mark = block.entityMapping?.mark ?? block.className.mark else { continue }
      note(
        .duplicateKey, at: mark, name: block.entityMapping?.value ?? block.className.value,
        expected: "a list of policies")
    }
  }
}
