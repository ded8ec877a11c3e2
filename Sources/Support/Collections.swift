extension Sequence<UInt8> {
  /// The bytes in hexadecimal, two small digits each.
  package var hexadecimal: String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in self {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, where it came first.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence<Int> {
  /// The sum, or the greatest number there is: a report that is read may hold any number.
  package var boundedSum: Int {
    reduce(0) { $0.addingBounded($1) }
  }
}

extension Int {
  /// The sum with another number, or the greatest number there is.
  package func addingBounded(_ other: Int) -> Int {
    let (result, overflow) = addingReportingOverflow(other)
    return overflow ? .max : result
  }
}

extension Collection {
  /// The first element for which something holds; the first of all if it holds for none.
  package func preferred(where isPreferred: (Element) -> Bool) -> Element? {
    first(where: isPreferred) ?? first
  }
}
