import ArchiveReader
import Foundation

extension DateFormat {
  /// A pattern of dates that consists of numbers, names of months and marks of half days, in UTC,
  /// such as "yyyy-MM-dd HH:mm": what takes a formatter some microseconds is a few divisions.
  struct Digits: Sendable {
    private enum Part: Sendable {
      case year(digits: Int)
      case month(digits: Int)
      case monthName([[UInt8]])
      case day(digits: Int)
      case hour(digits: Int)
      case hourOfHalfDay(digits: Int)
      case halfDay([[UInt8]])
      case minute(digits: Int)
      case second(digits: Int)
      case literal(UInt8)

      /// Its place among year, month, day, hour, minute and second; nil for what is none of them.
      var rank: Int? {
        switch self {
        case .year: 0
        case .month, .monthName: 1
        case .day: 2
        case .hour, .hourOfHalfDay: 3
        case .minute: 4
        case .second: 5
        case .halfDay, .literal: nil
        }
      }

      /// The greatest size of its text, in bytes.
      var maxBytes: Int {
        switch self {
        case .year: 4
        case .month, .day, .hour, .hourOfHalfDay, .minute, .second: 2
        case .monthName(let names), .halfDay(let names): names.map(\.count).max() ?? 0
        case .literal: 1
        }
      }
    }

    /// The words of a locale.
    struct Words {
      var months: [String]
      var shortMonths: [String]
      /// The marks of the hours before noon, and of those after.
      var halfDays: [String]

      /// Takes the words of a formatter.
      init(_ formatter: DateFormatter) {
        months = formatter.monthSymbols
        shortMonths = formatter.shortMonthSymbols
        halfDays = [formatter.amSymbol, formatter.pmSymbol]
      }
    }

    private let parts: [Part]
    /// The length of the smallest part, in seconds.
    private let unit: Int

    private static let units = [0, 0, 86_400, 3_600, 60, 1]

    /// Takes a pattern apart; nil for one that has other parts, or lacks a part before its
    /// smallest.
    ///
    /// - Parameters:
    ///   - pattern: A pattern of Unicode's Technical Standard 35.
    ///   - words: The words of its locale.
    init?(_ pattern: String, _ words: Words) {
      var parts: [Part] = []
      var isQuoted = false
      var rest = Substring(pattern).unicodeScalars
      while let scalar = rest.first {
        if scalar == "'" {
          rest.removeFirst()
          if rest.first == "'" {
            // Two of them are one, in quotes and outside.
            rest.removeFirst()
            parts.append(.literal(UInt8(ascii: "'")))
          } else {
            isQuoted.toggle()
          }
          continue
        }
        guard !isQuoted, scalar.isASCII, scalar.properties.isAlphabetic else {
          rest.removeFirst()
          parts += String(scalar).utf8.map { .literal($0) }
          continue
        }
        let run = rest.prefix { $0 == scalar }
        rest = rest.dropFirst(run.count)
        guard let part = Self.part(String(run), words) else { return nil }
        parts.append(part)
      }
      let ranks = parts.compactMap(\.rank)
      let hasHalfDays = parts.contains { if case .halfDay = $0 { true } else { false } }
      let needsHalfDays = parts.contains { if case .hourOfHalfDay = $0 { true } else { false } }
      guard ranks.count >= 3, ranks.sorted() == Array(0..<ranks.count),
        hasHalfDays || !needsHalfDays,
        parts.reduce(0, { $0 + $1.maxBytes }) <= WrittenText.maxBytes
      else { return nil }
      self.parts = parts
      unit = Self.units[ranks.count - 1]
    }

    private static func part(_ field: String, _ words: Words) -> Part? {
      func names(_ names: [String], _ count: Int) -> [[UInt8]]? {
        names.count == count ? names.map { Array($0.utf8) } : nil
      }
      switch field {
      case "yyyy": return .year(digits: 4)
      case "y": return .year(digits: 1)
      case "MM", "M": return .month(digits: field.count)
      case "MMM": return names(words.shortMonths, 12).map { .monthName($0) }
      case "MMMM": return names(words.months, 12).map { .monthName($0) }
      case "dd", "d": return .day(digits: field.count)
      case "HH", "H": return .hour(digits: field.count)
      case "hh", "h": return .hourOfHalfDay(digits: field.count)
      case "a": return names(words.halfDays, 2).map { .halfDay($0) }
      case "mm": return .minute(digits: 2)
      case "ss": return .second(digits: 2)
      default: return nil
      }
    }

    /// Writes the text of a date of the years 1601 to 9999; nil for others, and for dates that a
    /// formatter may count to the next second.
    func write(_ seconds: Double, into span: inout OutputSpan<UInt8>) -> WrittenText? {
      guard seconds > -12_591_158_400, seconds < 252_423_993_600 else { return nil }
      let floor = seconds.rounded(.down)
      guard seconds - floor < 0.998 else { return nil }
      let whole = Int(floor)
      let days = whole >= 0 ? whole / 86_400 : -((-whole + 86_399) / 86_400)
      let time = whole - days * 86_400
      let date = CivilDate(daysSince2001: days)
      let hour = time / 3_600
      for part in parts {
        switch part {
        case .year(let digits): span.append(date.year, least: digits)
        case .month(let digits): span.append(date.month, least: digits)
        case .monthName(let names): span.append(bytes: names[date.month - 1])
        case .day(let digits): span.append(date.day, least: digits)
        case .hour(let digits): span.append(hour, least: digits)
        case .hourOfHalfDay(let digits): span.append((hour + 11) % 12 + 1, least: digits)
        case .halfDay(let names): span.append(bytes: names[hour / 12])
        case .minute(let digits): span.append(time / 60 % 60, least: digits)
        case .second(let digits): span.append(time % 60, least: digits)
        case .literal(let byte): span.append(byte)
        }
      }
      return WrittenText(
        loss: time % unit != 0 ? .instantDropped : floor != seconds ? .fractionDropped : nil)
    }
  }
}
