import Foundation

extension Typedstream {
  /// The classes whose groups are known, and archived with keys otherwise.
  enum KnownForm: Sendable {
    case string, mutableString, number, value, date, data, array, set, dictionary, null, url
    case attributedText, color, font, path
  }

  /// The form of a class; nil for one that has positions only.
  func form(of found: Class, _ file: BorrowedBytes) -> KnownForm? {
    // Longer names are not worth a string.
    guard strings[found.name].count <= "NSMutableAttributedString".utf8.count else { return nil }
    return switch string(found.name, file) {
    case "NSString": .string
    case "NSMutableString": .mutableString
    case "NSNumber": .number
    case "NSValue": .value
    case "NSDate": .date
    case "NSData", "NSMutableData": .data
    case "NSArray", "NSMutableArray": .array
    case "NSSet", "NSMutableSet": .set
    case "NSDictionary", "NSMutableDictionary": .dictionary
    case "NSNull": .null
    case "NSURL": .url
    case "NSAttributedString", "NSMutableAttributedString": .attributedText
    case "NSColor": .color
    case "NSFont" where found.version >= 21: .font
    case "NSBezierPath" where found.version >= 524: .path
    default: nil
    }
  }

  /// The only token of the next group, if the group is of a type.
  func take(_ type: Unicode.Scalar, _ cursor: inout Cursor) -> Token? {
    guard let group = next(&cursor), types[group.type].letter == UInt8(ascii: type) else {
      return nil
    }
    return tokens[group.tokens.lowerBound]
  }

  /// The tokens of the values of the next group, if the group is of a type.
  func takeAll(_ type: String, _ cursor: inout Cursor) -> [Token]? {
    guard let group = next(&cursor), types[group.type].text == type else { return nil }
    let places = sequence(first: group.tokens.lowerBound) { end(ofValueAt: $0) }
    return places.prefix { $0 < group.tokens.upperBound }.map { tokens[$0] }
  }

  /// The bytes of the next group, which has the number of them before it.
  func takeBytes(_ cursor: inout Cursor) -> Token? {
    guard let count = take("i", &cursor), let group = next(&cursor), group.tokens.count == 1,
      case let bytes = tokens[group.tokens.lowerBound], bytes.kind == .data,
      Int(bytes.count) == count.number
    else { return nil }
    return bytes
  }
}

// Objects of Foundation's classes as NSKeyedArchiver would have written them; nil for one whose groups
// are not those of its class: then it has positions.
extension Typedstream.Converter {
  mutating func known(
    _ form: Typedstream.KnownForm, _ object: Typedstream.Object
  ) throws(ArchiveError) -> UInt32? {
    switch form {
    case .string, .mutableString: try string(object, isMutable: form == .mutableString)
    case .number: try number(object)
    case .value: try value(object)
    case .date: try date(object)
    case .data: try data(object)
    case .array: try collection(object, "i")
    case .set: try collection(object, "I")
    case .dictionary: try dictionary(object)
    case .null: try null(object)
    case .url: try url(object)
    case .attributedText: try attributedText(object)
    case .color: try color(object)
    case .font: try font(object)
    case .path: try path(object)
    }
  }

  private mutating func end() throws(ArchiveError) -> UInt32 {
    try builder.add(dictionary: pairs[...])
  }

  private mutating func append(_ name: String, _ node: UInt32) throws(ArchiveError) {
    pairs.append(try add(key: name))
    pairs.append(node)
  }

  // MARK: Plain values

