extension SwiftName {
  /// Identifiers that are not ASCII, in Swift's variant of Punycode (RFC 3492): the digits are a to
  /// z and A to J, and the delimiter is an underscore.
  enum Punycode {
    static func decoded(_ bytes: [UInt8]) -> String? {
      var scalars: [Unicode.Scalar] = []
      var rest = bytes[...]
      if let delimiter = bytes.lastIndex(of: UInt8(ascii: "_")) {
        scalars = bytes[..<delimiter].map { Unicode.Scalar($0) }
        rest = bytes[(delimiter + 1)...]
      }
      var code = 128
      var index = 0
      var bias = 72
      while !rest.isEmpty {
        let start = index
        var weight = 1
        var threshold = 36
        while true {
          guard let digit = rest.popFirst().flatMap(digit) else { return nil }
          let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
          guard !overflow, product <= 0x7FFF_FFFF - index else { return nil }
          index += product
          let limit = threshold <= bias ? 1 : min(26, threshold - bias)
          if digit < limit { break }
          guard weight <= 0x7FFF_FFFF / (36 - limit) else { return nil }
          weight *= 36 - limit
          threshold += 36
        }
        bias = adapted(index - start, scalars.count + 1, isFirst: start == 0)
        code += index / (scalars.count + 1)
        index %= scalars.count + 1
        guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else {
          return nil
        }
        scalars.insert(scalar, at: index)
        index += 1
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }

    private static func digit(_ byte: UInt8) -> Int? {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
      case UInt8(ascii: "A")...UInt8(ascii: "J"): Int(byte - UInt8(ascii: "A")) + 26
      default: nil
      }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
      var delta = isFirst ? delta / 700 : delta / 2
      delta += delta / count
      var bias = 0
      while delta > 35 * 26 / 2 {
        delta /= 35
        bias += 36
      }
      return bias + 36 * delta / (delta + 38)
    }
  }
}
