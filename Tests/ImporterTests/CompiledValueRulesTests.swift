import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("The rules of values in compiled models")
struct CompiledValueRulesTests {
  /// A predicate that compares `SELF`, or a key path of it, with a constant.
  private struct Rule {
    var keyPath: String?
    var comparison: Int64
    var constant: PropertyListValue
    var isSpecifier = true
  }

  private func attribute(_ rules: [Rule], type: Int64 = 200) throws -> Attribute? {
    var archive = KeyedArchiveBuilder()
    let predicates = rules.map { rule in
      var left = archive.instance(of: "NSSelfExpression", ["NSExpressionType": 1])
      if let keyPath = rule.keyPath {
        let specifier = archive.instance(
          of: "NSKeyPathSpecifierExpression",
          ["NSExpressionType": 10, "NSKeyPath": archive.string(keyPath)])
        left = archive.instance(
          of: "NSKeyPathExpression",
          [
            "NSExpressionType": 4, "NSSelectorName": archive.string("valueForKeyPath:"),
            "NSArguments": archive.array([specifier]),
          ])
      }
      let right = archive.instance(
        of: "NSConstantValueExpression",
        ["NSExpressionType": 0, "NSConstantValue": rule.constant])
      let comparison = archive.instance(
        of: "NSComparisonPredicateOperator",
        ["NSOperatorType": .integer(rule.comparison), "NSModifier": 0])
      return archive.instance(
        of: "NSComparisonPredicate",
        ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": comparison])
    }
    let property = archive.instance(
      of: "NSAttributeDescription",
      [
        "NSPropertyName": archive.string("x"), "NSAttributeType": .integer(type),
        "NSIsOptional": true, "NSValidationPredicates": archive.array(predicates),
      ])
    let entity = archive.instance(
      of: "NSEntityDescription",
      [
        "NSEntityName": archive.string("A"),
        "NSProperties": archive.dictionary([archive.string("x"): property]),
      ])
    let model = archive.instance(
      of: "NSManagedObjectModel",
      ["NSEntities": archive.dictionary([archive.string("A"): entity])])
    archive.setTop("root", model)
    let folder = try TemporaryFolder()
    return try Model(contentsOf: try folder.write(archive.binary(), to: "M.mom"))
      .entities.first?.attributes.first
  }

  @Test("are the least and the greatest number")
  func numbers() throws {
    let found = try attribute([
      Rule(comparison: 3, constant: 1), Rule(comparison: 1, constant: 9.5),
    ])
    #expect(found == Attribute(name: "x", type: .integer32, minimum: 1, maximum: 9.5))
  }

  @Test("are lengths and a pattern of texts")
  func texts() throws {
    let found = try attribute(
      [
        Rule(keyPath: "length", comparison: 3, constant: 2),
        Rule(keyPath: "length", comparison: 1, constant: 8),
        Rule(comparison: 6, constant: "[a-z]+"),
      ], type: 700)
    #expect(
      found == Attribute(name: "x", type: .string, minimum: 2, maximum: 8, pattern: "[a-z]+"))
  }

  @Test("are left out where they compare something else")
  func others() throws {
    let found = try attribute([
      Rule(keyPath: "doubleValue", comparison: 3, constant: 1), Rule(comparison: 4, constant: 1),
      Rule(comparison: 3, constant: "text"),
    ])
    #expect(found == Attribute(name: "x", type: .integer32))
  }
}
