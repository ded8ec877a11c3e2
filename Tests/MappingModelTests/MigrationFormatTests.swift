import DataModel
import Foundation
import GraphCore
import MappingModelTesting
import Mappings
import Testing

@testable import Migration

@Suite("Expressions of mapping models")
struct MigrationFormatTests {
  static let instances = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  /// Texts that are written as they were parsed.
  static let texts = [
    "nil", "TRUE", "FALSE", "0", "-5", "9223372036854775808", "1.5", "1e+300", "\"\"",
    "\"a \\\"b\\\" \\\\ c\\n\"", "\"é 漢 😀\"", "$source", "$source.name",
    "$source.country.continent",
    "$source.countries.@distinctUnionOfSets.moods", "$source.items.@count", "@count", "SELF",
    "name",
    "#in.name", "#union", "$source.in", "$a.b[0]",
    "$a.b[($i + 1)].c",
    "FUNCTION($manager, \"\(instances)\", \"PersonToPerson\", $source.owner)",
    "FUNCTION($entityPolicy, \"createUUID\")",
    "FUNCTION($entityPolicy, \"ratingForRating:from:\", $source.rating, $source)",
    "FUNCTION($source.name, \"uppercaseString\").length",
    "now()", "random()", "uppercase($source.name)", "modulus:by:($source.a, 2)",
    "($source.a + $source.b)", "(($a - 1) * ($b / (2 ** 3)))", "($a + ($b - -5))",
    "CAST($source.date, \"NSNumber\")", "CAST(12.5, \"NSDate\")",
    "CAST(\"12.3\", \"NSDecimalNumber\")",
    "CAST(\"0E3B2F1C-0000-4000-8000-0123456789AB\", \"NSUUID\")",
    "CAST(\"https://example.org/\", \"NSURL\")",
    "{}", "{1, \"two\", $source.three}", "($source.a UNION $source.b)",
    "(($a INTERSECT $b) MINUS $c)",
    "SUBQUERY($source.tags, $tag, $tag.name BEGINSWITH[c] \"a\").@count",
    "TERNARY($source.age >= 18 AND NOT (name == nil), \"adult\", \"child\")",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", "
      + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", "
      + "\"maker == \\\"Fiat\\\" AND seats < 5\"), $manager.sourceContext, YES)",
  ]

  /// The tree of a text.
  private static func expression(_ text: String) throws -> ExpressionNode {
    try ExpressionParser.value(text, inMappingModel: true)
  }

  @Test("are written in the format that they were parsed from", arguments: texts)
  func roundTrip(text: String) throws {
    let expression = try Self.expression(text)
    #expect(expression.format == text)
    #expect(expression.unknownParts.isEmpty)
  }

  @Test("are the same after they have been archived", arguments: texts)
  func archived(text: String) throws {
    let expression = try Self.expression(text)
    let bytes = MappingModelArchiver.bytes { ExpressionArchiver.add(expression, to: &$0) }
    guard case .compiled(let model) = try MappingModelFile(bytes) else { return }
    let read = try #require(model.entityMappings.first?.attributeMappings.first)
    #expect(read.valueExpression == expression)
  }

  /// Texts that mean the same as others.
  static let spellings: [(text: String, meaning: String)] = [
    ("YES", "TRUE"), ("CAST('12.30', 'NSDecimalNumber')", "CAST(\"12.3\", \"NSDecimalNumber\")"),
    ("no", "FALSE"), ("NULL", "nil"), ("'a'", "\"a\""), ("self.name", "name"),
    ("+5", "5"), ("--5", "5"), ("-$a", "($a * -1)"), ("1 + 2 * 3 ** 4", "(1 + (2 * (3 ** 4)))"),
    ("8 - 4 - 2", "((8 - 4) - 2)"), ("(($a))", "$a"), ("uppercase:($a)", "uppercase($a)"),
    ("$a union $b", "($a UNION $b)"), ("$a.in", "$a.in"),
    ("ternary(1=1, 2, 3)", "TERNARY(1 == 1, 2, 3)"),
    (
      "FUNCTION( $manager , \"\(instances)\" , \"AToB\" , $source.b )",
      "FUNCTION($manager, \"\(instances)\", \"AToB\", $source.b)"
    ),
  ]

