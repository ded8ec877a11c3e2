extension Typedstream {
  /// Reads a typedstream, every byte of it.
  ///
  /// Neither objects in objects nor types in types use stack. Numbers are checked before anything is
  /// made for them, and values that take no bytes are bounded by the size of the file.
  struct Reader {
    let bytes: BorrowedBytes
    let limits: ReadingLimits
    var place = 0
    private(set) var stream = Typedstream()

    private var isBigEndian = false
    /// The number of each shared string among the types; -1 for one that is none yet.
    private var typeNumbers: [Int] = []
    /// The targets of references, by number: objects, classes, and C strings.
    private var referents: [Referent] = []
    private var frame = Frame(object: -1)
    private var frames: [Frame] = []
    /// The brackets that are open, and how many elements of them are left.
    private var lists: [(token: Int, left: Int)] = []
    /// The number of lists: they take no bytes of their own.
    private var listCount = 0

    /// An object that is being read.
    private struct Frame {
      /// Its number; below zero for what stands in no object.
      var object: Int
      /// The token of the group that is being read; none if `type` tells that its value stands for it.
      var group = 0
      /// The type that its tokens have.
      var type: UInt16 = 0
      /// The number of groups that have begun.
      var groups = 0
      /// The next step of the type of the group; below zero between groups.
      var step = -1
    }

    /// The target of a reference, and its number among those of its kind.
    private struct Referent {
      var kind: Token.Kind
      var number: UInt32

      init(_ kind: Token.Kind, _ number: Int = 0) {
        self.kind = kind
        self.number = UInt32(truncatingIfNeeded: number)
      }
    }

    /// The signature is written in both byte orders; that of the numbers is the first's.
    static let littleEndian = Array("streamtyped".utf8)
    static let bigEndian = Array("typedstream".utf8)
    /// The longest name of a class in bytes: many classes can share one name.
    private static let longestName = 4_096
    /// For how many tokens there is room from the beginning at most.
    private static let room = 1 << 22

    /// Reads the bytes of a file.
    static func read(
      _ bytes: BorrowedBytes, limits: ReadingLimits
    ) throws(ArchiveError) -> Typedstream {
      var reader = Reader(bytes: bytes, limits: limits)
      try reader.readHeader()
      try reader.readGroups()
      return reader.stream
    }

    private init(bytes: BorrowedBytes, limits: ReadingLimits) {
      (self.bytes, self.limits) = (bytes, limits)
      let room = min(bytes.count / 4, Self.room)
      stream.tokens.reserveCapacity(room)
      stream.objects.reserveCapacity(room / 4)
      referents.reserveCapacity(room / 4)
    }

    private mutating func readHeader() throws(ArchiveError) {
      let version = try byte()
      guard (3...4).contains(version) else { throw mistake("its version is \(version)", at: 0) }
      stream.version = Int64(version)
      let size = try length()
      let name = Array(bytes.part(place..<place + size))
      guard name == Self.littleEndian || name == Self.bigEndian else {
        throw mistake("it has no signature", at: 2)
      }
      isBigEndian = name == Self.bigEndian
      place += size
      // The version of the system.
      _ = try integer()
    }

    // MARK: Groups

    private mutating func readGroups() throws(ArchiveError) {
      while true {
        if frame.step >= 0 {
          try readStep()
        } else if frame.object < 0, place == bytes.count {
          break
        } else if frame.object >= 0, try head() == Head.end {
          place += 1
          try endObject()
        } else {
          try beginGroup()
        }
      }
    }

    private mutating func beginGroup() throws(ArchiveError) {
      let start = place
      frame.groups += 1
      guard let string = try sharedString() else { throw mistake("a type is missing", at: start) }
      let number = try type(string, at: start)
      let first = stream.types[number].firstStep
      frame.type = stream.types[number].isOne ? UInt16(exactly: number + 1) ?? 0 : 0
      if frame.type > 0 { return try readValue(stream.steps[first]) }
      frame.step = first
      frame.group = stream.tokens.count
      append(Token(.group, bits: number))
    }

    private mutating func type(_ string: Int, at start: Int) throws(ArchiveError) -> Int {
      if typeNumbers[string] >= 0 { return typeNumbers[string] }
      let range = stream.strings[string]
      let text = bytes.part(range.offset..<range.offset + range.count)
      do throws(ValueType.Mistake) {
        stream.types.append(try ValueType(string, text, depth: limits.depth, &stream.steps))
      } catch {
        switch error {
        case .tooDeep: throw limits.exceeded(.depth, at: .byte(start))
        case .empty: throw mistake("a type stands for no values", at: start)
        case .incomplete: throw mistake("a type is incomplete", at: start)
        case .unsupported:
          let type = String(decoding: text.prefix(64), as: UTF8.self)
          throw ArchiveError(.unsupportedType, at: .byte(start), name: "\(type) in \(groupName)")
        }
      }
      typeNumbers[string] = stream.types.count - 1
      return stream.types.count - 1
    }

    /// The group in words.
    private var groupName: String {
      guard frame.object >= 0 else { return "top-level group \(frame.groups)" }
      let found = stream.classes[stream.objects[frame.object].class]
      return "group \(frame.groups) of \(stream.name(of: found, bytes))"
    }

    private mutating func endObject() throws(ArchiveError) {
      stream.objects[frame.object].end = try tokenCount()
      frame = frames.removeLast()
    }

    /// Adds a token of the group that is being read.
    @inline(__always)
    private mutating func append(_ token: Token) {
      var token = token
      token.type = frame.type
      stream.tokens.append(token)
    }

    // MARK: Values

    private mutating func readStep() throws(ArchiveError) {
      let number = frame.step
      let step = stream.steps[number]
      frame.step += 1
      switch step.letter {
      case ValueType.end:
        frame.step = -1
        try end(frame.group)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        try beginList(step, number)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        lists[lists.count - 1].left -= 1
        if lists[lists.count - 1].left > 0 {
          frame.step = step.partner + 1
        } else {
          try endList()
        }
      default: try readValue(step)
      }
    }

    private mutating func readValue(_ step: ValueType.Step) throws(ArchiveError) {
      if step.letter == UInt8(ascii: "@") { try readObject() } else { append(try value(step)) }
    }

    private mutating func beginList(
      _ step: ValueType.Step, _ number: Int
    ) throws(ArchiveError) {
      guard listCount < bytes.count else { throw limits.exceeded(.expansion, at: .byte(place)) }
      listCount += 1
      let isArray = step.letter == UInt8(ascii: "[")
      if isArray, step.count > 0, step.count > (bytes.count - place) / max(1, step.size) {
        throw tooLong(at: place)
      }
      lists.append((stream.tokens.count, isArray ? step.count : 1))
      append(Token(.list, bits: number))
      if isArray, step.count == 0 {
        frame.step = step.partner + 1
        try endList()
      }
    }

    private mutating func endList() throws(ArchiveError) { try end(lists.removeLast().token) }

    /// Ends the group or the list whose token is at a place.
    private mutating func end(_ token: Int) throws(ArchiveError) {
      stream.tokens[token].count = try tokenCount() - UInt32(token) - 1
    }

    private func tokenCount() throws(ArchiveError) -> UInt32 {
      guard let count = UInt32(exactly: stream.tokens.count) else {
        throw limits.exceeded(.values, at: .byte(place))
      }
      return count
    }

    /// A value that is no object and holds none.
    private mutating func value(_ step: ValueType.Step) throws(ArchiveError) -> Token {
      let start = place
      switch step.letter {
      case UInt8(ascii: "c"):
        return Token(.character, bits: Int(Int8(bitPattern: try byte())))
      case UInt8(ascii: "C"): return Token(.integer, bits: Int(try byte()))
      case UInt8(ascii: "B"):
        let byte = try byte()
        guard byte <= 1 else { throw mistake("a boolean is neither 0 nor 1", at: start) }
        return Token(.bool, bits: Int(byte))
      case UInt8(ascii: "s"): return try integer(Int16.self)
      case UInt8(ascii: "S"): return try integer(UInt16.self)
      case UInt8(ascii: "i"), UInt8(ascii: "l"): return try integer(Int32.self)
      case UInt8(ascii: "I"), UInt8(ascii: "L"): return try integer(UInt32.self)
      case UInt8(ascii: "q"): return Token(.integer, bits: Int(try integer()))
      case UInt8(ascii: "Q"): return Token(.unsigned, bits: Int(try integer()))
      case UInt8(ascii: "f"): return try real { Double(Float(bitPattern: $0)) }
      case UInt8(ascii: "d"): return try real { Double(bitPattern: $0) }
      case UInt8(ascii: "D"):
        guard step.count <= bytes.count - place else { throw tooLong(at: start) }
        place += step.count
        return Token(.data, count: step.count, bits: start)
      case UInt8(ascii: "+"):
        if try head() == Head.null {
          place += 1
          return Token(.null)
        }
        let size = try length()
        defer { place += size }
        return Token(.text, count: size, bits: place)
      case UInt8(ascii: "%"), UInt8(ascii: ":"):
        return try sharedString().map { Token(.shared, bits: $0) } ?? Token(.null)
      case UInt8(ascii: "*"): return try cString()
      default:
        return try readClass().map { Token(.class, bits: $0) } ?? Token(.null)
      }
    }

    private mutating func integer<Value: FixedWidthInteger>(
      _ type: Value.Type
    ) throws(ArchiveError) -> Token {
      let start = place
      let number = try integer()
      // An unsigned number is written as the signed one with the same bits.
      let least = Int64(-1) << Int64(Value.bitWidth - 1)
      guard number >= least, number <= Int64(Value.max) else {
        throw ArchiveError(.outOfRange, at: .byte(start), name: "its type")
      }
      return Token(.integer, bits: Int(Value(truncatingIfNeeded: number)))
    }

    /// A real, which is an integer where one has its value.
    private mutating func real<Bits>(_ value: (Bits) -> Double) throws(ArchiveError) -> Token
    where Bits: FixedWidthInteger & BitwiseCopyable {
      guard try head() == Head.real else { return Token(real: Double(try integer())) }
      place += 1
      return Token(real: value(try number()))
    }

    private mutating func cString() throws(ArchiveError) -> Token {
      let start = place
      let mark = try byte()
      if mark == Head.null { return Token(.null) }
      guard mark == Head.new else {
        let token = try referent(mark, start)
        guard token.kind == .shared || token.kind == .null else {
          throw mistake("a reference leads to something else", at: start)
        }
        return token
      }
      let number = referents.count
      referents.append(Referent(.null))
      guard let string = try sharedString() else { return Token(.null) }
      referents[number] = Referent(.shared, string)
      return Token(.shared, bits: string)
    }

    private mutating func readObject() throws(ArchiveError) {
      let start = place
      let mark = try byte()
      if mark == Head.null { return append(Token(.null)) }
      guard mark == Head.new else {
        let token = try referent(mark, start)
        guard token.kind == .object || token.kind == .class else {
          throw mistake("a reference leads to something else", at: start)
        }
        return append(token)
      }
      let number = stream.objects.count
      referents.append(Referent(.object, number))
      append(Token(.object, count: 1, bits: number))
      guard let found = try readClass() else { throw mistake("an object has no class", at: start) }
      stream.objects.append(Object(class: found, at: try tokenCount()))
      frames.append(frame)
      frame = Frame(object: number)
    }

    /// A class with its superclasses, those that are new first; nil for none.
    private mutating func readClass() throws(ArchiveError) -> Int? {
      guard try head() == Head.new else { return try knownClass() }
      var first: Int?
      var last: Int?
      func join(_ number: Int, _ stream: inout Typedstream) {
        if let last { stream.classes[last].superclass = number }
        first = first ?? number
        last = number
      }
      while try head() == Head.new {
        let start = place
        place += 1
        guard let name = try sharedString() else { throw mistake("a class has no name", at: start) }
        guard stream.strings[name].count <= Self.longestName else {
          throw mistake("the name of a class is too long", at: start)
        }
        let version = try integer()
        referents.append(Referent(.class, stream.classes.count))
        stream.classes.append(Class(name: name, version: version, superclass: nil))
        join(stream.classes.count - 1, &stream)
      }
      let start = place
      if let number = try knownClass() {
        // Among those that are new here, a class would be its own superclass.
        guard let first, number < first else {
          throw mistake("a reference leads to something else", at: start)
        }
        join(number, &stream)
      }
      if let first, stream.hierarchy(of: first, most: limits.depth + 1).count > limits.depth {
        throw limits.exceeded(.depth, at: .byte(start))
      }
      return first
    }

    /// A class that was read before; nil for none.
    private mutating func knownClass() throws(ArchiveError) -> Int? {
      let start = place
      let mark = try byte()
      if mark == Head.null { return nil }
      let token = try referent(mark, start)
      guard token.kind == .class else {
        throw mistake("a reference leads to something else", at: start)
      }
      return token.number
    }

    // MARK: Strings and references

    /// The number of a shared string; nil for none.
    @inline(__always)
    private mutating func sharedString() throws(ArchiveError) -> Int? {
      let start = place
      let mark = try byte()
      if mark == Head.null { return nil }
      guard mark == Head.new else {
        let number = try reference(mark, start)
        guard stream.strings.indices.contains(number) else {
          throw mistake("a reference leads nowhere", at: start)
        }
        return number
      }
      let size = try length()
      stream.strings.append(ByteRange(offset: place, count: size))
      typeNumbers.append(-1)
      place += size
      return stream.strings.count - 1
    }

    /// The target of the reference with a mark, which stands at a place.
    private mutating func referent(_ mark: UInt8, _ start: Int) throws(ArchiveError) -> Token {
      let number = try reference(mark, start)
      guard referents.indices.contains(number) else {
        throw mistake("a reference leads nowhere", at: start)
      }
      return Token(referents[number].kind, bits: Int(referents[number].number))
    }

    /// References begin at the least number that takes one byte.
    @inline(__always)
    private mutating func reference(_ mark: UInt8, _ start: Int) throws(ArchiveError) -> Int {
      let (number, overflows) = Int(try integer(mark, start)).addingReportingOverflow(110)
      guard !overflows else { throw mistake("a reference leads nowhere", at: start) }
      return number
    }

    // MARK: Bytes

    /// The first bytes of values that are no small numbers.
    private enum Head {
      static let short: UInt8 = 0x81
      static let long: UInt8 = 0x82
      static let real: UInt8 = 0x83
      static let new: UInt8 = 0x84
      static let null: UInt8 = 0x85
      static let end: UInt8 = 0x86
      static let longer: UInt8 = 0x87
      static let reserved: ClosedRange<UInt8> = 0x80...0x91
    }

    @inline(__always)
    private func head() throws(ArchiveError) -> UInt8 {
      guard place < bytes.count else { throw tooLong(at: place) }
      // The place is in the file.
      return unsafe bytes.start.load(fromByteOffset: place, as: UInt8.self)
    }

    @inline(__always)
    private mutating func byte() throws(ArchiveError) -> UInt8 {
      defer { place += 1 }
      return try head()
    }

    /// The signed integer that all whole numbers, lengths and references are.
    private mutating func integer() throws(ArchiveError) -> Int64 {
      let start = place
      return try integer(try byte(), start)
    }

    /// The integer with a mark, which stands at a place.
    private mutating func integer(_ mark: UInt8, _ start: Int) throws(ArchiveError) -> Int64 {
      // Most numbers are small.
      guard Head.reserved.contains(mark) else { return Int64(Int8(bitPattern: mark)) }
      switch mark {
      case Head.short: return Int64(try number() as Int16)
      case Head.long: return Int64(try number() as Int32)
      case Head.longer: return try number()
      default: throw mistake("a number has the mark \(String(mark, radix: 16))", at: start)
      }
    }

    private mutating func number<Number>() throws(ArchiveError) -> Number
    where Number: FixedWidthInteger & BitwiseCopyable {
      let size = MemoryLayout<Number>.size
      guard size <= bytes.count - place else { throw tooLong(at: place) }
      // All of its bytes are in the file.
      let bits = unsafe bytes.start.loadUnaligned(fromByteOffset: place, as: Number.self)
      place += size
      return isBigEndian ? Number(bigEndian: bits) : Number(littleEndian: bits)
    }

    /// The number of bytes that follow, which are there.
    private mutating func length() throws(ArchiveError) -> Int {
      let start = place
      let size = try integer()
      guard size >= 0 else { throw mistake("a length is below zero", at: start) }
      guard size <= bytes.count - place, size <= UInt32.max else { throw tooLong(at: start) }
      return Int(size)
    }

    private func tooLong(at place: Int) -> ArchiveError {
      mistake("it ends before a value does", at: place)
    }

    private func mistake(_ words: String, at place: Int) -> ArchiveError {
      ArchiveError(.damagedTypedstream, at: .byte(place), name: words)
    }
  }

  /// A class by its name and version.
  func name(of found: Class, _ bytes: BorrowedBytes) -> String {
    "\(string(found.name, bytes))#\(found.version)"
  }

  /// A class and its superclasses, by their places among the classes.
  func hierarchy(of first: Int, most: Int = .max) -> [Int] {
    var found: [Int] = []
    var next: Int? = first
    while let number = next, found.count < most {
      found.append(number)
      next = classes[number].superclass
    }
    return found
  }
}
