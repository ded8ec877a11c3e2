import Foundation

extension XMLPropertyListWriter {
  /// The growing text of an XML property list.
  package struct Output {
    private var storage: [UInt8] = []

    package init() {
      append(line: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", depth: 0)
      append(
        line: "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
          + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">", depth: 0)
      append(line: "<plist version=\"1.0\">", depth: 0)
    }

    func finished() -> Data {
      var copy = self
      copy.end()
      return Data(copy.storage)
    }

    /// Appends what follows the value.
    package mutating func end() { append(line: "</plist>", depth: 0) }

    /// The number of bytes that nobody has taken yet.
    package var pendingCount: Int { storage.count }

    /// Takes the bytes up to here.
    package mutating func takeBytes() -> [UInt8] {
      defer { storage.removeAll(keepingCapacity: true) }
      return storage
    }

    package mutating func append(line: String, depth: Int) {
      // Of values in thousands of others, most of the text would be tabs.
      storage.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: min(depth, 64)))
      storage.append(contentsOf: line.utf8)
      storage.append(UInt8(ascii: "\n"))
    }

    /// Appends an element with escaped text.
    package mutating func append(element name: String, _ text: String, depth: Int) {
      append(line: "<\(name)>\(Self.escaped(text))</\(name)>", depth: depth)
    }

    /// Appends a value that holds no other values.
    package mutating func append(
      _ leaf: PropertyListValue, depth: Int
    ) throws(PropertyListWritingError) {
      switch leaf {
      case .bool(let flag): append(line: flag ? "<true/>" : "<false/>", depth: depth)
      case .integer(let number): append(element: "integer", "\(number)", depth: depth)
      case .unsigned(let number): append(element: "integer", "\(number)", depth: depth)
      case .real(let number): append(element: "real", Self.text(of: number), depth: depth)
      case .float(let number): append(element: "real", Self.text(of: Double(number)), depth: depth)
      case .string(let text): append(element: "string", text, depth: depth)
      case .utf16(let units):
        append(element: "string", String(decoding: units, as: UTF16.self), depth: depth)
      case .data(let data): append(data, depth: depth)
      case .date(let seconds): append(element: "date", try Self.text(ofDate: seconds), depth: depth)
      case .null: throw .noXMLForm(of: "null")
      case .set: throw .noXMLForm(of: "a set")
      case .uid, .array, .dictionary: throw .noXMLForm(of: "a container in the place of a leaf")
      }
    }

    /// Appends bytes in lines of at most 76 columns, where a tab counts for eight.
    private mutating func append(_ data: Data, depth: Int) {
      append(line: "<data>", depth: depth)
      let columns = max(4, 76 - 8 * min(depth, 8)) / 4 * 4
      var rest = Substring(data.base64EncodedString())
      while !rest.isEmpty {
        append(line: String(rest.prefix(columns)), depth: depth)
        rest = rest.dropFirst(columns)
      }
      append(line: "</data>", depth: depth)
    }

    private static func text(of number: Double) -> String {
      if number.isNaN { return "nan" }
      if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
      if number.isZero { return number.sign == .minus ? "-0.0" : "0.0" }
      return String(format: "%.17g", number)
    }

    private static func text(ofDate seconds: Double) throws(PropertyListWritingError) -> String {
      let yearsOneTo9999 = -63_113_904_000.0..<252_423_993_600.0
      guard yearsOneTo9999.contains(seconds) else { throw .noXMLForm(of: "the date \(seconds)") }
      // Foundation writes days before 1582 in the Julian calendar. The Gregorian one repeats itself
      // after 400 years.
      let period = 12_622_780_800.0
      let periods = max(0, (-seconds / period).rounded(.up))
      let repeated = (seconds + periods * period).rounded(.down)
      let text = Date(timeIntervalSinceReferenceDate: repeated).formatted(.iso8601)
      let year = (Int(text.prefix(4)) ?? 0) - 400 * Int(periods)
      return String(format: "%04d", year) + text.dropFirst(4)
    }

    private static func escaped(_ text: String) -> String {
      guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x0D })
      else {
        return text
      }
      var escaped = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        // Readers make a line feed of a bare one.
        case "\r": escaped += "&#13;"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }
  }
}
