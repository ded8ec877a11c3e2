import Foundation
import Importer
import TestSupport
import Testing

@testable import Mappings

@Suite("Errors in expressions")
struct ExpressionErrorTests {
  @Test(
    "What cannot be parsed is told with its place",
    arguments: [
      ("", .unexpectedEnd, 0, nil), ("   ", .unexpectedEnd, 3, nil),
      ("a ==", .unexpectedEnd, 4, nil),
      ("a == 'x", .unterminatedText, 5, "'"), ("a == \"x'", .unterminatedText, 5, "\""),
      (#"a == '\d'"#, .badEscape, 6, #"\d"#), (#"a == '\u12G4'"#, .badEscape, 6, #"\u12G4"#),
      (#"a == '\ud800'"#, .badEscape, 6, #"\ud800"#),
      (#"a == '\udc00\ud800'"#, .badEscape, 6, #"\udc00"#),
      ("a == 1x", .badNumber, 5, "1x"), ("a == 1e", .badNumber, 5, "1e"),
      ("a == 1e999", .badNumber, 5, "1e999"), ("a == 0x", .badNumber, 5, "0x"),
      ("a == 0xFFFFFFFFFFFFFFFF", .badNumber, 5, "0xFFFFFFFFFFFFFFFF"),
      ("a == %@", .placeholder, 5, "%@"), ("%K == 1", .placeholder, 0, "%K"),
      ("a == ?", .unexpectedCharacter, 5, "?"), ("a == \u{7}", .unexpectedCharacter, 5, "U+7"),
      ("a == $", .unexpectedCharacter, 5, "$"),
      ("é == 'e\u{301}' AND ?", .unexpectedCharacter, 13, "?"),
      ("a & 4 == 4", .unsupported, 2, "&"), ("a := 1", .unsupported, 2, ":="),
      ("a << 1 == 2", .unsupported, 2, "<<"),
      ("FETCH(a, b, NO) == 1", .unsupported, 0, "FETCH"),
      ("a", .predicateNeeded, 0, nil), ("a == 1 AND b", .predicateNeeded, 11, nil),
      ("NOT b", .predicateNeeded, 4, nil), ("(a == 1) == TRUE", .valueNeeded, 0, nil),
      ("1 + (a == 1) == 2", .valueNeeded, 4, nil), ("(a == 1).b == 1", .valueNeeded, 0, nil),
      ("-(a == 1) == 1", .valueNeeded, 1, nil), ("{1, a == 1} == 1", .valueNeeded, 4, nil),
      ("ANY a", .quantifierNeedsComparison, 0, nil), ("ANY ALL a == 1", .unexpectedToken, 4, "ALL"),
      ("ANY (ALL a == 1)", .quantifierNeedsComparison, 0, nil),
      ("ANY (a == 1 OR b == 2)", .quantifierNeedsComparison, 0, nil),
      ("a == 1 == 1", .unexpectedToken, 7, "=="), ("a == 1 b", .unexpectedToken, 7, "b"),
      ("a == 1)", .unexpectedToken, 6, ")"), ("(a == 1", .unexpectedEnd, 7, nil),
      ("all == 1", .unexpectedToken, 4, "=="), ("a. == 1", .unexpectedToken, 3, "=="),
      ("a.1 == 1", .unexpectedToken, 2, "a number"), ("a == #1", .unexpectedCharacter, 5, "#"),
      ("{1, } == 1", .unexpectedToken, 4, "}"), ("{1 2} == 1", .unexpectedToken, 3, "a number"),
      ("a[0 == 1", .valueNeeded, 2, nil), ("a[] == 1", .unexpectedToken, 2, "]"),
      ("a:b == 1", .unexpectedToken, 0, "a:b"), ("add:to: == 1", .unexpectedToken, 0, "add:to:"),
      ("a CONTAINS[x] 'a'", .unknownModifier, 11, "x"),
      ("a ==[1] 'a'", .unexpectedToken, 5, "a number"),
      ("$x == 1", .unknownVariable, 0, "x"), ("$Source == 1", .unknownVariable, 0, "Source"),
      ("SUBQUERY(a, $x, $y == 1).@count == 1", .unknownVariable, 16, "y"),
      ("SUBQUERY(a, $x, $x == 1).@count == $x", .unknownVariable, 35, "x"),
      ("SUBQUERY(a, x, 1 == 1).@count == 1", .unexpectedToken, 12, "x"),
      ("sin(a) == 1", .unknownFunction, 0, "sin"), ("random() == 1", .randomFunction, 0, "random"),
      ("Sum(a) == 1", .unknownFunction, 0, "Sum"),
      ("a.@median.b == 1", .unknownCollectionOperator, 2, "median"),
      ("CAST(a, 'NSArray') == 1", .unknownType, 8, "NSArray"),
      ("CAST(a, b) == 1", .unexpectedToken, 8, "b"),
      ("CAST('2011-13-01', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('2011-02-29', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('2011-02-28T', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('2011-02-28T25:00', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('2011-02-28T00:00:00.', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('2011-02-28T00:00:00+1', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('2011-02-28  00:00', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('+201-02-28', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('12345-02-28', 'NSDate') == 1", .badCast, 5, "NSDate"),
      ("CAST('12,5', 'NSNumber') == 1", .badCast, 5, "NSNumber"),
      ("CAST('1e200', 'NSDecimalNumber') == 1", .badCast, 5, "NSDecimalNumber"),
      (
        "CAST('340282366920938463463374607431768211456', 'NSDecimalNumber') == 1", .badCast, 5,
        "NSDecimalNumber"
      ),
      ("CAST('x', 'NSUUID') == 1", .badCast, 5, "NSUUID"),
      ("CAST('', 'NSURL') == 1", .badCast, 5, "NSURL"),
      ("abs() == 1", .wrongArgumentCount, 0, "abs:"),
      ("now(1) == 1", .wrongArgumentCount, 0, "now"),
      ("modulus:by:(1) == 1", .wrongArgumentCount, 0, "modulus:by:"),
      ("FUNCTION($manager, 'a:', 1, 2) == 1", .wrongArgumentCount, 19, "a:"),
      ("FUNCTION(a, 'b') == 1", .badReceiver, 9, nil),
      ("FUNCTION($manager, b) == 1", .badReceiver, 19, nil),
      ("FUNCTION($manager.a, 'b') == 1", .badReceiver, 9, nil),
      ("FUNCTION($x, 'b') == 1", .unknownVariable, 9, "x"),
      ("SUBQUERY(a, $x, FUNCTION($x, 'b') == 1).@count == 1", .badReceiver, 25, nil),
      ("a BETWEEN {1}", .badBounds, 10, nil), ("a BETWEEN {b, 1, 2}", .badBounds, 10, nil),
      ("a MATCHES '('", .badPattern, 10, nil), ("a MATCHES 'a)|(b'", .badPattern, 10, nil),
      ("a MATCHES '\\\\Qa'", .badPattern, 10, nil),
    ] as [(String, ExpressionError.Code, Int, String?)])
  func errors(format: String, code: ExpressionError.Code, offset: Int, name: String?) throws {
    let error = #expect(throws: ExpressionError.self, "\(format)") {
      try FilterPredicate(parsing: format)
    }
    #expect(error == ExpressionError(code, offset: offset, name: name), "\(format)")
  }

  @Test("A comparison is no value")
  func comparison() throws {
    let error = #expect(throws: ExpressionError.self) { try ValueExpression(parsing: " a == 1") }
    #expect(error == ExpressionError(.valueNeeded, offset: 1))
  }

  @Test(
    "What fails for an object is told by kinds and names",
    arguments: [
      ("1 / 0 == 1", .divisionByZero, nil), ("modulus:by:(1, 0) == 1", .divisionByZero, nil),
      ("total / 0 == 1", .divisionByZero, nil), ("title + 1 == 1", .notNumbers, "text and integer"),
      ("date - date == 1", .notNumbers, "date and date"), ("-title == 1", .notNumbers, "text"),
      ("abs(title) == 1", .notNumbers, "text"),
      ("items.@sum.name == 1", .notNumbers, "integer and text"),
      ("title < 1", .notComparable, "text and integer"),
      ("id > id", .notComparable, "UUID and UUID"),
      ("max(1, 'a') == 1", .notComparable, "text and integer"),
      ("number CONTAINS 1", .notACollection, "integer"),
      ("1 IN number", .notACollection, "integer"),
      ("ANY number == 1", .notACollection, "integer"),
      ("title.@count == 1", .notACollection, "text"),
      ("SUBQUERY(title, $x, 1 == 1).@count == 1", .notACollection, "text"),
      ("number BEGINSWITH '1'", .notText, "integer"), ("'1' LIKE 1", .notText, "integer"),
      ("title CONTAINS 1", .notText, "integer"), ("number MATCHES '1'", .notText, "integer"),
      ("uppercase(1) == 1", .notText, "integer"), ("number.name == 1", .noKeys, "name of integer"),
      ("title.@count.a == 1", .notACollection, "text"), ("missing == 1", .unknownKey, "missing"),
      ("currency.rate == 1", .unknownKey, "rate"),
      ("$propertyMapping == 1", .unknownVariable, "propertyMapping"),
      ("FUNCTION($manager, 'missing') == 1", .unknownFunction, "missing"),
      ("itemSet[0] == 1", .badIndex, "set has no order"), ("numbers['a'] == 1", .badIndex, "text"),
      ("numbers[0.5] == 1", .badIndex, "real number"), ("number BETWEEN number", .badBounds, nil),
      ("number BETWEEN numbers", .badBounds, nil),
      ("CAST(title, 'NSDate') == 1", .badCast, "text to NSDate"),
      ("CAST(icon, 'NSString') == 1", .badCast, "data to NSString"),
      ("CAST(ln(0), 'NSDecimalNumber') == 1", .badCast, "real number to NSDecimalNumber"),
      ("CAST(ln(0), 'NSDate') == 1", .badCast, "real number to NSDate"),
      ("title MATCHES title + '('", .badPattern, nil),
    ] as [(String, ExpressionFailure.Code, String?)])
  func failures(format: String, code: ExpressionFailure.Code, name: String?) throws {
    let predicate = try FilterPredicate(parsing: format)
    let failure = #expect(throws: ExpressionFailure.self, "\(format)") {
      try predicate.evaluate(in: SampleScope())
    }
    #expect(failure == ExpressionFailure(code, name: name), "\(format)")
  }

  @Test("Errors and failures are told in words")
  func words() {
    #expect(
      "\(ExpressionError(.unknownFunction, offset: 4, name: "sin"))"
        == "unknown function sin (character 5)")
    #expect(
      "\(ExpressionFailure(.notComparable, .text("secret"), .integer(1)))"
        == "text and integer cannot be compared")
    for code in ExpressionError.Code.allCases {
      #expect(!ExpressionError(code, offset: 0).sentence.isEmpty)
    }
    for code in ExpressionFailure.Code.allCases {
      #expect(!"\(ExpressionFailure(code))".isEmpty)
    }
  }

  @Test("Pieces of the text in messages are short and without control characters")
  func shown() throws {
    let error = #expect(throws: ExpressionError.self) {
      try ValueExpression(
        parsing: "FUNCTION($manager, '\u{1B}[31m:\(String(repeating: "a", count: 100))')")
    }
    #expect(error?.name == "U+1B[31m:" + String(repeating: "a", count: 34))
  }
}

