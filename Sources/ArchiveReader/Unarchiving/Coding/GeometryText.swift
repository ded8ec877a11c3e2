import Foundation

/// Points, sizes and rectangles as the texts that archivers write: "{x, y}", "{{x, y}, {w, h}}".
package enum GeometryText {
  /// The point in a text; nil if there is none.
  package static func point(_ text: String) -> CGPoint? {
    numbers(text, ["{", nil, ",", nil, "}"]).map { CGPoint(x: $0[0], y: $0[1]) }
  }

  /// The size in a text; nil if there is none.
  package static func size(_ text: String) -> CGSize? {
    numbers(text, ["{", nil, ",", nil, "}"]).map { CGSize(width: $0[0], height: $0[1]) }
  }

  /// The rectangle in a text; nil if there is none.
  package static func rect(_ text: String) -> CGRect? {
    numbers(text, ["{", "{", nil, ",", nil, "}", ",", "{", nil, ",", nil, "}", "}"]).map {
      CGRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
    }
  }

  /// The numbers in a text of a form, in which nil stands for a number.
  private static func numbers(_ text: String, _ form: [Character?]) -> [Double]? {
    var rest = text[...]
    var numbers: [Double] = []
    for part in form {
      rest = rest.drop { $0 == " " }
      if let mark = part {
        guard rest.first == mark else { return nil }
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0 != "," && $0 != "}" && $0 != " " }
      guard let number = Double(digits) else { return nil }
      numbers.append(number)
      rest = rest.dropFirst(digits.count)
    }
    return rest.allSatisfy { $0 == " " } ? numbers : nil
  }
}
