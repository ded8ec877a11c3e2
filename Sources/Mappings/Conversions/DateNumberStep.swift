import DataModel
import Foundation

extension ValueConversion {
  /// Date to seconds.
  struct DateNumberStep: ConversionStep {
    private let offset: Double

    init(since epoch: ValueConversion.Epoch) {
      offset = epoch.secondsBefore2001
    }

    func resultType(from _: AttributeType) -> AttributeType { .double }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      guard case .date(let date) = value else {
        throw ConversionFailure(.wrongKind, name: "seconds of a date", kind: value.kind)
      }
      let seconds = date.timeIntervalSinceReferenceDate
      let number = seconds + offset
      let isLost = seconds.isFinite && number - offset != seconds
      return ConvertedValue(.real(number), loss: isLost ? .fractionRounded : nil)
    }
  }
}

extension ValueConversion {
  /// Seconds to date, or another unit.
  struct DateFromNumberStep: ConversionStep {
    private let epoch: ValueConversion.Epoch
    private let unit: ValueConversion.DateUnit
    private let zero: ValueConversion.Fallback

    init(
      since epoch: ValueConversion.Epoch, _ unit: ValueConversion.DateUnit,
      zero: ValueConversion.Fallback
    ) {
      (self.epoch, self.unit, self.zero) = (epoch, unit, zero)
    }

    func resultType(from _: AttributeType) -> AttributeType { .date }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      switch (value, zero) {
      case (.integer(0), .null), (.real(0), .null), (.decimal(0), .null):
        return ConvertedValue(.null)
      case (.integer(0), .error), (.real(0), .error), (.decimal(0), .error):
        throw ConversionFailure(.outOfRange, name: "dates", kind: value.kind)
      default: break
      }
      guard unit != .seconds else { return try converted(seconds: value) }
      switch value {
      case .integer(let count): return try converted(Decimal(count))
      case .real(let real):
        try NumberConversion.checkFinite(real, "a date")
        guard let count = ExactNumber(real)?.decimal else {
          throw ConversionFailure(.outOfRange, name: "dates", kind: value.kind)
        }
        return try converted(count)
      case .decimal(let count): return try converted(count)
      default: return try converted(seconds: value)
      }
    }

    /// The date of a number of units.
    private func converted(_ count: Decimal) throws(ConversionFailure) -> ConvertedValue {
      guard !count.isNaN else { return try converted(seconds: .decimal(count)) }
      let digits = unit.digits(of: count)
      let sign: FloatingPointSign = count < 0 ? .minus : .plus
      return try converted(
        seconds: .decimal(Decimal(sign: sign, exponent: -digits, significand: abs(count))))
    }

    private func converted(
      seconds value: ImportValue
    ) throws(ConversionFailure) -> ConvertedValue {
      let offset = epoch.secondsBefore2001
      switch value {
      case .date:
        return ConvertedValue(value)
      case .integer, .real:
        let number = try NumberConversion.double(value)
        guard case .real(let seconds) = number.value else { return number }
        try NumberConversion.checkFinite(seconds, "a date")
        let date = seconds - offset
        return ConvertedValue(
          .date(Date(timeIntervalSinceReferenceDate: date)),
          losses: number.loss, date + offset == seconds ? nil : .fractionRounded)
      case .decimal(let seconds):
        guard !seconds.isNaN else {
          throw ConversionFailure(.nan, name: "a date", kind: value.kind)
        }
        // A double of seconds since 1970 would be less fine than the date.
        let date = seconds - Decimal(offset)
        let isExact = date + Decimal(offset) == seconds
        guard let digits = ExactNumber(date) else {
          throw ConversionFailure(.outOfRange, name: "dates", kind: value.kind)
        }
        let number = try NumberConversion.double(digits, kind: value.kind)
        guard case .real(let rounded) = number.value else { return number }
        return ConvertedValue(
          .date(Date(timeIntervalSinceReferenceDate: rounded)),
          loss: isExact && number.loss == nil ? nil : .fractionRounded)
      default:
        throw ConversionFailure(.wrongKind, name: "a date", kind: value.kind)
      }
    }
  }
}

extension ValueConversion.DateUnit {
  /// The number of digits by which a count of units is longer than one of seconds.
  fileprivate func digits(of count: Decimal) -> Int {
    switch self {
    case .seconds: 0
    case .milliseconds: 3
    case .microseconds: 6
    case .nanoseconds: 9
    case .bySize:
      switch abs(count) {
      case ..<100_000_000_000: 0
      case ..<100_000_000_000_000: 3
      case ..<100_000_000_000_000_000: 6
      default: 9
      }
    }
  }
}

extension ValueConversion.Epoch {
  fileprivate var secondsBefore2001: Double {
    switch self {
    case .unix: 978_307_200
    case .reference: 0
    }
  }
}

/// Times as the clocks of a zone show them.
///
/// Clocks that are put back show an hour twice; clocks that are put forward skip one.
enum LocalTime {
  /// The times at which a clock shows a local time.
  enum Reading {
    case once(Double)
    /// The clock shows it twice: the first time counts, which is that of summer time.
    case twice(first: Double, last: Double)
    /// The clock never shows it.
    case never
  }

  /// Reads a clock.
  ///
  /// - Parameters:
  ///   - local: The time that it shows, in seconds since it showed 2001-01-01 00:00.
  ///   - zone: The zone that it stands in.
  /// - Returns: The times, in seconds since 2001-01-01 00:00 UTC.
  static func read(_ local: Double, in zone: TimeZone) -> Reading {
    func offset(at seconds: Double) -> Double {
      Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
    }
    // Zones change by less than a day, and not twice within two.
    let candidates = [local - 86_400, local + 86_400].map { local - offset(at: $0) }
    let found = candidates.filter { $0 + offset(at: $0) == local }.sorted()
    guard let first = found.first, let last = found.last else { return .never }
    return first == last ? .once(first) : .twice(first: first, last: last)
  }
}
