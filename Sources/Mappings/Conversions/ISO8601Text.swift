import ArchiveReader
import Foundation

/// Reads dates in ISO 8601, as `DateText` and most programs write them.
package enum ISO8601Text {
  /// The date of a text with a zone, such as "2011-05-22T21:52:00.250Z"; nil if it has another
  /// form.
  package static func date(_ text: String) -> Date? {
    var reader = Reader(text)
    return reader.date(zone: nil)
  }

  /// Seconds since 2001 of a date in the form in which `DateText` writes most: with a four-digit
  /// year, in UTC, and in whole microseconds; nil for any other text.
  ///
  /// - Parameter text: The bytes of the text.
  /// - Returns: The same as `date` gives, in a fraction of the time.
  package static func usualSeconds(_ text: BorrowedBytes) -> Double? {
    guard text.count >= 20, text.count <= 30 else { return nil }
    func isAt(_ offset: Int, _ character: UInt8) -> Bool { text[offset] == character }
    /// The number that the digits of a part of the text write.
    func number(_ range: Range<Int>) -> Int? {
      var number = 0
      for offset in range {
        let digit = text[offset] &- 0x30
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      return number
    }
    guard isAt(4, 0x2D), isAt(7, 0x2D), isAt(10, 0x54), isAt(13, 0x3A), isAt(16, 0x3A),
      isAt(text.count - 1, 0x5A), let year = number(0..<4), let month = number(5..<7),
      (1...12).contains(month), let day = number(8..<10), day < 32,
      let hour = number(11..<13), hour < 24, let minute = number(14..<16), minute < 60,
      let second = number(17..<19), second < 60
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    let days = date.daysSince2001
    guard CivilDate(daysSince2001: days) == date else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    guard text.count > 20 else { return Double(seconds) }
    var end = text.count - 1
    while end > 21, isAt(end - 1, 0x30) { end -= 1 }
    guard isAt(19, 0x2E), end > 20, end <= 26, let fraction = number(20..<end) else { return nil }
    let scale = (20..<end).reduce(1) { scale, _ in scale * 10 }
    // Both are exact, so that this rounds once.
    return abs(seconds) < 9_000_000_000 ? Double(seconds * scale + fraction) / Double(scale) : nil
  }

  /// The date of a text as expressions have them, in UTC unless the text says otherwise; nil if it
  /// has another form.
  ///
  /// A space may stand for the "T", a "z" for the "Z", and signed years may have four digits.
  static func relaxedDate(_ text: String) -> Date? {
    var reader = Reader(text, isRelaxed: true)
    return reader.date(zone: .gmt)
  }

  /// A date that was read.
  struct LocalDate {
    var date: Date
    /// True if the text is exactly the one that would be written for the date.
    var isExact: Bool
    /// True if clocks show the time twice: then it is the first.
    var isRepeated: Bool
  }

  /// The date of a text.
  ///
  /// Zeros at the end of a fraction make no difference to whether it is exact.
  ///
  /// - Parameters:
  ///   - text: A day, a "T" and a time with hours and minutes at least, or a day alone. The years
  ///     have four digits, or a sign and six or more; a fraction of a second has any number.
  ///   - zone: The zone of texts that end without "Z" or an offset, such as "+02:00".
  /// - Returns: The date; nil if the text has another form.
  /// - Throws: `ConversionFailure` if clocks skip the time.
  static func date(
    _ text: String, zone: TimeZone
  ) throws(ConversionFailure) -> LocalDate? {
    var reader = Reader(text)
    guard let date = reader.date(zone: zone) else {
      if reader.isSkipped { throw ConversionFailure(.skippedTime, name: zone.identifier) }
      return nil
    }
    let written = DateText.text(secondsSince2001: date.timeIntervalSinceReferenceDate)
    return LocalDate(
      date: date, isExact: withoutZeros(written) == withoutZeros(text),
      isRepeated: reader.isRepeated)
  }

  /// A text in UTC without the zeros at the end of its fraction.
  private static func withoutZeros(_ text: String) -> Substring {
    var usual = Substring(text)
    guard usual.contains("."), usual.last == "Z" else { return usual }
    usual.removeLast()
    while usual.last == "0" { usual.removeLast() }
    if usual.last == "." { usual.removeLast() }
    return usual + "Z"
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>
    private let isRelaxed: Bool
    /// True if clocks skip the local time that was read; `isRepeated`, if they show it twice.
    private(set) var isSkipped = false
    private(set) var isRepeated = false

    init(_ text: String, isRelaxed: Bool = false) {
      rest = Array(text.utf8)[...]
      self.isRelaxed = isRelaxed
    }

    mutating func date(zone: TimeZone?) -> Date? {
      guard let days = day() else { return nil }
      var seconds = days * 86_400
      var fraction = rest.prefix(0)
      var offset: Int?
      if take("T") || isRelaxed && take(" ") {
        guard let hour = number(digits: 2, below: 24), take(":"),
          let minute = number(digits: 2, below: 60)
        else { return nil }
        seconds += hour * 3_600 + minute * 60
        if take(":") {
          guard let second = number(digits: 2, below: 60) else { return nil }
          seconds += second
          if take(".") || take(",") {
            fraction = digits()
            guard !fraction.isEmpty else { return nil }
          }
        }
        if !rest.isEmpty {
          guard let found = self.offset() else { return nil }
          offset = found
        }
      }
      guard rest.isEmpty else { return nil }
      if let offset {
        seconds -= offset
      } else if let zone {
        switch LocalTime.read(Double(seconds), in: zone) {
        case .once(let found): seconds = Int(found)
        case .twice(let first, _):
          seconds = Int(first)
          isRepeated = true
        case .never:
          isSkipped = true
          return nil
        }
      } else {
        return nil
      }
      return Self.date(seconds, fraction)
    }

    /// The number of the day, counted from 2001-01-01.
    private mutating func day() -> Int? {
      let sign: Int? = take("+") ? 1 : take("-") ? -1 : nil
      let yearDigits = digits()
      let counts = sign == nil ? 4...4 : isRelaxed ? 4...10 : 6...10
      guard counts.contains(yearDigits.count), take("-"),
        let month = number(digits: 2, below: 13), month > 0, take("-"),
        let day = number(digits: 2, below: 32)
      else { return nil }
      let date = CivilDate(
        year: Self.number(yearDigits) * (sign ?? 1), month: month, day: day)
      // The 30th of February is another day.
      let days = date.daysSince2001
      return CivilDate(daysSince2001: days) == date ? days : nil
    }

    /// "Z", "+02:00", "+0200" or "+02", in seconds.
    private mutating func offset() -> Int? {
      if take("Z") || isRelaxed && take("z") { return 0 }
      guard let sign = take("+") ? 1 : take("-") ? -1 : nil,
        let hours = number(digits: 2, below: 24)
      else { return nil }
      guard !rest.isEmpty else { return sign * hours * 3_600 }
      _ = take(":")
      guard let minutes = number(digits: 2, below: 60) else { return nil }
      return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func digits() -> ArraySlice<UInt8> {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...]
      return digits
    }

    private mutating func number(digits count: Int, below limit: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      rest = rest[digits.endIndex...]
      let number = Self.number(digits)
      return number < limit ? number : nil
    }

    /// The number that a few digits stand for.
    private static func number(_ digits: some Sequence<UInt8>) -> Int {
      digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The nearest double to whole seconds and a fraction.
    private static func date(_ seconds: Int, _ fraction: ArraySlice<UInt8>) -> Date? {
      guard let last = fraction.lastIndex(where: { $0 != 0x30 }) else {
        return Date(timeIntervalSinceReferenceDate: Double(seconds))
      }
      let fraction = fraction[...last]
      // Whole microseconds that a double holds: one division rounds, and it rounds once.
      if fraction.count <= 6, abs(seconds) < 9_000_000_000 {
        let scale = fraction.reduce(1) { size, _ in size * 10 }
        let sum = seconds * scale + Self.number(fraction)
        return Date(timeIntervalSinceReferenceDate: Double(sum) / Double(scale))
      }
      var numeral = "\(seconds).\(String(decoding: fraction, as: UTF8.self))"
      if seconds < 0 {
        // 0.75 after -2 is -1.25.
        numeral = "-\(-seconds - 1).\(complement(of: fraction))"
      }
      return Double(numeral).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The digits of 1 minus a fraction that does not end with a zero.
    private static func complement(of fraction: ArraySlice<UInt8>) -> String {
      var digits = Array(fraction)
      for place in digits.indices {
        digits[place] = 0x30 + (place == digits.count - 1 ? 0x3A : 0x39) - digits[place]
      }
      return String(decoding: digits, as: UTF8.self)
    }
  }
}
