extension Array<Double> {
  /// The value in the middle; of an even number, the mean of the two.
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension Double {
  /// With so many digits that three count.
  var short: String {
    let digits = self >= 100 ? 0 : self >= 10 ? 1 : 2
    let scale = [1.0, 10, 100][digits]
    let scaled = Int((self * scale).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(scaled % Int(scale))
    return "\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }
}
