import Foundation

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
