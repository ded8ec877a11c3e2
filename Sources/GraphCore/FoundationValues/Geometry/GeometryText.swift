/// Points, sizes, rectangles and transforms as the texts that Foundation and UIKit archive.
enum GeometryText {
  /// The numbers in a text of some form.
  ///
  /// Spaces do not matter. A number is written as C prints it; it has no more digits than a double
  /// tells apart, so the nearest double is the archived one.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - form: The form, with "#" for each number.
  /// - Returns: The numbers, as many as the form has; nil if the text has another form.
  static func numbers(_ text: String, like form: String) -> [Double]? {
    var rest = Substring(text)
    var numbers: [Double] = []
    for character in form where character != " " {
      rest = rest.drop { $0 == " " }
      guard character == "#" else {
        guard rest.first == character else { return nil }
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0 != " " && $0 != "," && $0 != "}" && $0 != "]" }
      guard let number = number(digits) else { return nil }
      numbers.append(number)
      rest = rest.dropFirst(digits.count)
    }
    return rest.allSatisfy { $0 == " " } ? numbers : nil
  }

  /// A number in the form of C's printf.
  ///
  /// Swift reads hexadecimal digits as well, and many spellings of infinity.
  static func number(_ text: some StringProtocol) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    guard isPlain || ["inf", "-inf", "nan", "-nan"].contains(String(text)) else { return nil }
    guard let number = Double(text), number.isFinite == isPlain else { return nil }
    return number
  }
}

extension PartReader {
  package mutating func point(_ keys: String...) -> ArchivedPoint? {
    take(keys) { $0.text.flatMap { ArchivedPoint(text: $0) } }
  }

  package mutating func size(_ keys: String...) -> ArchivedSize? {
    take(keys) { $0.text.flatMap { ArchivedSize(text: $0) } }
  }

  package mutating func rect(_ keys: String...) -> ArchivedRect? {
    take(keys) { $0.text.flatMap { ArchivedRect(text: $0) } }
  }
}
