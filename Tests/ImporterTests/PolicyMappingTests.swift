import Importer
import Testing

@Suite("Blocks of mapping files that stand in for policies")
struct PolicyMappingTests {
  @Test("say how attributes and relationships are made")
  func reading() throws {
    let mapping = try Mapping(
      yaml: """
        policies:
          AmountPolicy:
            attributes:
              amount: {convert: number, default: 0}
              createdAt: created_at
              isProcessed: {value: false}
              title:
          TagsPolicy:
            - mapping: NoteToNote
              relationships:
                tags: {split: ",", into: Tag, by: name, fold: case}
            - attributes: {length: {from: body.length}}
        """, path: "map.yaml")
    var amounts = PolicyMapping(className: Marked("AmountPolicy"))
    var amount = AttributeMapping(name: Marked("amount"), source: Marked(.keyPath(["amount"])))
    amount.conversions = [
      Marked(.number(kind: .decimal, decimalSeparator: ".", groupingSeparator: nil))
    ]
    amount.defaultValue = .integer(0)
    amounts.attributes = [
      amount,
      AttributeMapping(name: Marked("createdAt"), source: Marked(.keyPath(["created_at"]))),
      AttributeMapping(name: Marked("isProcessed"), source: Marked(.constant(.bool(false)))),
      AttributeMapping(name: Marked("title"), source: Marked(.keyPath(["title"]))),
    ]
    var tags = PolicyMapping(className: Marked("TagsPolicy"))
    tags.entityMapping = Marked("NoteToNote")
    var relationship = RelationshipMapping(
      name: Marked("tags"), source: Marked(.keyPath(["tags"])))
    relationship.destinations = [Marked("Tag")]
    relationship.split = RelationshipMapping.Split(
      separator: ",", attribute: Marked("name"), folding: .case)
    tags.relationships = [relationship]
    var others = PolicyMapping(className: Marked("TagsPolicy"))
    others.attributes = [
      AttributeMapping(name: Marked("length"), source: Marked(.keyPath(["body", "length"])))
    ]
    #expect(mapping == Mapping(policies: [amounts, tags, others]))
    #expect(mapping.policies[1].entityMapping?.mark == SourceMark(line: 9, column: 16))
  }

  private static let mistakes: KeyValuePairs = [
    "policies: [a]": "1:11: expected a block of policies, found a list",
    "policies: {P: }":
      "1:15: expected a block of a policy, or a list of such blocks, found nothing",
    "policies: {P: {where: a}}":
      "1:16: unknown key 'where' in a policy, whose keys are mapping, attributes and relationships",
    "policies: {P: {attribute: {}}}":
      "1:16: unknown key 'attribute' in a policy (did you mean 'attributes'?)",
    "policies: {P: {mapping: 1}}":
      "1:25: expected the name of an entity mapping, found a number",
    "policies: {P: {attributes: {a: {expression: b}}}}":
      "1:33: unknown key 'expression' in an attribute of a policy, whose keys are from, value, convert and default",
    "policies: {P: {attributes: {a: {type: string}}}}":
      "1:33: unknown key 'type' in an attribute of a policy, whose keys are from, value, convert and default",
    "policies: {P: {attributes: {a: {from: b, value: 1}}}}":
      "1:42: the keys 'value' and 'from' are mutually exclusive",
    "policies: {P: {relationships: {r: {into: T}}}}":
      "1:36: missing key 'by' in a relationship with 'into'",
    "policies: {P: {relationships: {r: {from: a}}}}":
      "1:35: missing key 'by' in a relationship of a policy",
    "policies: {P: {relationships: {r: a}}}":
      "1:35: missing key 'by' in a relationship of a policy",
    "policies: {P: {relationships: {r: {into: [T, U], by: a}}}}":
      "1:46: expected one entity, found several",
    "policies: {P: {relationships: {r: {by: a, toMany: true}}}}":
      "1:43: unknown key 'toMany' in a relationship of a policy, whose keys are from, into, by, split, trim and fold",
    "policies: {P: [{}, {}]}": "1:12: duplicate key 'P' in a list of policies",
    "policies: {P: [{mapping: M}, {mapping: M}]}":
      "1:40: duplicate key 'M' in a list of policies",
  ]

  @Test("are checked", arguments: Array(mistakes))
  func mistake(mistake: (key: String, value: String)) {
    let error = #expect(throws: MappingError.self) {
      try Mapping(yaml: mistake.key, path: "map.yaml")
    }
    #expect(error?.description == "map.yaml:\(mistake.value)")
  }
}
