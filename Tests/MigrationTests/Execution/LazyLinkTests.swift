import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphTesting
import Mappings
import Migration
import TestSupport
import Testing

/// Links that are looked up, and links that are kept: see `LinkAnalysis`.
@Suite("Links that are looked up are those that would be kept")
struct LazyLinkTests {
  /// Does what Core Data does: with a policy, all links are kept.
  private final class DefaultPolicy: MigrationPolicy {}

  private static func relationship(
    _ name: String, _ destination: String, _ isToMany: Bool, isOrdered: Bool = false,
    inverse: String?
  ) -> Relationship {
    Relationship(
      name: name, destinations: [destination], isToMany: isToMany, isOrdered: isOrdered,
      inverse: inverse)
  }

  private static let entities = [
    Entity(
      name: "Left", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        relationship("many", "Right", true, inverse: "one"),
        relationship("others", "Right", true, inverse: "others"),
        relationship("only", "Right", false, inverse: "only"),
        relationship("parent", "Left", false, inverse: "children"),
        relationship("children", "Left", true, inverse: "parent"),
        relationship("seen", "Right", true, inverse: nil),
      ]),
    Entity(
      name: "Right", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        relationship("one", "Left", false, inverse: "many"),
        relationship("others", "Left", true, inverse: "others"),
        relationship("only", "Left", false, inverse: "only"),
      ]),
  ]

  private static func store(_ random: inout SeededGenerator) throws -> MadeStore {
    func key(_ random: inout SeededGenerator) -> String {
      Int.random(in: 0...3, using: &random) == 0
        ? "NULL" : "\(Int.random(in: 1...9, using: &random))"
    }
    var only = Array(1...9).shuffled(using: &random)[...]
    var left: [String] = []
    var right: [String] = []
    var others: Set<String> = []
    for number in 1...9 {
      let partner = only.popFirst() ?? 0
      left.append("(\(number), 1, 1, 'L\(number)', \(partner), \(key(&random)))")
      right.append("(\(number), 2, 1, 'R\(number)', \(key(&random)), NULL)")
      if partner > 0 { right.append("UPDATE \(partner) \(number)") }
      others.insert("(\(number), \(Int.random(in: 1...9, using: &random)))")
    }
    let updates = right.filter { $0.hasPrefix("UPDATE") }.map { text in
      let parts = text.split(separator: " ")
      return "UPDATE ZRIGHT SET ZONLY = \(parts[2]) WHERE Z_PK = \(parts[1]);"
    }
    return try MadeStore(
      entities,
      """
      INSERT INTO ZLEFT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZONLY, ZPARENT)
        VALUES \(left.joined(separator: ", "));
      INSERT INTO ZRIGHT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZONE, ZONLY)
        VALUES \(right.filter { !$0.hasPrefix("UPDATE") }.joined(separator: ", "));
      \(updates.joined(separator: "\n"))
      INSERT INTO Z_1OTHERS SELECT column1, column2
        FROM (VALUES \(others.sorted().joined(separator: ", ")));
      """)
  }

  private static func mapping(
    _ entity: String, where filter: String, policy: String?
  ) -> MigrationEntityMapping {
    let keys = entities.first { $0.name == entity }?.relationships.map(\.name) ?? []
    var mapping = MigrationEntityMapping(
      entity, entity, where: filter, policy: policy, ["name": "$source.name"])
    mapping.relationshipMappings = keys.map {
      MigrationPropertyMapping(
        name: $0,
        valueExpression: ExpressionNode(
          format: MigrationEntityMapping.made(ofRelationship: $0)))
    }
    return mapping
  }

  @Test("A policy that does what Core Data does changes nothing", arguments: 0..<12)
  func agreement(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Self.store(&random)
    let filter = seed % 2 == 0 ? "TRUEPREDICATE" : "name != \"L3\" AND name != \"R5\""
    func migrated(_ left: String?, _ right: String?) throws -> MigratedSource {
      try store.migrated(
        to: Self.entities,
        [
          Self.mapping("Left", where: filter, policy: left),
          Self.mapping("Right", where: filter, policy: right),
        ], policies: ["DefaultPolicy": DefaultPolicy.self])
    }
    let plain = try migrated(nil, nil)
    #expect(checkGraph(plain) == [])
    if seed % 2 == 0 {
      #expect(try StoreContent.lines(plain) == StoreContent.lines(try store.open()))
    }
    for (left, right) in [
      ("DefaultPolicy", nil), (nil, "DefaultPolicy"), ("DefaultPolicy", "DefaultPolicy"),
    ]
      as [(String?, String?)]
    {
      let kept = try migrated(left, right)
      #expect(try StoreContent.lines(kept) == StoreContent.lines(plain))
      #expect(checkGraph(kept) == [])
      #expect(kept.summary.replacedLinks == 0)
    }
  }
}
