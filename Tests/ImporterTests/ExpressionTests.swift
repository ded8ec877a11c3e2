import Foundation
import Importer
import Testing

@testable import Mappings

@Suite("Value expressions")
struct ExpressionTests {
  @Test(
    "Literals",
    arguments: [
      ("1", .integer(1)), ("007", .integer(7)), ("-3", .integer(-3)), ("- -3", .integer(3)),
      ("+3", .integer(3)), ("1.5", .real(1.5)), ("9.2e-5", .real(9.2e-5)), ("1E3", .real(1000)),
      ("0x1F", .integer(31)), ("0o17", .integer(15)), ("0b101", .integer(5)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .exact("9223372036854775808")),
      (String(repeating: "9", count: 40), .real(1e40)),
      ("'text'", .text("text")), ("\"it's\"", .text("it's")), (#"'it\'s'"#, .text("it's")),
      (#"'\u00e9\n\t\\'"#, .text("\u{e9}\n\t\\")), (#"'\ud83d\ude00'"#, .text("\u{1F600}")),
      ("''", .text("")), ("TRUE", .bool(true)), ("yes", .bool(true)), ("False", .bool(false)),
      ("NO", .bool(false)), ("NULL", .null), ("nil", .null), ("{}", .list([])),
      ("{1, 'a', {nil}}", .list([.integer(1), .text("a"), .list([.null])])),
      (" \n( ( 1 ) )\t", .integer(1)),
    ] as [(String, ImportValue)])
  func literals(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }

  @Test(
    "Key paths",
    arguments: [
      ("title", .text("Café")), ("$source.title", .text("Café")), ("SELF.title", .text("Café")),
      ("self.title", .text("Café")), ("#all", .integer(1)), ("size", .integer(3)),
      ("SELF.all", .integer(1)), ("currency.code", .text("EUR")), ("note.a.b", .null),
      ("items.name", .list([.text("Tea"), .text("Cup"), .text("Tea")])),
      ("itemSet.name", .set([.text("Tea"), .text("Cup")])),
      ("itemSet.price", .set([.exact("0.1"), .exact("0.2")])),
      ("items.price", .list([.exact("0.1"), .exact("0.2"), .null])),
      ("info.colour", .text("red")), ("info.size", .null), ("title.length", .integer(4)),
      ("title.lowercaseString", .text("café")),
      ("page.absoluteString", .text("https://example.org/a")),
      ("id.UUIDString", .text("01020304-0506-0708-090A-0B0C0D0E0F10")),
      ("icon.length", .integer(3)),
      ("total.intValue", .integer(12)), ("rate.intValue", .integer(2)),
      ("isProcessed.boolValue", .bool(false)), ("total.stringValue", .text("12.3")),
      ("date.timeIntervalSinceReferenceDate", .real(86_400)),
      ("date.timeIntervalSince1970", .real(978_393_600)),
      ("SELF", .row(RowReference(entity: 0, id: 1))),
      ("$destination", .row(RowReference(entity: 9, id: 9))), ("$destination.a.b", .text("a/b")),
      ("(currency).code", .text("EUR")), ("{currency}.code", .list([.text("EUR")])),
    ] as [(String, ImportValue)])
  func keyPaths(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }

  @Test(
    "Indexes",
    arguments: [
      ("numbers[0]", .integer(3)), ("numbers[FIRST]", .integer(3)), ("numbers[last]", .integer(2)),
      ("numbers[SIZE]", .integer(3)), ("itemSet[SIZE]", .integer(3)),
      ("numbers[1 + 1]", .integer(2)),
      ("numbers[3]", .null), ("numbers[-1]", .null), ("numbers[9223372036854775807]", .null),
      ("empty[FIRST]", .null), ("empty[SIZE]", .integer(0)), ("note[0]", .null),
      ("note[SIZE]", .null), ("items[0].name", .text("Tea")),
      ("items[#size - 1].name", .text("Tea")),
      ("numbers[number - 6]", .integer(1)), ("info['colour']", .text("red")),
      ("info[1.0]", .text("one")), ("info[2]", .null), ("info[SIZE]", .integer(2)),
      ("{1, 2}[1]", .integer(2)), ("numbers[1.0]", .integer(1)),
    ] as [(String, ImportValue)])
  func indexes(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }

  @Test(
    "Collection operators",
    arguments: [
      ("items.@count", .integer(3)), ("empty.@count", .integer(0)), ("note.@count", .null),
      ("info.@count", .integer(2)), ("items.@sum.price", .exact("0.3")),
      ("@count", .integer(3)), ("@sum.self", .integer(6)),
      ("itemSet.@sum.count", .integer(4)), ("items.@avg.count", .real(4.0 / 3)),
      ("items.@avg.price", .exact("0.1")), ("empty.@sum.price", .integer(0)),
      ("empty.@avg.price", .null), ("empty.@max.price", .null),
      ("items.@max.price", .exact("0.2")),
      ("items.@min.name", .text("Cup")), ("numbers.@max.self", .integer(3)),
      ("numbers.@min.doubleValue", .real(1)), ("numbers.@sum", .integer(6)),
      ("items.@unionOfObjects.name", .list([.text("Tea"), .text("Cup"), .text("Tea")])),
      ("items.@distinctUnionOfObjects.name", .list([.text("Tea"), .text("Cup")])),
      ("itemSet.@distinctUnionOfObjects.name", .set([.text("Tea"), .text("Cup")])),
      ("items.@unionOfObjects.price", .list([.exact("0.1"), .exact("0.2")])),
      (
        "items.@distinctUnionOfSets.tags",
        .set([.text("hot"), .text("green"), .text("blue"), .text("black")])
      ),
      (
        "items.@unionOfArrays.tags",
        .list([.text("hot"), .text("green"), .text("blue"), .text("hot"), .text("black")])
      ),
      ("(items.@distinctUnionOfSets.tags).@count", .integer(4)),
      ("items.@sum.tags.@count", .integer(5)), ("items.tags.@count", .integer(3)),
      ("{{1, 2}, {2, 3}}.@distinctUnionOfArrays", .list([.integer(1), .integer(2), .integer(3)])),
      ("{1, 1.0, TRUE}.@distinctUnionOfObjects", .list([.integer(1)])),
    ] as [(String, ImportValue)])
  func collectionOperators(format: String, expected: ImportValue) throws {
    guard format.hasPrefix("@") else { return try SampleScope.check(format, expected) }
    // What stands at the beginning is asked of the object itself.
    struct ListScope: ExpressionScope {
      var now: Date { .distantPast }

      func value(
        forKeyPath path: [String], of variable: String?
      ) throws(ExpressionFailure) -> ImportValue {
        try value(forKeys: path[...], of: .list([.integer(3), .integer(1), .integer(2)]))
      }

      func value(
        forKey key: String, of object: RowReference
      ) throws(ExpressionFailure) -> ImportValue { .null }

      func call(
        _ selector: String, on variable: String, _ arguments: [ImportValue]
      ) throws(ExpressionFailure) -> ImportValue { .null }
    }
    #expect(try ValueExpression(parsing: format).evaluate(in: ListScope()) == expected)
  }

  @Test(
    "Arithmetic",
    arguments: [
      ("1 + 2 * 3", .integer(7)), ("(1 + 2) * 3", .integer(9)), ("10 - 4 - 3", .integer(3)),
      ("7 / 2", .integer(3)), ("-7 / 2", .integer(-3)), ("7.0 / 2", .real(3.5)),
      ("4 + 5 - 2**3", .integer(1)), ("2 ** 3 ** 2", .integer(64)), ("-2 ** 2", .integer(-4)),
      ("(-2) ** 3", .integer(-8)), ("2 ** -1", .real(0.5)), ("2 ** 0", .integer(1)),
      ("2 ** 64", .exact("18446744073709551616")), ("10 ** 200", .real(1e200)),
      ("2.0 ** 3", .real(8)), ("9 ** 0.5", .real(3)), ("1 ** 9223372036854775807", .real(1)),
      ("9223372036854775807 + 1", .exact("9223372036854775808")),
      ("-9223372036854775807 - 2", .exact("-9223372036854775809")),
      (
        "9223372036854775807 * 9223372036854775807",
        .exact("85070591730234615847396907784232501249")
      ),
      ("-9223372036854775808 / -1", .exact("9223372036854775808")), ("1 - -1", .integer(2)),
      ("number+1", .integer(8)), ("number -1", .integer(6)), ("-number", .integer(-7)),
      ("-note", .null), ("note + 1", .null), ("1 * note", .null), ("TRUE + TRUE", .integer(2)),
      ("0.1 + 0.2", .real(0.1 + 0.2)), ("total + 0.2", .exact("12.5")),
      ("total * 1.1", .exact("13.53")), ("total * 100", .exact("1230")),
      ("total / 3", .exact("4.1")), ("total - total", .exact("0")),
      ("total / 7", .exact("1.7571428571428571428571428571428571429")),
      ("total * 1e300", .real(1.23e301)), ("total ** 2", .exact("151.29")),
      ("1.0 / 0", .real(.infinity)),
      ("title + ' ' + currency.code", .text("Café EUR")), ("title + note", .null),
    ] as [(String, ImportValue)])
  func arithmetic(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }

  @Test(
    "Functions",
    arguments: [
      ("now()", .date(Date(timeIntervalSinceReferenceDate: 600_000_000))),
      ("uppercase(title)", .text("CAFÉ")), ("lowercase:(title)", .text("café")),
      ("uppercase(note)", .null), ("length(title)", .integer(4)), ("length:('😀')", .integer(2)),
      ("add:to:(1, 2)", .integer(3)), ("from:subtract:(5, 2)", .integer(3)),
      ("multiply:by:(5, 2)", .integer(10)), ("divide:by:(5, 2)", .integer(2)),
      ("modulus:by:(9, 4)", .integer(1)), ("modulus:by:(-9, 4)", .integer(-1)),
      ("modulus:by:(-9223372036854775808, -1)", .integer(0)), ("modulus:by:(5.5, 2)", .real(1.5)),
      ("modulus:by:(total, 5)", .exact("2.3")), ("raise:toPower:(2, 10)", .integer(1024)),
      ("abs(-3)", .integer(3)), ("abs(-9223372036854775808)", .exact("9223372036854775808")),
      ("abs(-2.5)", .real(2.5)), ("abs(0 - total)", .exact("12.3")), ("trunc(-2.5)", .real(-2)),
      ("trunc(total)", .exact("12")), ("ceiling(2.1)", .real(3)),
      ("ceiling(total)", .exact("13")),
      ("floor(-2.1)", .real(-3)), ("floor(0 - total)", .exact("-13")),
      ("ceiling(0 - total)", .exact("-12")), ("floor(7)", .integer(7)), ("floor(note)", .null),
      ("sqrt(16)", .real(4)), ("sqrt(total * 0 + 0.25)", .real(0.5)), ("exp(0)", .real(1)),
      ("ln(1)", .real(0)), ("log(1000)", .real(3)), ("ln(0)", .real(-.infinity)),
      ("sum(numbers)", .integer(6)), ("sum(1, 2.5)", .real(3.5)), ("sum({})", .integer(0)),
      ("sum(note)", .integer(0)), ("average(numbers)", .real(2)),
      ("average(items.price)", .exact("0.15")),
      ("average({})", .null), ("min(3, 1, 2)", .integer(1)), ("max(numbers)", .integer(3)),
      ("max(items.name)", .text("Tea")),
      ("max(date, now())", .date(Date(timeIntervalSinceReferenceDate: 600_000_000))),
      ("max({})", .null), ("min({1, nil})", .integer(1)), ("count(items)", .integer(3)),
      ("count(names)", .integer(2)), ("count(note)", .integer(0)),
      ("median({5, 1, 3})", .integer(3)),
      ("median(4, 1, 3, 2)", .real(2.5)), ("median({})", .null),
      ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", .real(2)), ("stddev({})", .null),
    ] as [(String, ImportValue)])
  func functions(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }

  @Test(
    "Ternaries, subqueries and functions of variables",
    arguments: [
      ("TERNARY(number > 5, 'many', 'few')", .text("many")),
      ("ternary(note == nil, 1 / 1, 1 / 0)", .integer(1)),
      ("SUBQUERY(items, $x, $x.name == 'Tea').@count", .integer(2)),
      ("SUBQUERY(items, $x, $x.count == 1).name", .list([.text("Cup"), .text("Tea")])),
      ("SUBQUERY(itemSet, $x, $x.price > 0.15).name", .set([.text("Cup")])),
      ("SUBQUERY(numbers, $n, $n < number - 5)[SIZE]", .integer(1)),
      (
        "SUBQUERY(items, $x, SUBQUERY($x.tags, $t, $t == 'hot' AND $x.count == 1).@count > 0).@count",
        .integer(1)
      ),
      (
        "SUBQUERY(items, $x, SUBQUERY(numbers, $x, $x > 2).@count == $x.count).name",
        .list([.text("Cup"), .text("Tea")])
      ),
      ("SUBQUERY(note, $x, TRUEPREDICATE)", .list([])),
      ("FUNCTION($manager, 'f')", .list([.text("manager"), .text("f")])),
      (
        "function($entityPolicy, \"ratingForRating:\", $source.number + 1)",
        .list([.text("entityPolicy"), .text("ratingForRating:"), .integer(8)])
      ),
      ("FUNCTION($entityPolicy, 'mine', 1, 2)[SIZE]", .integer(4)),
    ] as [(String, ImportValue)])
  func control(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }

  @Test(
    "An expression tells which keys it reads",
    arguments: [
      ("1", []), ("SELF", []), ("$manager.a", []), ("title", [["title"]]),
      ("$source.a.b + SELF.c + a.b", [["a", "b"], ["c"]]), ("items.@count", [["items"]]),
      ("items.@sum.price", [["items", "price"]]), ("a[b].c", [["a", "c"], ["b"]]),
      (
        "SUBQUERY(items, $x, $x.price > limit).@count", [["items"], ["items", "price"], ["limit"]]
      ),
      ("FUNCTION($manager, 'f:', owner)", [["owner"]]), ("CAST(d, 'NSDate')", [["d"]]),
      ("TERNARY(a == 1, b, {c, -d})", [["a"], ["b"], ["c"], ["d"]]),
      ("countries.@distinctUnionOfSets.moods.name", [["countries", "moods", "name"]]),
    ] as [(String, [[String]])])
  func reads(format: String, paths: [[String]]) throws {
    #expect(try ValueExpression(parsing: format).keyPaths == paths)
    #expect(try FilterPredicate(parsing: "\(format) == 1").keyPaths == paths)
  }

  @Test("An expression tells which functions it calls")
  func uses() throws {
    let format = """
      TERNARY(FUNCTION($manager, "a:b:", 1, FUNCTION($entityPolicy, "c")) == 1, \
      FUNCTION($entityPolicy, "c"), 2)
      """
    let expression = try ValueExpression(parsing: format)
    #expect(expression.functions.map(\.receiver) == ["manager", "entityPolicy"])
    #expect(expression.functions.map(\.selector) == ["a:b:", "c"])
    #expect(expression.functions.map(\.argumentCount) == [2, 0])
    #expect(expression == (try ValueExpression(parsing: format)))
    #expect(try expression != ValueExpression(parsing: "1"))
  }
}