@Suite("Hostile expressions")
struct HostileExpressionTests {
  @Test(
    "Nesting is limited",
    arguments: [
      ("(", "1", ")"), ("{", "1", "}"), ("-(", "1", ")"), ("abs(", "1", ")"), ("a[", "1", "]"),
      ("NOT (", "1 == 1", ")"), ("a.@sum", "", ""), ("a", "", "[0]"),
      ("TERNARY(1 == 1, ", "1", ", 2)"),
      ("", "a", "[0][1]"), ("(", "a", ")[0]"), ("", "a", ".@sum"), ("", "a", ".@count"),
      ("((", "1", ")"),
      ("SUBQUERY(a, $x, SUBQUERY(", "a", ", $x, 1 == 1) == 1)"), ("", "a.@sum", ".@sum.b[0]"),
    ])
  func nesting(opening: String, middle: String, closing: String) throws {
    for count in [201, 1_000] {
      let format =
        String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
      #expect(throws: ExpressionError.self) { try ValueExpression(parsing: format) }
      #expect(throws: ExpressionError.self) { try FilterPredicate(parsing: format + " == 1") }
    }
  }

  @Test("A text that is too long is refused")
  func length() throws {
    let error = #expect(throws: ExpressionError.self) {
      try ValueExpression(parsing: String(repeating: " ", count: 65_536) + "1")
    }
    #expect(error == ExpressionError(.tooLong, offset: 0, name: "65536"))
    #expect(throws: Never.self) {
      try ValueExpression(parsing: String(repeating: " ", count: 65_535) + "1")
    }
  }

  private func failure(_ format: String, title: String) throws -> ExpressionFailure? {
    var scope = SampleScope()
    scope.object["title"] = .text(title)
    let predicate = try FilterPredicate(parsing: format)
    do {
      _ = try predicate.evaluate(in: scope)
      return nil
    } catch {
      return error
    }
  }

  @Test("Searches that would take for ever are ended")
  func searches() throws {
    let letters = String(repeating: "a", count: 60_000)
    #expect(try failure("title MATCHES '(a+)+b'", title: letters)?.code == .tooComplex)
    #expect(try failure("title MATCHES '(a|aa)+b'", title: letters)?.code == .tooComplex)
    #expect(try failure("title MATCHES 'a*'", title: letters) == nil)
    #expect(try failure("title MATCHES 'a*'", title: letters + letters)?.code == .tooLong)
    #expect(try failure("title LIKE '*a*'", title: letters + letters)?.code == .tooLong)
    let stars = String(repeating: "a", count: 2_000)
    #expect(try failure("title LIKE '*\(stars)b'", title: letters)?.code == .tooComplex)
    #expect(try failure("title CONTAINS '\(stars)b'", title: letters) == nil)
  }

  @Test("Subqueries in subqueries are ended")
  func subqueries() throws {
    var format = "TRUEPREDICATE"
    for depth in 0..<20 { format = "SUBQUERY(numbers, $v\(depth), \(format)).@count >= 0" }
    #expect(try failure(format, title: "")?.code == .tooComplex)
  }

  @Test("Damaged expressions give an error or an answer", arguments: 0..<4 as Range<UInt64>)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "==", "<", "IN", "{", "}", "(", ")", "[", "]", "@sum", ".", "'", "\"", "\\u", "$x", "#", "0x",
      "1e", "9223372036854775807", "NOT", "ANY", "CAST(", "SUBQUERY(items, $x, ", "MATCHES", "**",
      "-", "nil", "FUNCTION(", "\u{301}", "😀", "\0", "BETWEEN", "[c]", "LIKE", "TERNARY(", ",",
    ]
    let formats = [
      "ANY items.name ==[cd] 'Tea' AND NOT (total * 1.1 > 3 OR number IN {1, 2.5, nil})",
      "SUBQUERY(items, $x, $x.price > 0.1 AND $x.tags.@count == 2).@count == 1",
      "title MATCHES 'C[a-z]+.' AND date BETWEEN {CAST('2001-01-01', 'NSDate'), now()}",
      "TERNARY(rate > 2, items[LAST].name, FUNCTION($manager, 'f:', $source.title)) LIKE 'T*'",
    ]
    for _ in 0..<1_000 {
      var scalars = Array((formats.randomElement(using: &generator) ?? "").unicodeScalars)
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let start = Int.random(in: 0...scalars.count, using: &generator)
        let end = min(scalars.count, start + Int.random(in: 0..<6, using: &generator))
        let piece = pieces.randomElement(using: &generator) ?? ""
        scalars.replaceSubrange(
          start..<end, with: Bool.random(using: &generator) ? Array(piece.unicodeScalars) : [])
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let format = String(text)
      do {
        _ = try FilterPredicate(parsing: format).evaluate(in: SampleScope())
      } catch let error as ExpressionError {
        #expect((0...format.count).contains(error.offset), "\(format)")
      } catch {
        #expect(error is ExpressionFailure)
      }
    }
  }

  @Test(
    "Every well-formed expression gives an answer or a failure", arguments: 0..<4 as Range<UInt64>)
  func generated(seed: UInt64) throws {
    var source = ExpressionSource(generator: SeededGenerator(seed: seed))
    var answers = 0
    for _ in 0..<600 {
      let format = source.predicate(5)
      let predicate = try FilterPredicate(parsing: format)
      _ = predicate.keyPaths
      do {
        _ = try predicate.evaluate(in: SampleScope())
        answers += 1
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    // Most have an answer, so that more than failures is tried.
    #expect(answers > 100)
  }
}

/// Makes the texts of well-formed expressions.
private struct ExpressionSource {
  var generator: SeededGenerator

  private mutating func pick(_ choices: [String]) -> String {
    choices.randomElement(using: &generator) ?? ""
  }

  mutating func predicate(_ depth: Int) -> String {
    guard depth > 0 else { return pick(["TRUEPREDICATE", "FALSEPREDICATE", "note == nil"]) }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return "(\(predicate(depth - 1)) \(pick(["AND", "&&"])) \(predicate(depth - 1)))"
    case 1: return "(\(predicate(depth - 1)) \(pick(["OR", "||"])) \(predicate(depth - 1)))"
    case 2: return "NOT \(predicate(depth - 1))"
    case 3: return "\(value(depth - 1)) BETWEEN {\(value(depth - 2)), \(value(depth - 2))}"
    case 4:
      let sign = pick(["IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==", "<"])
      let options = pick(["", "[c]", "[d]", "[cd]", "[n]", "[l]"])
      return "\(value(depth - 1)) \(sign)\(options) \(value(depth - 1))"
    case 5:
      let collection = pick(["numbers", "names", "items.name", "empty", "note", "itemSet.price"])
      return "\(pick(["ANY", "SOME", "ALL", "NONE"])) \(collection) == \(value(depth - 1))"
    default:
      let sign = pick(["==", "!=", "=", "<>", "<", "<=", ">", ">=", "==", "!="])
      return "\(number(depth - 1)) \(sign) \(number(depth - 1))"
    }
  }

  mutating func value(_ depth: Int) -> String {
    guard depth > 0 else {
      return pick([
        "0", "1", "-1", "9223372036854775807", "(-9223372036854775808)", "1.5", "1e308", "1e-320",
        "12345678901234567890123456789012345678", "'a'", "''", "'Ä\\ud83d\\ude00'", "nil", "TRUE",
        "number", "rate", "total", "title", "note", "date", "id", "icon", "page", "numbers",
        "names",
        "items", "info", "currency", "SELF", "now()", "0.1", "ln(0)", "sqrt(-1)",
        "CAST('1e-128', 'NSDecimalNumber')", "CAST('99e127', 'NSDecimalNumber')",
      ])
    }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...2: return number(depth)
    case 3:
      let name = pick([
        "abs", "trunc", "ceiling", "floor", "sqrt", "exp", "ln", "log", "sum", "average", "min",
        "max", "count", "median", "stddev", "uppercase", "lowercase", "length",
      ])
      return "\(name)(\(value(depth - 1)))"
    case 4: return "modulus:by:(\(number(depth - 1)), \(value(depth - 1)))"
    case 5:
      let type = pick(["NSDate", "NSNumber", "NSString", "NSDecimalNumber", "NSUUID", "NSURL"])
      // A constant that cannot be cast is an error of the text.
      return "CAST(TERNARY(1 == 1, \(value(depth - 1)), nil), '\(type)')"
    case 6: return "TERNARY(\(predicate(depth - 1)), \(value(depth - 1)), \(value(depth - 1)))"
    case 7:
      return "{\(value(depth - 1)), \(value(depth - 1))}\(pick(["", "[0]", "[SIZE]", "[LAST]"]))"
    case 8:
      return pick(["numbers", "items", "itemSet", "empty", "note"])
        + pick([
          ".@count", ".@sum.count", ".@avg.price", ".@max.name", "[0]", ".@unionOfArrays.tags",
        ])
    default: return "SUBQUERY(numbers, $x, $x == \(value(depth - 1))).@count"
    }
  }

  /// A value that is a number more often than not.
  private mutating func number(_ depth: Int) -> String {
    guard depth > 0, Int.random(in: 0..<8, using: &generator) > 0 else {
      return depth > 0
        ? value(depth - 1)
        : pick([
          "3", "-1", "0.5", "total", "rate", "number", "1e300", "9223372036854775807", "TRUE",
        ])
    }
    return "(\(number(depth - 1)) \(pick(["+", "-", "*", "/", "**"])) \(number(depth - 1)))"
  }
}
