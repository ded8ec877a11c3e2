/// Reads the text of an instant by a way of its own: the calendar by arithmetic, the fraction as
/// the decimal number that it writes.
enum InstantText {
  /// The seconds since 2001-01-01 UTC that a text names: the double nearest to them.
  ///
  /// - Parameter text: Text in UTF-8, such as "2011-05-22T21:52:00.250Z".
  /// - Returns: Nil if it has another form.
  static func seconds(_ text: some RandomAccessCollection<UInt8>) -> Double? {
    var rest = text[...]
    guard let year = year(&rest), take("-", &rest), let month = number(2, &rest),
      take("-", &rest), let day = number(2, &rest), take("T", &rest),
      let hour = number(2, &rest), take(":", &rest), let minute = number(2, &rest),
      take(":", &rest), let second = number(2, &rest), (1...12).contains(month),
      (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction = rest.prefix(0)
    if take(".", &rest) {
      fraction = rest.prefix { (0x30...0x39).contains($0) }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count)
    }
    guard take("Z", &rest), rest.isEmpty else { return nil }
    while fraction.last == 0x30 { fraction = fraction.dropLast() }
    let whole = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    guard !fraction.isEmpty else { return Double(whole) }
    return exactQuotient(whole, fraction) ?? value(whole, Array(fraction))
  }

  /// The number of digits of a fraction that are surely a number of 64 bits.
  ///
  /// The power of ten that belongs to them is a double without rounding.
  private static let maxDigits = 18

  /// The double nearest to a whole number and a fraction that is added to it, where both together
  /// are few enough digits for a double: then one division rounds, and it rounds once.
  private static func exactQuotient(
    _ whole: Int, _ fraction: some RandomAccessCollection<UInt8>
  ) -> Double? {
    guard fraction.count <= maxDigits else { return nil }
    var size = 1
    var part = 0
    for digit in fraction {
      part = part * 10 + Int(digit - 0x30)
      size *= 10
    }
    let (shifted, isTooLarge) = whole.multipliedReportingOverflow(by: size)
    guard !isTooLarge, shifted.magnitude < 1 << 53 else { return nil }
    // The fraction has no more than 60 bits.
    let sum = shifted + part
    guard sum.magnitude <= 1 << 53 else { return nil }
    return Double(sum) / Double(size)
  }

  /// The double nearest to a whole number and a fraction that is added to it.
  private static func value(_ whole: Int, _ fraction: [UInt8]) -> Double? {
    guard whole < 0 else { return Double("\(whole).\(String(decoding: fraction, as: UTF8.self))") }
    // -2 and 0.75 are -1.25.
    var digits = fraction.map { 0x39 - $0 + 0x30 }
    var place = digits.count - 1
    while place >= 0, digits[place] == 0x39 {
      digits[place] = 0x30
      place -= 1
    }
    if place >= 0 { digits[place] += 1 }
    // Where the fraction is nothing but zeros, it adds nothing.
    let size = place < 0 ? -whole : -whole - 1
    return Double("-\(size).\(String(decoding: digits, as: UTF8.self))")
  }

  /// The days from 2001-01-01 to a day of the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin with March, so that the day that leap years add is their last one.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // 2001 begins 730,791 days after the first of March of the year 0.
    return era * 146_097 + dayOfEra - 730_791
  }

  private static func year<Text: RandomAccessCollection<UInt8>>(_ rest: inout Text) -> Int?
  where Text.SubSequence == Text {
    guard let first = rest.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    guard isNegative || first == UInt8(ascii: "+") else { return number(4, &rest) }
    rest.removeFirst()
    let count = rest.prefix { (0x30...0x39).contains($0) }.count
    guard (6...12).contains(count), let year = number(count, &rest) else { return nil }
    return isNegative ? -year : year
  }

  /// A number of a few digits: few enough not to overflow.
  private static func number<Text: RandomAccessCollection<UInt8>>(
    _ count: Int, _ rest: inout Text
  ) -> Int? where Text.SubSequence == Text {
    guard rest.count >= count else { return nil }
    var number = 0
    for _ in 0..<count {
      guard let digit = rest.first, (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
      rest.removeFirst()
    }
    return number
  }

  private static func take<Text: RandomAccessCollection<UInt8>>(
    _ character: Unicode.Scalar, _ rest: inout Text
  ) -> Bool where Text.SubSequence == Text {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }
}
