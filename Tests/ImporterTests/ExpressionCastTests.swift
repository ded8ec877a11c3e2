import Foundation
import Importer
import Testing

@Suite("Casts in expressions")
struct ExpressionCastTests {
  @Test(
    "make values of other types",
    arguments: [
      ("CAST(0, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 0))),
      ("cast(1.5, \"NSDate\")", .date(Date(timeIntervalSinceReferenceDate: 1.5))),
      ("CAST('2011-05-22', 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 327_715_200))),
      (
        "CAST('2011-05-22T21:52:00Z', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: 327_793_920))
      ),
      (
        "CAST('2011-05-22 21:52', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: 327_793_920))
      ),
      (
        "CAST('2011-05-22T23:52:00.25+02:00', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: 327_793_920.25))
      ),
      (
        "CAST('2011-05-22T19:22:00-0230', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: 327_793_920))
      ),
      (
        "CAST('2000-12-31T23:59:59.75Z', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: -0.25))
      ),
      (
        "CAST('2000-12-31 23:59:59,75z', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: -0.25))
      ),
      (
        "CAST('+2011-05-22', 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 327_715_200))
      ),
      (
        "CAST('-0001-12-31', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: -63_145_612_800))
      ),
      (
        "CAST('2000-02-29T00:00+01', 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: -26_528_400))
      ),
      ("CAST(date, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 86_400))),
      ("CAST(date, 'NSNumber')", .real(86_400)), ("CAST('12', 'NSNumber')", .integer(12)),
      ("CAST('12.50', 'NSNumber')", .real(12.5)), ("CAST('-1e3', 'NSNumber')", .integer(-1000)),
      ("CAST(TRUE, 'NSNumber')", .bool(true)), ("CAST(total, 'NSNumber')", .exact("12.3")),
      ("CAST('12.50', 'NSDecimalNumber')", .exact("12.5")),
      ("CAST(0.1, 'NSDecimalNumber')", .exact("0.1")),
      (
        "CAST('170141183460469231731687303715884105727', 'NSDecimalNumber')",
        .exact("170141183460469231731687303715884105727")
      ),
      ("CAST(7, 'NSDecimalNumber')", .exact("7")), ("CAST(7, 'NSString')", .text("7")),
      ("CAST(7.0, 'NSString')", .text("7")), ("CAST(0.5, 'NSString')", .text("0.5")),
      ("CAST(total, 'NSString')", .text("12.3")),
      ("CAST(date, 'NSString')", .text("2001-01-02T00:00:00.000Z")),
      ("CAST(TRUE, 'NSString')", .text("1")),
      ("CAST(page, 'NSString')", .text("https://example.org/a")),
      ("CAST(id, 'NSString')", .text("01020304-0506-0708-090A-0B0C0D0E0F10")),
      (
        "CAST('01020304-0506-0708-090a-0b0c0d0e0f10', 'NSUUID')",
        .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
      ),
      ("CAST('https://example.org', 'NSURL')", .url("https://example.org")),
      ("CAST(note, 'NSDate')", .null), ("CAST(nil, 'NSUUID')", .null),
      (
        "CAST(CAST(date, 'NSNumber') + 60, 'NSDate')",
        .date(Date(timeIntervalSinceReferenceDate: 86_460))
      ),
    ] as [(String, ImportValue)])
  func casts(format: String, expected: ImportValue) throws {
    try SampleScope.check(format, expected)
  }
}
