/// A CMTime: a time as a fraction.
///
/// AVFoundation archives it as a dictionary (CMTimeCopyAsDictionary).
public struct ArchivedTime: Sendable, Hashable, Encodable {
  /// The numerator.
  public let value: Int
  /// How many of them are a second.
  public let timescale: Int
  /// Tells times of different time lines apart.
  public let epoch: Int
  /// Whether the time is valid, rounded, infinite or indefinite: CMTimeFlags.
  public let flags: Int

  /// Reads a time from a dictionary.
  ///
  /// It is nil if it has other keys, or something else than integers.
  ///
  /// - Parameter dictionary: The dictionary.
  public init?(_ dictionary: UnarchivedValue) {
    guard let values = dictionary.valuesByKey, values.count == 4,
      let value = values["value"]?.wholeNumber, let timescale = values["timescale"]?.wholeNumber,
      let epoch = values["epoch"]?.wholeNumber, let flags = values["flags"]?.wholeNumber
    else { return nil }
    self.value = value
    self.timescale = timescale
    self.epoch = epoch
    self.flags = flags
  }

  /// The time in seconds, if it is a number of them.
  public var seconds: Double? {
    // Only the lowest flag, for valid, and the next, for rounded.
    flags & 1 == 1 && flags & ~3 == 0 && timescale != 0 ? Double(value) / Double(timescale) : nil
  }
}
