extension SwiftName {
  /// The names of types in the mangling of Swift 4 and later, which works on a stack.
  struct NewMangling {
    private enum Item {
      case name(String)
      /// A module, or a type by its path.
      case path(Path)
      /// A type that has no path: a tuple, an existential.
      case type(String)
      case emptyList
      case firstElement
    }

    private var text: MangledText
    private var stack: [Item] = []
    private var substitutions: [Item] = []
    private var words: [[UInt8]] = []

    init(_ bytes: some Collection<UInt8>) { text = MangledText(bytes) }

    /// The plain form of the type that the whole text is.
    mutating func typeName() -> String? {
      while let next = text.peek {
        if next == "D" {
          // The mark of a name for debuggers.
          _ = text.next()
          break
        }
        guard step(next) else { return nil }
      }
      guard text.isAtEnd, stack.count == 1, case .path(let path) = stack[0], path.isType else {
        return nil
      }
      return path.text
    }

    private mutating func step(_ next: Character) -> Bool {
      if text.isAtDigit {
        guard let name = identifier() else { return false }
        return remember(.name(name))
      }
      _ = text.next()
      switch next {
      case "s": stack.append(.path(Path(module: "Swift")))
      case "C", "V", "O", "P":
        guard let name = popName(), let context = popContext() else { return false }
        return remember(.path(context.appending(name)))
      case "L":
        // What keeps private types apart is left out.
        guard text.take("L"), popName() != nil, let name = popName() else { return false }
        stack.append(.name(name))
      case "E":
        guard popContext() != nil, case .path(let path)? = stack.last, path.isType else {
          return false
        }
      case "y": stack.append(.emptyList)
      case "_": stack.append(.firstElement)
      case "G": return bindArguments()
      case "t": return makeTuple()
      case "p":
        guard case .emptyList? = stack.popLast() else { return false }
        return remember(.type("Any"))
      case "m":
        guard let type = popType() else { return false }
        return remember(.type("\(type).Type"))
      case "S": return standard()
      case "A": return repeated()
      default: return false
      }
      return true
    }

    /// Puts an item on the stack that later ones may refer to.
    private mutating func remember(_ item: Item) -> Bool {
      substitutions.append(item)
      return push(item)
    }

    private mutating func push(_ item: Item) -> Bool {
      stack.append(item)
      switch item {
      case .name(let name): return text.spend(name)
      case .path(let path): return text.spend(path.text)
      case .type(let type): return text.spend(type)
      case .emptyList, .firstElement: return true
      }
    }

    // MARK: The stack

    private mutating func popName() -> String? {
      guard case .name(let name)? = stack.last else { return nil }
      stack.removeLast()
      return name
    }

    private mutating func popContext() -> Path? {
      switch stack.popLast() {
      case .name(let module)?: Path(module: module)
      case .path(let path)?: path
      default: nil
      }
    }

    private mutating func popType() -> String? {
      switch stack.last {
      case .path(let path)? where path.isType:
        stack.removeLast()
        return path.text
      case .type(let type)?:
        stack.removeLast()
        return type
      default: return nil
      }
    }

    private mutating func bindArguments() -> Bool {
      // The lists of arguments, that of the innermost type first.
      var lists: [[String]] = []
      while true {
        var arguments: [String] = []
        while let type = popType() { arguments.append(type) }
        lists.append(arguments.reversed())
        switch stack.popLast() {
        case .emptyList?:
          guard case .path(var path)? = stack.popLast(), lists.count < path.parts.count else {
            return false
          }
          for (level, arguments) in lists.enumerated() {
            path.parts[path.parts.count - 1 - level].arguments = arguments
          }
          return remember(.path(path))
        case .firstElement?: continue
        default: return false
        }
      }
    }

    private mutating func makeTuple() -> Bool {
      if case .emptyList? = stack.last {
        stack.removeLast()
        return remember(.type("()"))
      }
      var elements: [String] = []
      while true {
        var isFirst = false
        if case .firstElement? = stack.last {
          stack.removeLast()
          isFirst = true
        }
        let label = popName()
        guard let type = popType() else { return false }
        elements.append(label.map { "\($0): \(type)" } ?? type)
        if isFirst { break }
      }
      return remember(.type("(\(elements.reversed().joined(separator: ", ")))"))
    }

