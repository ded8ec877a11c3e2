import ArchiveReader
import ArchiveWriter
import Testing

@Suite("Predicates and sort descriptors")
struct PredicateValueTests {
  private static func constant(_ value: Sketch) -> Sketch {
    .object("NSConstantValueExpression", ["NSExpressionType": 0, "NSConstantValue": value])
  }

  private static let itself: Sketch = .object("NSSelfExpression", ["NSExpressionType": 1])
  private static let utilities: Sketch = .object(
    "NSConstantValueExpression",
    [
      "NSExpressionType": 0,
      "NSConstantValueClassName": .classReference("_NSPredicateUtilities"),
    ])

  private static func path(_ path: Sketch, type: Sketch = 3, of operand: Sketch = itself) -> Sketch
  {
    .object(
      "NSKeyPathExpression",
      [
        "NSExpressionType": type, "NSOperand": operand, "NSSelectorName": "valueForKeyPath:",
        "NSArguments": [
          .object("NSKeyPathSpecifierExpression", ["NSExpressionType": 10, "NSKeyPath": path])
        ],
      ])
  }

  private static func call(_ operand: Sketch, _ selector: Sketch, _ arguments: Sketch) -> Sketch {
    .object(
      "NSFunctionExpression",
      [
        "NSExpressionType": 4, "NSOperand": operand, "NSSelectorName": selector,
        "NSArguments": arguments,
      ])
  }

  private static func compare(
    _ left: Sketch, _ type: Sketch, _ right: Sketch, modifier: Sketch = 0, options: Sketch = 0
  ) -> Sketch {
    .object(
      "NSComparisonPredicate",
      [
        "NSLeftExpression": left, "NSRightExpression": right,
        "NSPredicateOperator": .object(
          "NSPredicateOperator",
          ["NSOperatorType": type, "NSModifier": modifier, "NSOptions": options]),
      ])
  }

  private static func compound(_ type: Sketch, _ predicates: Sketch) -> Sketch {
    .object(
      "NSCompoundPredicate", ["NSCompoundPredicateType": type, "NSSubpredicates": predicates])
  }

  private static func equality(_ type: Sketch, isNegated: Bool) -> Sketch {
    .object(
      "NSComparisonPredicate",
      [
        "NSLeftExpression": path("a"), "NSRightExpression": path("b"),
        "NSPredicateOperator": .object(
          "NSEqualityPredicateOperator",
          ["NSOperatorType": type, "NSModifier": 0, "NSNegate": .inline(.bool(isNegated))]),
      ])
  }

  private static let adult = compare(path("age"), 3, constant(.number(18)))

