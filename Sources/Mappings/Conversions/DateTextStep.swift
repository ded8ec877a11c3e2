import ArchiveReader
import DataModel
import Foundation

extension ValueConversion {
  /// Date to text.
  struct DateTextStep: ConversionStep {
    /// Nil for ISO 8601.
    private let format: DateFormat?
    /// Writes texts of usual dates, where the form allows it.
    private let digits: DateFormat.Digits?
    /// True if these texts are those of the formatter, in the digits of its locale.
    private var isProven: Bool

    init(
      form: ValueConversion.DateForm, locale: String, timeZone: String
    ) throws(ConversionRuleError) {
      format = try DateFormat(form, locale: locale, timeZone: timeZone)
      digits = format?.digits()
      // Silently written in UTC, such texts would be taken for local ones.
      if format == nil, !DateFormat.isUTC(timeZone) {
        throw ConversionRuleError(.zoneOfISO8601, name: timeZone)
      }
      isProven = false
      isProven = digits.map(isSame) ?? false
    }

    func resultType(from _: AttributeType) -> AttributeType { .string }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      guard case .date(let date) = value else {
        throw ConversionFailure(.wrongKind, name: "a text of a date", kind: value.kind)
      }
      if isProven, let written = written(date.timeIntervalSinceReferenceDate) { return written }
      guard let text = text(date) else {
        throw ConversionFailure(.outOfRange, name: "dates", kind: value.kind)
      }
      return ConvertedValue(.text(text), loss: loss(of: date, in: text))
    }

    /// The text of a usual date.
    private func written(_ seconds: Double) -> ConvertedValue? {
      guard let digits else { return nil }
      var written: WrittenText?
      let bytes = [UInt8](upTo: WrittenText.maxBytes) {
        written = digits.write(seconds, into: &$0)
      }
      return written.map {
        ConvertedValue(.text(String(decoding: bytes, as: UTF8.self)), loss: $0.loss)
      }
    }

    private func text(_ date: Date) -> String? {
      if let format { return format.text(date) }
      let text = DateText.text(secondsSince2001: date.timeIntervalSinceReferenceDate)
      return text.utf8.last == UInt8(ascii: "Z") ? text : nil
    }

    /// The loss when the text is read in the form it was written in.
    private func loss(of date: Date, in text: String) -> ConvertedValue.Loss? {
      guard let format, !format.surelyTells(date) else { return nil }
      guard let (read, _) = try? format.date(text) else {
        return ConvertedValue.Loss("the text cannot be read back")
      }
      guard read != date else { return nil }
      return abs(read.timeIntervalSince(date)) < 1
        ? .fractionDropped : .instantDropped
    }
  }
}

extension ValueConversion.DateTextStep: TextWritingStep {
  var writtenType: AttributeType { .string }

  /// True if sample dates are written as the formatter writes them, with the same losses.
  private func isSame(_ digits: DateFormat.Digits) -> Bool {
    // Each month of a year, in the morning and in the afternoon.
    let months = (0..<24).map { Double($0) * (15.25 * 86_400 + 1_234) }
    let samples: [Double] = [
      0, 0.25, 59, 60, 3_600, 43_200, 46_799, 86_399, 86_400, 327_790_320, -978_307_200,
      -11_000_000_000, 7_000_000_000, 250_000_000_000,
    ]
    return (samples + months).allSatisfy { seconds in
      guard let written = written(seconds) else { return false }
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      guard let converted = try? convert(.date(date)) else { return false }
      return written == converted
    }
  }

  func write(_ value: GraphValue, into span: inout OutputSpan<UInt8>) -> WrittenText? {
    guard isProven, let digits, case .date(let seconds) = value else { return nil }
    return digits.write(seconds, into: &span)
  }
}

extension ValueConversion {
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

    func resultType(from _: AttributeType) -> AttributeType { .date }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      switch value {
      case .date: return ConvertedValue(value)
      case .text(let text):
        let bare = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let read = try read(bare) else {
          throw ConversionFailure(.notADate, kind: value.kind)
        }
        return ConvertedValue(
          .date(read.date), losses: read.isExact && bare == text ? nil : .looseText,
          read.isRepeated ? .repeatedTime : nil)
      default:
        throw ConversionFailure(.wrongKind, name: "a date", kind: value.kind)
      }
    }

    private func read(_ text: String) throws(ConversionFailure) -> ISO8601Text.LocalDate? {
      guard let format else { return try ISO8601Text.date(text, zone: zone) }
      guard let (date, isRepeated) = try format.date(text) else { return nil }
      return ISO8601Text.LocalDate(
        date: date, isExact: format.text(date) == text, isRepeated: isRepeated)
    }
  }
}
