import ArchiveReader

/// A pattern of dates that consists of numbers with a fixed number of digits, in UTC, such as
/// "yyyy-MM-dd HH:mm": what takes a formatter some microseconds is a few divisions.
struct DateDigits: Sendable {
  private enum Part: Sendable {
    case year, month, day, hour, minute, second
    case literal(UInt8)
  }

  private let parts: [Part]
  /// How many seconds the smallest part has.
  private let unit: Int

  private static let fields: [(pattern: String, part: Part, unit: Int)] = [
    ("yyyy", .year, 0), ("MM", .month, 0), ("dd", .day, 86_400), ("HH", .hour, 3_600),
    ("mm", .minute, 60), ("ss", .second, 1),
  ]

  /// Takes a pattern apart; nil for one that has other parts, or lacks a part before its smallest.
  ///
  /// - Parameter pattern: A pattern of Unicode's Technical Standard 35.
  init?(_ pattern: String) {
    var parts: [Part] = []
    var found: Set<Int> = []
    var rest = Substring(pattern)
    while let character = rest.first {
      let run = rest.prefix { $0 == character }
      rest = rest.dropFirst(run.count)
      guard let byte = character.asciiValue, byte != UInt8(ascii: "'") else { return nil }
      guard character.isLetter else {
        parts += run.map { _ in .literal(byte) }
        continue
      }
      guard let number = Self.fields.firstIndex(where: { $0.pattern == run }),
        found.insert(number).inserted
      else { return nil }
      parts.append(Self.fields[number].part)
    }
    guard found.count >= 3, found == Set(0..<found.count), parts.count < WrittenText.mostBytes / 4
    else { return nil }
    self.parts = parts
    unit = Self.fields[found.count - 1].unit
  }

  /// Writes the text of a date of the years 1601 to 9999; nil for others, and for dates that a
  /// formatter may count to the next second.
  func write(_ seconds: Double, into space: UnsafeMutableRawBufferPointer) -> WrittenText? {
    guard seconds > -12_591_158_400, seconds < 252_423_993_600 else { return nil }
    let floor = seconds.rounded(.down)
    guard seconds - floor < 0.998 else { return nil }
    let whole = Int(floor)
    let days = whole >= 0 ? whole / 86_400 : -((-whole + 86_399) / 86_400)
    let time = whole - days * 86_400
    let date = CivilDate(daysSince2001: days)
    var writer = ASCIIWriter(space)
    for part in parts {
      switch part {
      case .year: writer.put(date.year, digits: 4)
      case .month: writer.put(date.month, digits: 2)
      case .day: writer.put(date.day, digits: 2)
      case .hour: writer.put(time / 3_600, digits: 2)
      case .minute: writer.put(time / 60 % 60, digits: 2)
      case .second: writer.put(time % 60, digits: 2)
      case .literal(let byte): writer.put(byte)
      }
    }
    return WrittenText(
      count: writer.count,
      loss: time % unit != 0 ? .instantDropped : floor != seconds ? .fractionDropped : nil)
  }
}
