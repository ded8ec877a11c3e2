import Foundation

/// Places with their tags in one text.
enum Locations {
  static func sample() throws -> Sample {
    // 2010-06-01T08:30:00Z.
    let first = 297_073_800.0
    let rows: [(seconds: Double, latitude: Double, longitude: Double, tags: String?)] = [
      (0, 37.3317, -122.0307, "a, b ,,a"),
      (3_600.5, 40.7484, -73.9857, "b,\n c"),
      (7_200.25, 51.5007, -0.1246, nil),
      (86_400, -33.8568, 151.2153, ""),
      (90_000.75, 25.0339, 121.5645, " , "),
      (172_800, 0, 180, "A"),
    ]
    let events = rows.map { row in
      PlacedEvent(
        creationDate: Date(timeIntervalSinceReferenceDate: first + row.seconds),
        latitude: row.latitude, longitude: row.longitude, tags: row.tags)
    }
    return try Sample(name: "Locations", objects: events, renaming: ["PlacedEvent": "Event"])
  }
}

/// The article's event.
final class PlacedEvent: NSObject, NSCoding {
  let creationDate: Date
  let latitude: Double
  let longitude: Double
  let tags: String?

  init(creationDate: Date, latitude: Double, longitude: Double, tags: String?) {
    self.creationDate = creationDate
    self.latitude = latitude
    self.longitude = longitude
    self.tags = tags
  }

  // Samples are only written.
  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(creationDate, forKey: "creationDate")
    coder.encode(latitude, forKey: "latitude")
    coder.encode(longitude, forKey: "longitude")
    coder.encode(tags, forKey: "tags")
  }
}
