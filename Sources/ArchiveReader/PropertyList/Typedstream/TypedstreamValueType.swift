extension Typedstream {
  /// The type of the values of a group, as Objective-C encodes it: "@", "iI", "{CGPoint=dd}".
  struct ValueType: Sendable {
    /// A step on the way through the values.
    struct Step: Sendable {
      /// The letter of a plain value, "D" for an array of bytes, a bracket, or the end.
      var letter: UInt8
      /// The number of elements of an array.
      var count = 0
      /// Of a bracket, the step that is its partner.
      var partner = 0
      /// The least number of bytes that it takes, for an array each element.
      var size = 1
      /// The kind of structure that it is to Foundation.
      var geometry: Geometry?
    }

    /// The structures that Foundation archives as texts under keys.
    enum Geometry: Sendable {
      case point, size, rect, range
    }

    /// The shared string that it is, and its text.
    let string: Int
    let text: String
    /// The first of its steps.
    let firstStep: Int
    /// The number of values.
    private(set) var count = 0
    /// True if there are characters among them.
    private(set) var hasCharacters = false
    /// True for one value, which is no list.
    private(set) var isOne = false
    /// Its only character; zero if it has several.
    let letter: UInt8
    /// The letter of the step after the last of each type.
    static let end: UInt8 = 0

    /// True if the value can be the length of a list.
    var isCount: Bool { letter == UInt8(ascii: "i") || letter == UInt8(ascii: "I") }

    /// The mistakes that a type can have.
    enum Mistake: Error {
      case unsupported(UInt8)
      case incomplete
      case empty
      case tooDeep
    }

    /// A bracket that is not closed yet.
    private struct Open {
      var step: Int
      var size = 0
      var members = 0
    }

    private static let plain = Set("cCBsSiIlLqQfd@#:%*+".utf8)

    /// Reads a type, from its first character to the last.
    ///
    /// - Parameters:
    ///   - string: The shared string that it is.
    ///   - bytes: Its text.
    ///   - depth: The most levels of brackets.
    ///   - steps: The steps of all types, to which its own are added.
    /// - Throws: `Mistake` if it is no type.
    init(
      _ string: Int, _ bytes: BorrowedBytes, depth: Int, _ steps: inout [Step]
    ) throws(Mistake) {
      self.string = string
      text = String(decoding: bytes, as: UTF8.self)
      firstStep = steps.count
      letter = bytes.count == 1 ? bytes[0] : 0
      guard bytes.count > 0 else { throw .empty }
      var open = [Open(step: -1)]
      var place = 0
      while place < bytes.count {
        let letter = bytes[place]
        place += 1
        switch letter {
        case _ where Self.plain.contains(letter):
          steps.append(Step(letter: letter))
          Self.add(1, to: &open)
        case UInt8(ascii: "!"), UInt8(ascii: "v"):
          // A member that is not encoded.
          Self.add(0, to: &open)
        case UInt8(ascii: "{"):
          guard open.count <= depth else { throw .tooDeep }
          let name = Self.name(bytes, &place)
          open.append(Open(step: steps.count))
          steps.append(Step(letter: letter, geometry: Self.geometry(name)))
        case UInt8(ascii: "["):
          guard open.count <= depth else { throw .tooDeep }
          open.append(Open(step: steps.count))
          steps.append(Step(letter: letter, count: try Self.number(bytes, &place)))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          try Self.close(letter, &open, &steps)
        default: throw .unsupported(letter)
        }
      }
      guard open.count == 1 else { throw .incomplete }
      count = open[0].members
      hasCharacters = steps[firstStep...].contains { $0.letter == UInt8(ascii: "c") }
      isOne = steps.count == firstStep + 1
      steps.append(Step(letter: Self.end))
    }

    private static func add(_ size: Int, to open: inout [Open]) {
      let sum = open[open.count - 1].size.addingReportingOverflow(size)
      open[open.count - 1].size = sum.overflow ? .max : sum.partialValue
      open[open.count - 1].members += 1
    }

    private static func close(
      _ letter: UInt8, _ open: inout [Open], _ steps: inout [Step]
    ) throws(Mistake) {
      guard open.count > 1, let last = open.popLast(),
        letter == steps[last.step].letter + 2
      else { throw .incomplete }
      var size = last.size
      if letter == UInt8(ascii: "]") {
        guard last.members == 1 else { throw .incomplete }
        let count = steps[last.step].count
        // Values that take no bytes could be any number.
        guard size > 0 || count == 0 else { throw .empty }
        let isBytes = [UInt8(ascii: "c"), UInt8(ascii: "C")].contains(steps[steps.count - 1].letter)
        if isBytes, steps.count == last.step + 2 {
          steps.removeLast()
          steps[last.step].letter = UInt8(ascii: "D")
          add(count, to: &open)
          return
        }
        let all = size.multipliedReportingOverflow(by: count)
        steps[last.step].size = size
        size = all.overflow ? .max : all.partialValue
      }
      steps[last.step].partner = steps.count
      steps.append(Step(letter: letter, partner: last.step))
      add(size, to: &open)
    }

    /// The name of a structure, where it has one.
    private static func name(_ bytes: BorrowedBytes, _ place: inout Int) -> String {
      var end = place
      while end < bytes.count, !"={}[]()".utf8.contains(bytes[end]) { end += 1 }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "=") else { return "" }
      defer { place = end + 1 }
      return String(decoding: bytes.part(place..<end), as: UTF8.self)
    }

    private static func geometry(_ name: String) -> Geometry? {
      switch name {
      case "CGPoint", "NSPoint", "_NSPoint": .point
      case "CGSize", "NSSize", "_NSSize": .size
      case "CGRect", "NSRect", "_NSRect": .rect
      case "NSRange", "_NSRange": .range
      default: nil
      }
    }

    private static func number(_ bytes: BorrowedBytes, _ place: inout Int) throws(Mistake) -> Int {
      let start = place
      while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
      let digits = String(decoding: bytes.part(start..<place), as: UTF8.self)
      guard let number = Int(digits) else { throw .incomplete }
      return number
    }
  }
}