  private func text(of object: Typedstream.Object) -> ByteRange? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let token = stream.take("+", &cursor), token.kind == .text, cursor.isAtEnd else {
      return nil
    }
    return token.range
  }

  private mutating func string(
    _ object: Typedstream.Object, isMutable: Bool
  ) throws(ArchiveError) -> UInt32? {
    guard let range = text(of: object) else { return nil }
    // An entry with this text stands for nil.
    let isMark = range.count == 5 && bytes(range).elementsEqual("$null".utf8)
    guard isMutable || isMark else { return try add(stringAt: range) }
    try beginObject(object.class)
    try append(
      isMark ? "NS.bytes" : "NS.string", isMark ? try add(dataAt: range) : try add(stringAt: range))
    return try end()
  }

  private mutating func number(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let name = stream.take("*", &cursor), name.kind == .shared,
      let group = stream.next(&cursor), stream.types[group.type].string == name.number,
      group.tokens.count == 1, cursor.isAtEnd,
      case let token = stream.tokens[group.tokens.lowerBound]
    else { return nil }
    switch token.kind {
    case .bool, .character, .integer, .unsigned, .real: return try number(token)
    default: return nil
    }
  }

  private mutating func date(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let token = stream.take("d", &cursor), cursor.isAtEnd else { return nil }
    return try builder.add(date: token.real)
  }

  private mutating func data(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let bytes = stream.takeBytes(&cursor), cursor.isAtEnd else { return nil }
    return try add(dataAt: bytes.range)
  }

  private mutating func null(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    guard object.tokens.isEmpty else { return nil }
    try beginObject(object.class)
    return try end()
  }

  private mutating func url(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let hasBase = stream.take("c", &cursor), (0...1).contains(hasBase.number) else {
      return nil
    }
    var base = Typedstream.Token(.null)
    if hasBase.number == 1 {
      guard let token = stream.take("@", &cursor), token.kind == .object else { return nil }
      base = token
    }
    guard let text = stream.take("@", &cursor), cursor.isAtEnd else { return nil }
    try beginObject(object.class)
    try append("NS.base", try plain(base))
    try append("NS.relative", try plain(text))
    return try end()
  }

  // MARK: Collections

  private mutating func collection(
    _ object: Typedstream.Object, _ count: Unicode.Scalar
  ) throws(ArchiveError) -> UInt32? {
    guard let elements = try elements(of: object, count, arity: 1) else { return nil }
    try beginObject(object.class)
    try append("NS.objects", try builder.add(array: elements[...]))
    return try end()
  }

  private mutating func dictionary(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    guard let elements = try elements(of: object, "i", arity: 2) else { return nil }
    let places = stride(from: 0, to: elements.count, by: 2)
    let keys = try builder.add(array: places.map { elements[$0] }[...])
    let values = try builder.add(array: places.map { elements[$0 + 1] }[...])
    try beginObject(object.class)
    try append("NS.keys", keys)
    try append("NS.objects", values)
    return try end()
  }

  /// The objects after the number that says how many there are.
  private mutating func elements(
    of object: Typedstream.Object, _ type: Unicode.Scalar, arity: Int
  ) throws(ArchiveError) -> [UInt32]? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let count = stream.take(type, &cursor) else { return nil }
    var elements: [UInt32] = []
    while !cursor.isAtEnd {
      guard let token = stream.take("@", &cursor) else { return nil }
      elements.append(try plain(token))
    }
    let (size, overflows) = count.number.multipliedReportingOverflow(by: arity)
    return !overflows && size == elements.count ? elements : nil
  }

  // MARK: Foundation's other classes

  private mutating func value(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let name = stream.take("*", &cursor), name.kind == .shared,
      let group = stream.next(&cursor), cursor.isAtEnd,
      case let type = stream.types[group.type], type.string == name.number,
      case let first = stream.steps[type.firstStep], let token = stream.tokens[group.tokens].first
    else { return nil }
    let members = group.tokens.dropFirst()
    if token.kind == .list, first.geometry == .range {
      let numbers = stream.tokens[members]
      guard numbers.count == 2, let location = numbers.first, let length = numbers.last else {
        return nil
      }
      try beginObject(object.class)
      try append("NS.rangeval.location", try plain(location))
      try append("NS.rangeval.length", try plain(length))
      try append("NS.special", try builder.add(4 as Int64))
      return try end()
    }
    guard token.kind == .list, let geometry = first.geometry, let text = stream.geometry(members)
    else { return nil }
    let (key, kind): (String, Int64) =
      switch geometry {
      case .point: ("NS.pointval", 1)
      case .size: ("NS.sizeval", 2)
      case .rect, .range: ("NS.rectval", 3)
      }
    try beginObject(object.class)
    try append(key, try add(text: text))
    try append("NS.special", try builder.add(kind))
    return try end()
  }

  private mutating func attributedText(
    _ object: Typedstream.Object
  ) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let string = stream.take("@", &cursor), string.kind == .object,
      let range = text(of: stream.objects[string.number])
    else { return nil }
    let total = unitCounts[string.number] ?? units(bytes(range))
    unitCounts[string.number] = total
    var dictionaries: [UInt32] = []
    var info: [UInt8] = []
    var (length, runs) = (0, 0)
    while !cursor.isAtEnd {
      guard let run = stream.takeAll("iI", &cursor), run.count == 2, let number = run.first?.number,
        let count = run.last?.number, count <= total - length, number > 0,
        number <= dictionaries.count + 1
      else { return nil }
      if number > dictionaries.count {
        guard let token = stream.take("@", &cursor), token.kind == .object else { return nil }
        dictionaries.append(try plain(token))
      }
      info += PackedIntegers.bytes([count, number - 1])
      (length, runs) = (length + count, runs + 1)
    }
    guard runs == 0 || length == total else { return nil }
    try beginObject(object.class)
    try append("NSString", try plain(string))
    if runs == 1 {
      try append("NSAttributes", dictionaries[0])
    } else if runs > 1 {
      try append("NSAttributes", try builder.add(array: dictionaries[...]))
      try append("NSAttributeInfo", try add(data: info))
    }
    return try end()
  }

  /// The number of UTF-16 units of a text.
  private func units(_ bytes: BorrowedBytes) -> Int {
    // What is not UTF-8 has one byte for each character.
    bytes.isUTF8 ? bytes.utf16Count : bytes.count
  }

  private mutating func add(data: [UInt8]) throws(ArchiveError) -> UInt32 {
    try builder.add(dataOf: data.count) { $0.append(bytes: data) }
  }

  private mutating func color(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let kind = stream.take("c", &cursor)?.number else { return nil }
    let (key, type): (String, String)
    switch kind {
    case 1, 2: (key, type) = ("NSRGB", "ffff")
    case 3, 4: (key, type) = ("NSWhite", "ff")
    case 5: (key, type) = ("NSCYMK", "fffff")
    case 6: (key, type) = ("", "@@@")
    default: return nil
    }
    guard let values = stream.takeAll(type, &cursor), cursor.isAtEnd else { return nil }
    try beginObject(object.class)
    if kind == 6 {
      for (name, token) in zip(["NSCatalogName", "NSColorName", "NSColor"], values) {
        try append(name, try plain(token))
      }
    } else {
      // Keyed archives have the opacity of what is not opaque only.
      let numbers = values.last?.real == 1 ? values.dropLast() : values
      let text = numbers.map { "\($0.real)" }.joined(separator: " ")
      try append(key, try add(data: Array(text.utf8) + [0]))
    }
    try append("NSColorSpace", try builder.add(Int64(kind)))
    return try end()
  }

  private mutating func font(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let bytes = stream.takeBytes(&cursor), let name = fontName(bytes.range),
      let size = stream.take("f", &cursor)
    else { return nil }
    var flags: [UInt32] = []
    for _ in 0..<4 {
      guard let flag = stream.take("c", &cursor) else { return nil }
      flags.append(try plain(flag))
    }
    guard cursor.isAtEnd else { return nil }
    try beginObject(object.class)
    try append("NSName", try add(text: name))
    try append("NSSize", try plain(size))
    try append("NSFlagBytes", try builder.add(array: flags[...]))
    return try end()
  }

  /// The text in an old binary property list: a kind and a size of four bytes each, the low byte
  /// first, the text, and zeros up to a multiple of four.
  private func fontName(_ range: ByteRange) -> String? {
    let bytes = bytes(range)
    func word(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    guard bytes.count >= 8, case let size = word(4), size <= bytes.count - 8,
      bytes.count == 8 + (size + 3) / 4 * 4, bytes.dropFirst(8 + size).allSatisfy({ $0 == 0 })
    else { return nil }
    let text = bytes.part(8..<8 + size)
    switch word(0) {
    case 5: return NextStepText.string(text)
    case 6:
      // The mark at its beginning tells the byte order.
      guard size % 2 == 0, size >= 2 else { return nil }
      return String(bytes: text, encoding: .utf16)
    default: return nil
    }
  }

  private mutating func path(_ object: Typedstream.Object) throws(ArchiveError) -> UInt32? {
    var cursor = Typedstream.Cursor(object.tokens)
    guard let count = stream.take("i", &cursor)?.number, count >= 0, count <= object.tokens.count
    else { return nil }
    var segments: [UInt8] = []
    for _ in 0..<count {
      guard let point = stream.takeAll("cff", &cursor), point.count == 3,
        let operation = point.first.flatMap({ UInt8(exactly: $0.number) })
      else { return nil }
      segments.append(operation)
      for number in point.dropFirst() {
        let bits = Float(number.real).bitPattern
        segments += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
      }
    }
    // The last is the number of dashes, for which keyed archives have no form that is known.
    guard let values = stream.takeAll("iiifffi", &cursor), values.count == 7,
      values.last?.number == 0, cursor.isAtEnd
    else { return nil }
    try beginObject(object.class)
    try append("NSSegments", try add(data: segments))
    let keys = [
      "NSWindingRule", "NSLineCapStyle", "NSLineJoinStyle", "NSLineWidth", "NSMiterLimit",
      "NSFlatness",
    ]
    for (key, value) in zip(keys, values) { try append(key, try plain(value)) }
    return try end()
  }
}
