extension SwiftName {
  /// The bytes of a mangled name, and how far they are read.
  struct MangledText {
    private let bytes: [UInt8]
    private(set) var place = 0
    /// The bytes of texts that may still be made: substitutions could double them again and again.
    var budget = 65_536

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    var isAtEnd: Bool { place == bytes.count }

    /// The character that comes next; nil at the end.
    var peek: Character? {
      place < bytes.count ? Character(Unicode.Scalar(bytes[place])) : nil
    }

    mutating func next() -> Character? {
      guard let next = peek else { return nil }
      place += 1
      return next
    }

    mutating func take(_ character: Character) -> Bool {
      guard peek == character else { return false }
      place += 1
      return true
    }

    var isAtDigit: Bool { place < bytes.count && (0x30...0x39).contains(bytes[place]) }

    /// A decimal number; nil if there is none, or it is too large.
    mutating func natural() -> Int? {
      guard isAtDigit else { return nil }
      var value = 0
      while isAtDigit {
        value = value * 10 + Int(bytes[place] - 0x30)
        guard value <= 1_000_000 else { return nil }
        place += 1
      }
      return value
    }

    /// So many bytes.
    mutating func bytes(_ count: Int) -> [UInt8]? {
      guard count > 0, count <= bytes.count - place else { return nil }
      defer { place += count }
      return Array(bytes[place..<place + count])
    }

    /// Notes a text as made; false if there are too many.
    mutating func spend(_ text: String) -> Bool {
      budget -= text.utf8.count
      return budget > 0
    }
  }
}