  @Test("may be written in other ways", arguments: spellings)
  func spelling(text: String, meaning: String) {
    #expect(ExpressionNode(format: text).format == meaning)
  }

  /// Texts that are predicates, as they are written.
  static let predicates: [(text: String, format: String)] = [
    ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate", "FALSEPREDICATE"),
    ("image != nil", "image != nil"), ("messageID < 10000", "messageID < 10000"),
    ("a = 1 && b <> 2", "a == 1 AND b != 2"), ("a=>1 || !(b=<2)", "a >= 1 OR NOT (b <= 2)"),
    ("a == 1 AND (b == 2 OR c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("not not a == 1", "a == 1"), ("ANY tags.name LIKE[cd] 'x*'", "ANY tags.name LIKE[cd] \"x*\""),
    ("ALL a > 1", "ALL a > 1"), ("NONE a > 1", "NOT (ANY a > 1)"),
    ("SOME a IN {1, 2}", "ANY a IN {1, 2}"),
    ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"), ("a MATCHES '[a-z]'", "a MATCHES \"[a-z]\""),
    ("a CONTAINS[n] 'x'", "a CONTAINS[n] \"x\""), ("a ENDSWITH[ld] 'x'", "a ENDSWITH[dl] \"x\""),
    ("a union b contains c", "(a UNION b) CONTAINS c"),
  ]

  @Test("have predicates", arguments: predicates)
  func predicate(text: String, format: String) throws {
    let predicate = try ExpressionParser.predicate(text, inMappingModel: true)
    #expect(predicate.format == format)
    #expect(ExpressionNode(predicate: format) == predicate)
  }

  /// Texts that are no expressions, and why.
  static let mistakes: [(text: String, code: ExpressionError.Code)] = [
    ("", .unexpectedEnd), ("$", .unexpectedCharacter), ("a b", .unexpectedToken),
    ("a == 1", .valueNeeded), ("(a", .unexpectedEnd), ("a.", .unexpectedEnd),
    ("a.@median", .unknownCollectionOperator), ("length:", .unexpectedToken),
    ("frobnicate(1)", .unknownFunction), ("now(1)", .unknownFunction), ("%@", .placeholder),
    ("a & b", .unsupported), ("\"a", .unterminatedText),
    ("FUNCTION($manager)", .unexpectedToken), ("TERNARY(a, b, c)", .predicateNeeded),
    ("CAST(a, NSDate)", .unexpectedToken), ("SUBQUERY(a, b, c == 1)", .unexpectedToken),
    ("ANYKEY", .unexpectedToken), ("a CONTAINS[x] b", .unknownModifier),
    ("ANY a", .quantifierNeedsComparison), ("ANY ANY a == 1", .unexpectedToken),
    ("a == b == c", .unexpectedToken),
  ]

  @Test("that are none are unknown, with the text", arguments: mistakes)
  func mistake(text: String, code: ExpressionError.Code) {
    let error = #expect(throws: ExpressionError.self) {
      try Self.expression(text)
    }
    #expect(error?.code == code)
    #expect(
      ExpressionNode(format: text) == .unknown(UnknownExpression(.invalidFormat, text)))
  }

  /// Texts whose trees would be higher than is allowed.
  static let deep = [
    String(repeating: "(", count: 10_000), String(repeating: "{", count: 10_000),
    String(repeating: "-", count: 10_000) + "(", String(repeating: "!", count: 10_000),
    String(repeating: "abs(", count: 5_000), String(repeating: "ANY ", count: 5_000),
    String(repeating: "NOT (", count: 5_000), String(repeating: "a[", count: 5_000),
    Array(repeating: "a", count: 5_000).joined(separator: " UNION "),
    "a" + String(repeating: "[0]", count: 10_000),
    String(repeating: "NONE ", count: 5_000) + "a", String(repeating: "a == ", count: 5_000) + "a",
  ]

  @Test("that are nested without end are unknown", arguments: deep.indices)
  func nesting(index: Int) {
    let text = Self.deep[index]
    #expect(
      ExpressionNode(format: text) == .unknown(UnknownExpression(.invalidFormat, text)))
  }

  @Test("may be nested as deep as is allowed on a thread with a small stack")
  func smallStack() async {
    let levels = ExpressionParser.maxLevels(inMappingModel: true) - 2
    let texts = [("(", ")"), ("{", "}"), ("abs(", ")"), ("$a[", "]"), ("CAST(", ", 'x')")].map {
      String(repeating: $0, count: levels) + "1" + String(repeating: $1, count: levels)
    }
    let parsed = await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(
          returning: texts.map { text in
            let expression = ExpressionNode(format: text)
            return expression.unknownParts.isEmpty && !expression.format.isEmpty
          })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(parsed == texts.map { _ in true })
  }

  @Test("may have long paths and lists")
  func long() throws {
    let path = "$source." + Array(repeating: "a", count: 10_000).joined(separator: ".")
    #expect(try Self.expression(path).format == path)
    let list = "{\(Array(repeating: "1", count: 10_000).joined(separator: ", "))}"
    #expect(try Self.expression(list).format == list)
    let all = Array(repeating: "a == 1", count: 3_000).joined(separator: " AND ")
    #expect(try ExpressionParser.predicate(all, inMappingModel: true).format == all)
    let sum = String(repeating: "(", count: 9_999) + "a" + String(repeating: " + a)", count: 9_999)
    #expect(
      try Self.expression(Array(repeating: "a", count: 10_000).joined(separator: "+")).format == sum
    )
  }

  /// Constants that the format cannot write.
  static let constants: [(value: UnarchivedValue, text: String)] = [
    (.data(Data(count: 12)), "<12 bytes>"), (.real(.nan), "<nan>"), (.nsNull, "nil"),
    (.className("Car"), "<class Car>"), (.set([.integer(1)]), "<set of 1>"),
    (.dictionary([]), "<dictionary of 0>"), (.array([.integer(1), .set([])]), "{1, <set of 0>}"),
  ]

  @Test("have values that are only described", arguments: constants)
  func described(value: UnarchivedValue, text: String) {
    #expect(ExpressionNode(constant: value).format == text)
  }

  /// Expressions that stand in mapping models and cannot be evaluated, and what is wrong.
  static let obstacles: [(text: String, words: String?)] = [
    ("$source.a[FIRST].b + 1", nil), ("FUNCTION($entityPolicy, \"a:\", SELF)", nil),
    ("SUBQUERY($source.a, $x, $x.b == 1)", nil), ("$x.a", "unknown variable $x"),
    ("FUNCTION($x, \"a\")", "unknown variable $x"),
    ("FUNCTION($entityPolicy, \"a:\")", "wrong number of arguments for a:"),
    (
      "FUNCTION(name, \"a\")",
      "FUNCTION needs a variable and, as text, the name of one of its functions"
    ),
    ("1 + random(5)", "the random function random is not supported"),
    ("bitwiseAnd:with:(1, 2)", "unknown function bitwiseAnd:with:"),
    ("mode({1})", "unknown function mode"), ("a UNION b", "UNION is not supported"),
    ("CAST(a, \"NSArray\")", "unknown type in CAST: NSArray"),
    ("CAST(\"x\", \"NSDate\")", "the value cannot be cast to NSDate"),
    ("TERNARY(a MATCHES \"(\", 1, 2)", "the regular expression is invalid"),
    ("TERNARY(a BETWEEN {1}, 1, 2)", "BETWEEN needs two bounds: { lower, upper }"),
    (
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", "
        + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)", "FETCH is not supported"
    ),
  ]

  @Test("say why they cannot be evaluated", arguments: obstacles)
  func evaluable(text: String, words: String?) throws {
    #expect(try Self.expression(text).mistake?.sentence == words)
  }
}
