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
  /// Seconds to date.
  struct DateFromNumberStep: ConversionStep {
    private let epoch: ValueConversion.Epoch

    init(since epoch: ValueConversion.Epoch) {
      self.epoch = epoch
    }

    func resultType(from _: AttributeType) -> AttributeType { .date }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
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

extension ValueConversion.Epoch {
  fileprivate var secondsBefore2001: Double {
    switch self {
    case .unix: 978_307_200
    case .reference: 0
    }
  }
}