    // MARK: Identifiers

    /// An identifier; words of earlier ones are letters in it.
    private mutating func identifier() -> String? {
      var hasWords = false
      var isPunycode = false
      if text.take("0") {
        isPunycode = text.take("0")
        hasWords = !isPunycode
      }
      var identifier: [UInt8] = []
      repeat {
        while hasWords, let next = text.peek, next.isLetter, let code = next.asciiValue {
          _ = text.next()
          let isLast = next.isUppercase
          let word = Int(code) - Int(UInt8(ascii: isLast ? "A" : "a"))
          guard words.indices.contains(word) else { return nil }
          identifier += words[word]
          if isLast { hasWords = false }
        }
        if text.take("0") { break }
        guard let count = text.natural() else { return nil }
        if isPunycode { _ = text.take("_") }
        guard let bytes = text.bytes(count) else { return nil }
        if isPunycode { return Punycode.decoded(bytes) }
        identifier += bytes
        noteWords(in: bytes)
      } while hasWords
      return String(validating: identifier, as: UTF8.self)
    }

    private mutating func noteWords(in bytes: [UInt8]) {
      func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
      var start: Int?
      for place in 0...bytes.count {
        let byte = place < bytes.count ? bytes[place] : 0
        let isBreak = byte == 0 || byte == UInt8(ascii: "_")
        if let first = start, isBreak || (isUpper(byte) && !isUpper(bytes[place - 1])) {
          if place - first >= 2, words.count < 26 { words.append(Array(bytes[first..<place])) }
          start = nil
        }
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        if start == nil, !isBreak, !isDigit { start = place }
      }
    }

    // MARK: Substitutions

    private mutating func repeated() -> Bool {
      var count: Int?
      while true {
        if text.isAtDigit {
          count = text.natural()
          continue
        }
        guard let next = text.next() else { return false }
        let place: Int
        switch next {
        case "_": place = (count ?? -1) + 27
        case "a"..."z", "A"..."Z":
          guard let code = next.asciiValue else { return false }
          place = Int(code) - Int(UInt8(ascii: next.isUppercase ? "A" : "a"))
        default: return false
        }
        guard substitutions.indices.contains(place) else { return false }
        let copies = next == "_" ? 1 : count ?? 1
        guard copies > 0, copies <= 64 else { return false }
        for _ in 0..<copies where !push(substitutions[place]) { return false }
        if next == "_" || next.isUppercase { return true }
        count = nil
      }
    }

    private mutating func standard() -> Bool {
      if text.take("o") { return push(.path(Path(module: "__C"))) }
      if text.take("g") {
        guard let type = popType() else { return false }
        var path = Path(standard: "Optional")
        path.parts[1].arguments = [type]
        return remember(.path(path))
      }
      var copies = 1
      if text.isAtDigit {
        guard let count = text.natural() else { return false }
        copies = count
      }
      guard copies > 0, copies <= 64, let name = text.next().flatMap({ Self.standard[$0] }) else {
        return false
      }
      for _ in 0..<copies where !push(.path(Path(standard: name))) { return false }
      return true
    }

    private static let standard: [Character: String] = [
      "A": "AutoreleasingUnsafeMutablePointer", "a": "Array", "b": "Bool", "D": "Dictionary",
      "d": "Double", "f": "Float", "h": "Set", "I": "DefaultIndices", "i": "Int",
      "J": "Character", "N": "ClosedRange", "n": "Range", "O": "ObjectIdentifier",
      "P": "UnsafePointer", "p": "UnsafeMutablePointer", "q": "Optional",
      "R": "UnsafeBufferPointer", "r": "UnsafeMutableBufferPointer", "S": "String",
      "s": "Substring", "u": "UInt", "V": "UnsafeRawPointer", "v": "UnsafeMutableRawPointer",
      "W": "UnsafeRawBufferPointer", "w": "UnsafeMutableRawBufferPointer",
    ]
  }
}
