import Foundation
import Importer
import TestSupport
import Testing

@Suite("Predicates")
struct PredicateTests {
  private func check(_ holds: Bool, _ format: String) throws {
    let answer = try FilterPredicate(parsing: format).evaluate(in: SampleScope())
    #expect(answer == holds, "\(format)")
  }

  @Test(
    "Comparisons that hold",
    arguments: [
      "TRUEPREDICATE", "number = 7", "number == 7.0", "total == 12.3", "isProcessed == NO",
      "isProcessed == 0", "TRUE == 1", "number != 8", "number <> 8", "number < 8", "number <= 7",
      "number =< 7", "number > 6", "number >= 7", "number => 7", "total < 12.4",
      "rate > total - 10",
      "note == nil", "nil == NULL", "number != nil", "title != nil", "title == 'Café'",
      "title != 'café'", "title > 'C'", "'B' < 'a'", "'a' < 'ab'", "date < now()",
      "date == CAST('2001-01-02', 'NSDate')", "number != '7'", "id != 'x'", "page != 'x'",
      "1 == 1 AND 2 == 2", "1 == 2 || 2 == 2", "NOT 1 == 2", "!(1 == 2) && !FALSEPREDICATE",
      "not not 1 == 1", "1 == 2 AND 1 == 2 OR 1 == 1", "NOT 1 == 2 AND 1 == 1",
      "(number) == (7)", "((number == 7))", "(number + 1) * 2 == 16", "number BETWEEN {7, 8}",
      "number between {6.5, 7}", "date BETWEEN {date, now()}", "NOT note BETWEEN {1, 2}",
      "numbers == {3, 1, 2.0}", "numbers != {1, 2, 3}", "empty == {}", "{nil} == {nil}",
      "names == itemSet.name OR TRUEPREDICATE", "currency == currency", "info == info",
      "9007199254740993 != 9007199254740992.0", "9007199254740993 > 9007199254740992.0",
      "9223372036854775807 < 9.3e18", "9223372036854775808 == 9223372036854775808",
      "CAST('0.1', 'NSDecimalNumber') == 0.1", "CAST('1e-100', 'NSDecimalNumber') > 0",
      "1e300 > CAST('1e100', 'NSDecimalNumber')", "-1e300 < total", "0.0 == -0.0",
      "ln(0) < -1e300", "total > ln(0)", "sqrt(-1) != sqrt(-1)", "NOT sqrt(-1) <= 1",
    ])
  func holds(format: String) throws {
    try check(true, format)
  }

  @Test(
    "Comparisons that do not hold",
    arguments: [
      "FALSEPREDICATE", "number == 8", "number == '7'", "note == 0", "note == ''", "note < 1",
      "note >= nil", "nil <= nil", "note > 'a'", "number == note", "1 == 2 OR 1 == 3 AND 1 == 1",
      "NOT (1 == 1 OR 1 == 2)", "number BETWEEN {8, 9}", "number BETWEEN {8, 6}",
      "number BETWEEN note", "numbers == itemSet", "{1} == {1, 1}", "title == 'Cafe\\u0301'",
    ])
  func holdsNot(format: String) throws {
    try check(false, format)
  }

  @Test(
    "Comparisons of texts",
    arguments: [
      (true, "title BEGINSWITH 'Ca'"), (false, "title BEGINSWITH 'ca'"),
      (true, "title BEGINSWITH[c] 'ca'"), (true, "title ENDSWITH 'fé'"),
      (true, "title endswith[cd] 'FE'"), (false, "title ENDSWITH[c] 'FE'"),
      (true, "title CONTAINS 'af'"), (false, "title CONTAINS 'x'"), (false, "title CONTAINS ''"),
      (false, "title BEGINSWITH ''"), (false, "title ENDSWITH ''"), (true, "'af' IN title"),
      (true, "'AF' IN[c] title"), (false, "note CONTAINS 'a'"), (false, "title CONTAINS note"),
      (true, "'abababac' CONTAINS 'ababac'"), (false, "'ababab' CONTAINS 'ababac'"),
      (true, "title ==[c] 'CAFÉ'"), (true, "title =[cd] 'cafe'"),
      (true, "title ==[d] 'Cafe\\u0301'"),
      (false, "title ==[n] 'CAFÉ'"), (false, "title ==[cn] 'CAFÉ'"), (true, "'a' <[c] 'B'"),
      (true, "'Straße' ==[c] 'STRASSE'"), (true, "'ΟΔΟΣ' ==[c] 'οδος'"),
      (true, "'é' <[l] 'f' OR 1 == 1"),
      (true, "title LIKE 'Caf?'"), (true, "title LIKE 'C*'"), (false, "title LIKE 'C'"),
      (true, "title LIKE[cd] '*AFE'"), (true, "title LIKE '*'"), (false, "title LIKE '?????'"),
      (true, "'' LIKE ''"), (true, "'' LIKE '*'"), (false, "'' LIKE '?'"), (false, "'a' LIKE ''"),
      (true, "'a*b' LIKE 'a\\\\*b'"), (false, "'axb' LIKE 'a\\\\*b'"),
      (true, "'a\\\\b' LIKE 'a\\\\b'"),
      (true, "'abcbcd' LIKE 'a*bcd'"), (true, "'aXbXc' LIKE '*X*c'"), (false, "'aXb' LIKE '*X*c'"),
      (true, "title MATCHES 'Caf.'"), (false, "title MATCHES 'Caf'"),
      (false, "title MATCHES 'afé'"),
      (true, "title MATCHES[c] 'CAF.'"), (true, "title MATCHES[d] 'Cafe'"),
      (true, "title MATCHES 'C|Café'"), (true, "'123' MATCHES '\\\\d+'"),
      (false, "'12a' MATCHES '\\\\d+'"),
      (false, "'a\\n' MATCHES 'a'"), (false, "note MATCHES '.*'"), (true, "'' MATCHES ''"),
      (true, "title MATCHES title"), (false, "title MATCHES note"),
      (true, "'A1' MATCHES[c] 'a\\\\D?\\\\d'"),
    ])
  func texts(holds: Bool, format: String) throws {
    try check(holds, format)
  }

