import Foundation

/// Two thousand events with nothing but a time.
enum Events {
  static func sample() throws -> Sample {
    // 2011-05-22T21:52:00Z.
    var seconds = 327_793_920.0
    var events: [TimedEvent] = []
    for place in 0..<2_000 {
      events.append(TimedEvent(timeStamp: Date(timeIntervalSinceReferenceDate: seconds)))
      // From a second to an hour and a half, by a rule that looks like none.
      seconds += Double(1 + place * 7_919 % 5_400)
      if place % 5 == 3 { seconds += 0.125 * Double(place % 8) }
    }
    // The XML form alone would be larger than all the other samples.
    return try Sample(
      name: "Events", objects: events, renaming: ["TimedEvent": "Event"], writesXML: false)
  }
}

/// The article's event.
final class TimedEvent: NSObject, NSCoding {
  let timeStamp: Date

  init(timeStamp: Date) {
    self.timeStamp = timeStamp
  }

  // Samples are only written.
  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(timeStamp, forKey: "timeStamp")
  }
}
