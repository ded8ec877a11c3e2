import ArchiveReader

/// Reads dates that are written as ISO 8601 has it.
struct ISODate {
  private var rest: Substring.UTF8View

  /// The instant that text names, in seconds since 2001-01-01 UTC; nil if it names none.
  ///
  /// A date, and a time behind a `T` or a space. Seconds, their fraction, the zone and the time
  /// itself may be left out; without a zone it is UTC. Years have four digits, or a sign and more.
  static func secondsSince2001(_ text: String) -> Double? {
    var date = ISODate(rest: text[...].utf8)
    guard text.utf8.count <= 100, let days = date.days() else { return nil }
    var seconds = days * 86_400
    var fraction = ExactNumber(0)
    if date.take("T") || date.take(" ") {
      guard let hours = date.field(below: 24), date.take(":"), let minutes = date.field(below: 60)
      else { return nil }
      seconds += hours * 3_600 + minutes * 60
      if date.take(":") {
        guard let field = date.field(below: 60), let part = date.fraction() else { return nil }
        seconds += field
        fraction = part
      }
      guard let offset = date.offset() else { return nil }
      seconds -= offset
    }
    guard date.rest.isEmpty else { return nil }
    return (ExactNumber(Int64(seconds)) + fraction).real
  }

  /// The number of a day of the calendar.
  private mutating func days() -> Int? {
    let isNegative = take("-")
    let hasSign = isNegative || take("+")
    guard let year = number(hasSign ? 4...9 : 4...4), take("-"),
      let month = number(2...2), (1...12).contains(month), take("-"), let day = number(2...2)
    else { return nil }
    let date = CivilDate(year: isNegative ? -year : year, month: month, day: day)
    let days = date.daysSince2001
    return CivilDate(daysSince2001: days) == date ? days : nil
  }

  private mutating func fraction() -> ExactNumber? {
    guard take(".") else { return ExactNumber(0) }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits.isEmpty ? nil : ExactNumber(text: "0." + String(Substring(digits)))
  }

  /// Seconds east of Greenwich.
  private mutating func offset() -> Int? {
    if rest.isEmpty || take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = field(below: 24) else { return nil }
    var seconds = hours * 3_600
    if take(":") || !rest.isEmpty {
      guard let minutes = field(below: 60) else { return nil }
      seconds += minutes * 60
    }
    return isWest ? -seconds : seconds
  }

  private mutating func field(below limit: Int) -> Int? {
    number(2...2).flatMap { $0 < limit ? $0 : nil }
  }

  private mutating func number(_ counts: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(counts.upperBound).prefix { (0x30...0x39).contains($0) }
    guard digits.count >= counts.lowerBound else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int(Substring(digits))
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }
}