  @Test(
    "Collections",
    arguments: [
      (true, "number IN {1, 7, 9}"), (true, "number IN {7.0}"), (false, "number IN {}"),
      (false, "number IN note"), (true, "note IN {1, nil}"), (true, "title IN[c] {'CAFÉ'}"),
      (true, "numbers CONTAINS 3"), (false, "numbers CONTAINS '3'"), (true, "'a' IN names"),
      (true, "NOT 'z' IN names"), (true, "ANY items.name == 'Cup'"), (true, "SOME numbers > 2"),
      (false, "ANY numbers > 3"), (true, "ALL numbers > 0"), (false, "ALL numbers > 1"),
      (true, "NONE numbers > 3"), (false, "NONE numbers > 2"), (false, "ANY empty == 1"),
      (true, "ALL empty == 1"), (true, "NONE empty == 1"), (false, "ANY note == 1"),
      (true, "ALL note == 1"), (true, "ANY names IN {'a', 'c'}"),
      (true, "ANY items.name BEGINSWITH[c] 'te'"),
      (true, "NOT ANY numbers == 9 AND ALL (numbers < 9)"), (true, "ANY items.price == nil"),
      (true, "ANY items.name MATCHES 'C.p'"), (true, "items.@count == 3 AND items[SIZE] == 3"),
      (
        true,
        "SUBQUERY(items, $x, $x.price > 0.1 AND $x.name == title OR $x.count == 2).@count == 1"
      ),
    ])
  func collections(holds: Bool, format: String) throws {
    try check(holds, format)
  }

  @Test(
    "Predicates of mapping models in use",
    arguments: [
      ("image != nil", [["image"]]), ("messageID < 10000", [["messageID"]]),
      ("TRUEPREDICATE", []),
      ("timeStamp >= CAST(\"2011-01-01T00:00:00Z\", \"NSDate\")", [["timeStamp"]]),
      (
        "ANY tags.name IN {'a'} AND NOT owner.isHidden == YES",
        [["tags", "name"], ["owner", "isHidden"]]
      ),
    ] as [(String, [[String]])])
  func inUse(format: String, paths: [[String]]) throws {
    let predicate = try FilterPredicate(parsing: format)
    #expect(predicate.format == format)
    #expect(predicate.keyPaths == paths)
    #expect(predicate.functions == [])
    #expect(predicate == (try FilterPredicate(parsing: format)))
  }

  @Test("Long rows of operators and long lists are no nesting")
  func rows() throws {
    let sum = (1...5_000).map { "\($0)" }.joined(separator: " + ")
    try check(true, "\(sum) == 12502500")
    try check(true, (1...3_000).map { "number != \($0 + 7)" }.joined(separator: " AND "))
    try check(true, "number IN {" + (0...9_000).map { "\($0)" }.joined(separator: ", ") + "}")
    try check(true, String(repeating: "!", count: 40_000) + "1 == 1")
    try check(true, String(repeating: "-", count: 40_000) + "1 == 1")
  }

  @Test("Expressions as deep as they may be need little of the stack")
  func stack() async throws {
    let count = 190
    func nested(_ opening: String, _ middle: String, _ closing: String) -> String {
      String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
    }
    let formats = [
      nested("(", "1", ")") + " == 1", nested("-(1 + ", "1", ")") + " < 999",
      nested("{", "1", "}") + " != 1",
      nested("abs(", "1", ")") + " == 1", nested("NOT (", "1 == 1", ")"),
      nested("numbers[", "0", "]") + " == nil OR 1 == 1",
      "numbers" + nested(".@count", "", "") + " != 1 OR 1 == 1",
      nested("TERNARY(1 == 1, ", "1", ", 2)") + " == 1",
      nested("SUBQUERY(numbers, $x, 1 == 2 AND ", "1 == 1", ")") + " == {}",
      "numbers" + nested(".@sum", ".self", "") + " == 6 OR 1 == 1",
    ]
    let answers = await withCheckedContinuation { continuation in
      let thread = Thread {
        let answers = formats.map { format in
          // What matters is that there is an answer, or an error.
          (try? FilterPredicate(parsing: format)).map { predicate in
            (try? predicate.evaluate(in: SampleScope())) ?? false
          } ?? false
        }
        continuation.resume(returning: answers)
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    #expect(answers.count == formats.count)
  }
}
