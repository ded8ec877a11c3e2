import Foundation

/// An instant as archives hold it, written as ISO 8601 text.
public struct ArchivedDate: Sendable, Hashable, Encodable {
  /// Seconds since 2001-01-01 UTC.
  public var secondsSinceReferenceDate: Double

  /// Creates an instant.
  ///
  /// - Parameter seconds: Seconds since 2001-01-01 UTC.
  public init(secondsSinceReferenceDate seconds: Double) {
    secondsSinceReferenceDate = seconds
  }

  /// The instant as Foundation's type.
  public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate) }

  /// The instant as ISO 8601 text in UTC, with as many fractional digits as it takes.
  public var text: String { DateText.text(secondsSince2001: secondsSinceReferenceDate) }

  /// Encodes the instant as its text.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
