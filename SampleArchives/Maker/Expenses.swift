import ArchiveWriter

/// The tracking periods of a money app, whose totals are doubles.
///
/// The archive is our own: Foundation's XML form, which the other samples go through, writes -0.0
/// as 0.0.
enum Expenses {
  private static let totals = [
    56.78888, 1234.5, 2.675, 1.005, 0.125, 0.135, -2.675, -0.005, 12, 0, -0.0, 1e21,
    123456789012345.678,
  ]

  static func sample() throws -> Sample {
    try sample(named: "Expenses", totals: totals)
  }

  /// The totals that no decimal number can hold.
  static func unusualSample() throws -> Sample {
    try sample(named: "Expenses-Unusual", totals: [.nan, .infinity])
  }

  private static func sample(named name: String, totals: [Double]) throws -> Sample {
    let months = [
      ("January", 31), ("February", 29), ("March", 31), ("April", 30), ("May", 31), ("June", 30),
      ("July", 31), ("August", 31), ("September", 30), ("October", 31), ("November", 30),
      ("December", 31), ("January", 31),
    ]
    let firstOf2012 = 347_068_800.0
    var archive = KeyedArchiveBuilder()
    var seconds = firstOf2012
    var start = archive.date(secondsSince2001: seconds)
    var periods: [PropertyListValue] = []
    for (place, total) in totals.enumerated() {
      let (month, days) = months[place % months.count]
      seconds += Double(days) * 86_400
      let end = archive.date(secondsSince2001: seconds)
      periods.append(
        archive.instance(
          of: "TrackingPeriod",
          [
            "name": archive.string("\(month) \(2012 + place / 12)"), "startDate": start,
            "endDate": end, "expenseTotal": .real(total),
          ]))
      start = end
    }
    archive.setTop("root", archive.array(periods))
    return try Sample(name: name, archive)
  }
}
