import ArchiveReader
import Foundation
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
  @Test("follow each other without a gap over 800 years")
  func followEachOther() {
    var expected = CivilDate(year: -400, month: 1, day: 1)
    var number = expected.daysSince2001
    while expected.year < 400 {
      // Two expectations a day would take a minute.
      guard CivilDate(daysSince2001: number) == expected, expected.daysSince2001 == number else {
        #expect(CivilDate(daysSince2001: number) == expected)
        #expect(expected.daysSince2001 == number)
        return
      }
      number += 1
      expected = Self.day(after: expected)
    }
    #expect(number - CivilDate(year: -400, month: 1, day: 1).daysSince2001 == 2 * 146_097)
  }

  @Test(
    "have known numbers",
    arguments: [
      (2001, 1, 1, 0), (2000, 12, 31, -1), (2001, 12, 31, 364), (2000, 2, 29, -307),
      (1970, 1, 1, -11_323), (1, 1, 1, -730_485), (0, 12, 31, -730_486), (4001, 1, 1, 730_485),
    ])
  func haveKnownNumbers(year: Int, month: Int, day: Int, number: Int) {
    let date = CivilDate(year: year, month: month, day: day)
    #expect(date.daysSince2001 == number)
    #expect(CivilDate(daysSince2001: number) == date)
  }

  @Test("are those of Foundation's calendar since it was reformed")
  func agreesWithFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for number in stride(from: -150_000, through: 150_000, by: 997) {
      let date = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let civil = CivilDate(daysSince2001: number)
      #expect([civil.year, civil.month, civil.day] == [parts.year, parts.month, parts.day])
    }
  }

  private static func day(after date: CivilDate) -> CivilDate {
    let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
    let length =
      switch date.month {
      case 2: isLeap ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    if date.day < length {
      return CivilDate(year: date.year, month: date.month, day: date.day + 1)
    }
    return date.month < 12
      ? CivilDate(year: date.year, month: date.month + 1, day: 1)
      : CivilDate(year: date.year + 1, month: 1, day: 1)
  }
}
