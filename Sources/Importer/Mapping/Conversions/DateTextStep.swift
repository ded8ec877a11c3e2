import ArchiveReader
import Foundation

/// Date to text.
struct DateTextStep: ConversionStep {
  /// Nil for ISO 8601.
  private let format: DateFormat?

  init(
    form: ValueConversion.DateForm, locale: String, timeZone: String
  ) throws(ConversionRuleError) {
    format = try DateFormat(form, locale: locale, timeZone: timeZone)
    // Silently written in UTC, such texts would be taken for local ones.
    if format == nil, !DateFormat.isUTC(timeZone) {
      throw ConversionRuleError(.zoneOfISO8601, name: timeZone)
    }
  }

  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    guard case .date(let date) = value else {
      throw ConversionFailure(.wrongKind, name: "a text of a date", kind: value.kind)
    }
    guard let text = text(date) else {
      throw ConversionFailure(.outOfRange, name: "dates", kind: value.kind)
    }
    return ConvertedValue(.text(text), loss: loss(of: date, in: text))
  }

  private func text(_ date: Date) -> String? {
    if let format { return format.text(date) }
    let text = DateText.text(secondsSince2001: date.timeIntervalSinceReferenceDate)
    return text.utf8.last == UInt8(ascii: "Z") ? text : nil
  }

  /// What is lost when the text is read in the form it was written in.
  private func loss(of date: Date, in text: String) -> ConvertedValue.Loss? {
    guard let format, !format.surelyTells(date) else { return nil }
    guard let read = format.date(text) else {
      return ConvertedValue.Loss("the text cannot be read back")
    }
    guard read != date else { return nil }
    return abs(read.timeIntervalSince(date)) < 1
      ? .fractionDropped : ConvertedValue.Loss("the text does not tell the instant")
  }
}

/// Text to date.
struct DateReadingStep: ConversionStep {
  /// Nil for ISO 8601.
  private let format: DateFormat?
  private let zone: TimeZone

  init(
    form: ValueConversion.DateForm, locale: String, timeZone: String
  ) throws(ConversionRuleError) {
    zone = try DateFormat.zone(timeZone)
    format = try DateFormat(form, locale: locale, timeZone: timeZone)
  }

  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    switch value {
    case .date: return ConvertedValue(value)
    case .text(let text):
      let bare = text.trimmingCharacters(in: .whitespacesAndNewlines)
      guard let (date, isExact) = read(bare) else {
        throw ConversionFailure(.notADate, kind: value.kind)
      }
      return ConvertedValue(.date(date), loss: isExact && bare == text ? nil : .looseText)
    default:
      throw ConversionFailure(.wrongKind, name: "a date", kind: value.kind)
    }
  }

  private func read(_ text: String) -> (date: Date, isExact: Bool)? {
    guard let format else { return ISO8601Text.date(text, zone: zone) }
    guard let date = format.date(text) else { return nil }
    return (date, format.text(date) == text)
  }
}
