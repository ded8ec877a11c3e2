extension SwiftName {
  /// The names of types in the mangling of Swift 1 to 3, the one that the Objective-C runtime knows.
  struct Mangling {
    private var text: MangledText
    private var substitutions: [Path] = []
    private var depth = 0

    private static let maxDepth = 64

    init(_ bytes: some Collection<UInt8>) { text = MangledText(bytes) }

    /// The plain form of the type that the whole text is.
    mutating func typeName() -> String? {
      guard let first = text.peek, "CVOPGS".contains(first) else { return nil }
      guard let name = type(), text.isAtEnd, name != "Any" else { return nil }
      return name
    }

    // MARK: Types

    private mutating func type() -> String? {
      guard depth < Self.maxDepth else { return nil }
      depth += 1
      defer { depth -= 1 }
      guard let name = unlimitedType(), text.spend(name) else { return nil }
      return name
    }

    private mutating func unlimitedType() -> String? {
      switch text.peek {
      case "C", "V", "O", "S":
        guard let path = nominal(), path.isType else { return nil }
        return path.text
      case "G":
        _ = text.next()
        guard var path = nominal(), path.isType else { return nil }
        // The arguments of the outermost type come first, and each list ends with an underscore.
        for level in path.parts.indices.dropFirst() {
          guard let arguments = types(untilUnderscore: ()) else { return nil }
          path.parts[level].arguments = arguments
        }
        return path.text
      case "P":
        _ = text.next()
        return protocols()
      case "T":
        _ = text.next()
        return tuple()
      case "F":
        _ = text.next()
        guard let argument = type(), let result = type() else { return nil }
        let arguments = argument.hasPrefix("(") ? argument : "(\(argument))"
        return "\(arguments) -> \(result)"
      case "M":
        _ = text.next()
        return type().map { "\($0).Type" }
      default:
        return nil
      }
    }

    private mutating func types(untilUnderscore: Void) -> [String]? {
      var names: [String] = []
      while !text.take("_") {
        guard let name = type() else { return nil }
        names.append(name)
      }
      return names
    }

    private mutating func protocols() -> String? {
      var names: [String] = []
      while !text.take("_") {
        let path: Path?
        if text.peek == "S" || text.peek == "s" || text.isAtDigit || text.peek == "P" {
          _ = text.peek == "P" && text.take("P")
          path = text.peek == "S" ? substitutedProtocol() : declaration()
        } else {
          path = nil
        }
        guard let path, path.isType else { return nil }
        names.append(path.text)
      }
      return names.isEmpty ? "Any" : names.joined(separator: " & ")
    }

    /// A protocol that begins with a substitution: of itself, or of the module it is in.
    private mutating func substitutedProtocol() -> Path? {
      guard text.take("S"), let path = substitution() else { return nil }
      if path.isType { return path }
      return name().map { remember(path.appending($0)) }
    }

    private mutating func tuple() -> String? {
      var elements: [String] = []
      while !text.take("_") {
        var label: String?
        if text.isAtDigit {
          guard let name = name() else { return nil }
          label = name
        }
        guard let type = type() else { return nil }
        elements.append(label.map { "\($0): \(type)" } ?? type)
      }
      return "(\(elements.joined(separator: ", ")))"
    }

    // MARK: Declarations

    /// A class, a structure or an enumeration.
    private mutating func nominal() -> Path? {
      switch text.next() {
      case "S": substitution()
      case "C", "V", "O", "P": declaration()
      default: nil
      }
    }

    /// A context and a name in it.
    private mutating func declaration() -> Path? {
      guard let context = context(), let name = name() else { return nil }
      return remember(context.appending(name))
    }

    private mutating func context() -> Path? {
      guard depth < Self.maxDepth else { return nil }
      depth += 1
      defer { depth -= 1 }
      switch text.peek {
      case "s":
        _ = text.next()
        return Path(module: "Swift")
      case "S":
        _ = text.next()
        return substitution()
      case "C", "V", "O", "P":
        return nominal()
      case "E":
        // In an extension: what is extended counts, not the module of the extension.
        _ = text.next()
        guard context() != nil else { return nil }
        return context()
      default:
        return name().map { remember(Path(module: $0)) }
      }
    }

    /// The name of a declaration; what keeps private ones apart is left out.
    private mutating func name() -> String? {
      if text.take("P") {
        guard identifier() != nil else { return nil }
        return identifier()
      }
      return identifier()
    }

    private mutating func identifier() -> String? {
      let isPunycode = text.take("X")
      guard let count = text.natural(), let bytes = text.bytes(count) else { return nil }
      return isPunycode ? Punycode.decoded(bytes) : String(validating: bytes, as: UTF8.self)
    }

    // MARK: Substitutions

    private mutating func remember(_ path: Path) -> Path {
      substitutions.append(path)
      return path
    }

    /// The path that a substitution, after its S, stands for.
    private mutating func substitution() -> Path? {
      switch text.peek {
      case "o":
        _ = text.next()
        return Path(module: "__C")
      case "C":
        _ = text.next()
        return Path(module: "__C_Synthesized")
      case "_":
        _ = text.next()
        return substitutions.first
      default:
        if text.isAtDigit {
          guard let number = text.natural(), text.take("_"), number + 1 < substitutions.count else {
            return nil
          }
          return substitutions[number + 1]
        }
        return text.next().flatMap { Self.standard[$0] }.map { Path(standard: $0) }
      }
    }

    private static let standard: [Character: String] = [
      "a": "Array", "b": "Bool", "c": "UnicodeScalar", "d": "Double", "f": "Float", "i": "Int",
      "P": "UnsafePointer", "p": "UnsafeMutablePointer", "Q": "ImplicitlyUnwrappedOptional",
      "q": "Optional", "R": "UnsafeBufferPointer", "r": "UnsafeMutableBufferPointer",
      "S": "String", "u": "UInt", "V": "UnsafeRawPointer", "v": "UnsafeMutableRawPointer",
    ]
  }
}

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
