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