  static let formats: [(Sketch, String?)] = [
    (constant(.none), "nil"), (constant("a \"b\"\n"), #""a \"b\"\n""#),
    (constant(.number(-7)), "-7"), (constant(.entry(true)), "TRUE"),
    (constant(.entry(0.1)), "0.1"), (constant(.date(0.5)), #"CAST(0.5, "NSDate")"#),
    (constant(.made { $0.decimal(words: [125], exponent: -2) }), "1.25"),
    (constant(["a", .number(2)]), #"{"a", 2}"#), (constant(.data([1])), nil),
    (utilities, "_NSPredicateUtilities"), (itself, "SELF"),
    (
      .object("NSVariableExpression", ["NSExpressionType": 2, "NSVariable": "source"]),
      "$source"
    ),
    (path("owner.name"), "owner.name"), (path("name", type: 4), "name"),
    (
      path(
        "name", of: .object("NSVariableExpression", ["NSExpressionType": 2, "NSVariable": "s"])),
      "$s.name"
    ),
    (call(utilities, "sum:", [path("total")]), "sum(total)"),
    (call(utilities, "add:to:", [path("a"), constant(.number(1))]), "(a + 1)"),
    (
      call(
        .object("NSVariableExpression", ["NSExpressionType": 2, "NSVariable": "manager"]),
        "destinationInstancesFor:", [constant("x")]),
      #"FUNCTION($manager, "destinationInstancesFor:", "x")"#
    ),
    (
      .object(
        "NSAggregateExpression",
        ["NSExpressionType": 14, "NSCollection": [constant(.number(1)), path("a")]]), "{1, a}"
    ),
    (
      .object(
        "NSFetchRequestExpression",
        [
          "NSExpressionType": 50, "NSFRExpression": path("request"),
          "NSMOCExpression": path("context"), "NSCountOnlyFlag": true,
        ]), "FETCH(request, context, TRUE)"
    ),
    (
      .object(
        "NSAggregateExpression",
        ["NSExpressionType": 14, "NSCollection": ["a", constant(.number(2))]]), #"{"a", 2}"#
    ),
    (
      .object(
        "NSSetExpression",
        ["NSExpressionType": 7, "NSLeftExpression": path("a"), "NSRightExpression": path("b")]),
      "a MINUS b"
    ),
    (
      .object(
        "NSSubqueryExpression",
        [
          "NSExpressionType": 13, "NSExpression": path("people"), "NSVariable": "x",
          "NSSubpredicate": adult,
        ]), "SUBQUERY(people, $x, age >= 18)"
    ),
    (
      .object(
        "NSTernaryExpression",
        [
          "NSExpressionType": 20, "NSPredicate": .object("NSTruePredicate", [:]),
          "NSTrueExpression": path("a"), "NSFalseExpression": path("b"),
        ]), "TERNARY(TRUEPREDICATE, a, b)"
    ),
    (.object("NSAnyKeyExpression", ["NSExpressionType": 15]), "ANYKEY"),
    (equality(5, isNegated: true), "a != b"), (equality(4, isNegated: false), "a == b"),
    (equality(4, isNegated: true), nil),
    (
      .object(
        "NSComparisonPredicate",
        [
          "NSLeftExpression": path("a"), "NSRightExpression": constant("x"),
          "NSPredicateOperator": .object(
            "NSSubstringPredicateOperator",
            ["NSOperatorType": 8, "NSModifier": 0, "NSFlags": 11, "NSPosition": 0]),
        ]), #"a BEGINSWITH[cdl] "x""#
    ),
    (
      .object(
        "NSComparisonPredicate",
        [
          "NSLeftExpression": path("a"), "NSRightExpression": path("b"),
          "NSPredicateOperator": .object(
            "NSCustomPredicateOperator",
            ["NSOperatorType": 11, "NSModifier": 0, "NSSelectorName": "isLike:"]),
        ]), "a isLike: b"
    ),
    (adult, "age >= 18"),
    (compare(path("a"), 4, constant("x"), options: 3), #"a ==[cd] "x""#),
    (compare(path("a"), 99, constant("x"), modifier: 2), #"ANY a CONTAINS "x""#),
    (compare(path("a"), 10, path("b"), modifier: 1), "ALL a IN b"),
    (compare(path("a"), 12, path("b")), nil),
    (compound(1, [adult, adult]), "age >= 18 AND age >= 18"),
    (
      compound(2, [adult, compound(1, [adult, compound(0, [adult])])]),
      "age >= 18 OR (age >= 18 AND NOT (age >= 18))"
    ),
    (compound(2, [adult, .object("NSFalsePredicate", [:])]), "age >= 18 OR FALSEPREDICATE"),
    (compound(1, []), "TRUEPREDICATE"), (compound(2, []), "FALSEPREDICATE"),
    (compound(0, [adult, adult]), nil),
    (
      compound(0, [compare(call(utilities, "add:to:", [path("a"), path("b")]), 0, path("c"))]),
      "NOT ((a + b) < c)"
    ),
    (compound(0, [compound(2, [adult, adult])]), "NOT (age >= 18 OR age >= 18)"),
  ]

  @Test("are written in NSPredicate's format", arguments: formats.indices)
  func areWritten(index: Int) throws {
    let (sketch, expected) = Self.formats[index]
    let archive = try KeyedArchive(
      bytes: KeyedArchiveBuilder.archive { sketch.add(to: &$0) }.binary())
    let reader = archive.makeGraph(GraphOptions())
    let value = try #require(try reader.foundationValue(1))
    let format =
      value.as(ArchivedExpression.self)?.format
      ?? value.as(ArchivedComparisonPredicate.self)?.format
      ?? value.as(ArchivedCompoundPredicate.self)?.format
    #expect(format == expected)
  }

  static let forms = [
    FoundationForm(
      "NSSortDescriptor",
      ["NSKey": "name", "NSSelector": "caseInsensitiveCompare:", "NSAscending": true],
      #"{"ascending":true,CLASS,"key":"name","selector":"caseInsensitiveCompare:"}"#),
    .misfit("with another key", "NSSortDescriptor", ["NSKey": "name", "NSReversed": "b"]),
    FoundationForm(
      "NSComparisonPredicate",
      [
        "NSLeftExpression": itself, "NSRightExpression": constant("a"),
        "NSPredicateOperator": .object(
          "NSEqualityPredicateOperator",
          ["NSOperatorType": 4, "NSModifier": 0, "NSNegate": false, "NSVariant": 1]),
      ],
      #"{CLASS,"format":"SELF == \"a\"","left":{"class":"NSSelfExpression","format":"SELF","#
        + #""type":1},"operator":{"class":"NSEqualityPredicateOperator","isNegated":false,"#
        + #""modifier":0,"type":4,"variant":1},"right":{"class":"NSConstantValueExpression","#
        + #""constant":"a","format":"\"a\"","type":0}}"#),
    FoundationForm(
      "NSTruePredicate", [:], #"{CLASS,"format":"TRUEPREDICATE","value":true}"#),
    FoundationForm(
      "NSFalsePredicate", [:], #"{CLASS,"format":"FALSEPREDICATE","value":false}"#),
    .misfit("with a key", "NSTruePredicate", ["NSValue": 1]),
    .misfit(
      "without an operator", "NSComparisonPredicate",
      ["NSLeftExpression": itself, "NSRightExpression": itself]),
    FoundationForm(
      "NSCompoundPredicate", ["NSCompoundPredicateType": 1, "NSSubpredicates": []],
      #"{CLASS,"format":"TRUEPREDICATE","subpredicates":[],"type":1}"#),
    .misfit(
      "of texts", "NSCompoundPredicate", ["NSCompoundPredicateType": 1, "NSSubpredicates": ["a"]]),
    .misfit(
      "of an object", "NSConstantValueExpression",
      ["NSExpressionType": 0, "NSConstantValue": .object("Note", [:])]),
    .misfit(
      "of a block", "NSFunctionExpression", ["NSExpressionType": 4, "NSOperand": "self"]),
  ]

  @Test("are read in all their forms", arguments: forms)
  func areRead(form: FoundationForm) throws {
    try form.check()
  }
}
