import Foundation
import Support

/// The questions of `init(coder:)` that every coder answers alike: numbers, geometry, and values
/// without keys.
///
/// References differ: they lead to rows, or to objects of one's own types.
package protocol ObjectDecoding: AnyObject {
  /// The coder's form of a value, a collection or an object.
  associatedtype Found

  var fields: ObjectFields { get set }
  var graph: any ObjectGraph { get }
  /// True if a method takes only the form that its own encoder writes.
  ///
  /// That is a boolean, an integer or a real in its place, and the reference to an object. Others
  /// also take numbers that were archived as objects, and numbers of another kind, as long as no
  /// digit is lost.
  var isStrict: Bool { get }

  /// The content of a field; nothing where there is none.
  func value(of field: ArchivedField?) throws -> Found
  /// A value that is neither an object nor a collection.
  func plain(_ value: GraphValue) throws -> Found
  /// The number that an object stands for.
  func number(ofObjectIn field: ArchivedField) throws -> ArchivedNumber
  /// Notes what was done to take a value that was archived in another form.
  func note(_ kinds: [DecodingAdjustment.Kind], _ field: ArchivedField, taken: Double?)
  /// The error for a value of another kind; the number is the one that it is, where one was asked
  /// for.
  func wrongKind(
    _ field: ArchivedField, expected: String, _ number: ArchivedNumber?
  ) -> any Error
}

extension ObjectDecoding {
  /// The field of a key.
  package func field(_ key: String) throws(ArchiveError) -> ArchivedField? {
    try fields.field(key, graph)
  }

  // MARK: Numbers

  /// True or false; numbers other than 0 are true.
  package func bool(_ field: ArchivedField?) throws -> Bool {
    guard let field else { return false }
    let number = try number(in: field)
    guard let (value, isOwn) = number.bool else {
      throw wrongKind(field, expected: "a boolean", number)
    }
    note(try adjustments(number, field, isOwn, "a boolean"), field, taken: nil)
    return value
  }

  /// A whole number of any width.
  package func integer<Value: FixedWidthInteger>(
    _ field: ArchivedField?, as type: Value.Type = Value.self
  ) throws -> Value {
    guard let field else { return 0 }
    if case .integer(let usual) = field.value, !field.isReference, let value = Value(exactly: usual)
    {
      return value
    }
    var expected: String { "an integer of \(Value.bitWidth) bits" }
    let number = try number(in: field)
    guard let (whole, isOwn) = number.whole, isOwn || !isStrict else {
      throw wrongKind(field, expected: expected, number)
    }
    guard let whole, let value = Value(exactly: whole) else {
      throw ArchiveError(.outOfRange, at: field.place, name: expected)
    }
    note(try adjustments(number, field, isOwn, expected), field, taken: nil)
    return value
  }

  /// A real number.
  package func real(_ field: ArchivedField?) throws -> Double { try real(field, isSingle: false) }

  /// The nearest real number of single precision; one that is too large is infinite, and an error
  /// to a strict coder.
  package func float(_ field: ArchivedField?) throws -> Float {
    Float(try real(field, isSingle: true))
  }

  private func real(_ field: ArchivedField?, isSingle: Bool) throws -> Double {
    guard let field else { return 0 }
    let expected = isSingle ? "a real number of single precision" : "a real number"
    let number = try number(in: field)
    guard let (real, isOwn, isExact) = number.real else {
      throw wrongKind(field, expected: expected, number)
    }
    var kinds = try adjustments(number, field, isOwn, expected)
    let value = isSingle ? Double(Float(real)) : real
    if isStrict, value.isInfinite, real.isFinite {
      throw ArchiveError(.outOfRange, at: field.place, name: expected)
    }
    if !isExact || value != real && !real.isNaN { kinds.append(.lostPrecision) }
    note(kinds, field, taken: value)
    return value
  }

  private func number(in field: ArchivedField) throws -> ArchivedNumber {
    if case .object = field.value { return try number(ofObjectIn: field) }
    return ArchivedNumber(field.value)
  }

  /// The adjustments by which a number is taken; an error to a strict coder.
  private func adjustments(
    _ number: ArchivedNumber, _ field: ArchivedField, _ isOwn: Bool,
    _ expected: @autoclosure () -> String
  ) throws -> [DecodingAdjustment.Kind] {
    // Nil is behind a reference in an archive, and in its place elsewhere.
    var kinds: [DecodingAdjustment.Kind] = field.isReference ? [.followedReference] : []
    if !isOwn { kinds.append(.convertedNumber) }
    guard kinds.isEmpty || !isStrict else {
      throw wrongKind(field, expected: expected(), number)
    }
    return kinds
  }

  // MARK: Geometry

  /// A point; zero where there is none.
  package func point(_ key: String) throws -> CGPoint {
    let point = try geometry(key, "a point", "NS.pointval") { ArchivedPoint(text: $0) }
    return point.map { CGPoint(x: $0.x, y: $0.y) } ?? .zero
  }

  /// A size; zero where there is none.
  package func size(_ key: String) throws -> CGSize {
    let size = try geometry(key, "a size", "NS.sizeval") { ArchivedSize(text: $0) }
    return size.map { CGSize(width: $0.width, height: $0.height) } ?? .zero
  }

  /// A rectangle; zero where there is none.
  package func rect(_ key: String) throws -> CGRect {
    let rect = try geometry(key, "a rectangle", "NS.rectval") { ArchivedRect(text: $0) }
    return rect.map { CGRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height) } ?? .zero
  }

  /// The geometry in a text, which to lenient coders may stand in its place or be held by an NSValue.
  private func geometry<Value>(
    _ key: String, _ expected: String, _ valueKey: String, _ parse: (String) -> Value?
  ) throws -> Value? {
    guard let field = try field(key) else { return nil }
    if isStrict, !field.isReference { throw wrongKind(field, expected: expected, nil) }
    var kinds: [DecodingAdjustment.Kind] = field.isReference ? [] : [.inlineObject]
    var value = field.value
    switch value {
    case .null, .nsNull:
      note(kinds, field, taken: nil)
      return nil
    case .object(let uid, let id), .foundation(let uid, let id):
      guard !isStrict, graph.classes[id.index].name == "NSValue" else { break }
      let object = try graph.object(uid)
      guard let position = graph.position(of: valueKey, in: object) else { break }
      value = try graph.value(of: object, at: position)
      kinds.append(.followedReference)
    default: break
    }
    guard case .text(let text) = value, let found = parse(text.string) else {
      throw wrongKind(field, expected: expected, nil)
    }
    note(kinds, field, taken: nil)
    return found
  }

  // MARK: Without keys

  /// The next of the values that were encoded without a key; nothing after the last one.
  package func nextValue() throws -> Found {
    try value(of: try fields.nextUnkeyedField(graph))
  }

  /// The next of the values that were encoded without a key, by its type code in Objective-C; nothing
  /// after the last one.
  ///
  /// Codes of structures and arrays are for typedstreams only: what a keyed archiver writes for those
  /// are objects.
  package func nextValue(ofObjCType code: String) throws -> Found {
    guard let letter = letter(of: code) else { throw unsupported(code) }
    return try value(of: try fields.nextUnkeyedField(graph, as: letter), letter)
  }

  /// The next values, by several type codes in one text.
  package func nextValues(ofObjCTypes codes: String) throws -> [Found] {
    guard let parts = ObjCTypes.split(codes) else { throw unsupported(codes) }
    return try parts.map { try nextValue(ofObjCType: $0) }
  }

  /// The elements of the array that comes next, by the type code that all of them have.
  package func nextArray(ofObjCType code: String, count: Int) throws -> [Found] {
    guard fields.hasPositions, let letter = letter(of: code) else { throw unsupported(code) }
    let outer = UInt8(ascii: "[")
    guard let field = try fields.nextUnkeyedField(graph, as: outer) else { return [] }
    func checked(_ found: Int) throws {
      guard found == count else {
        throw wrongKind(field, expected: "an array of \(Words.count(count, "element"))", nil)
      }
    }
    switch field.value {
    case .data(let bytes) where "cC".utf8.contains(letter):
      try checked(bytes.count)
      return try bytes.map { byte in
        let number = letter == UInt8(ascii: "c") ? Int64(Int8(bitPattern: byte)) : Int64(byte)
        return try plain(.integer(number))
      }
    case .collection(let id, let kind) where !kind.isKeyed:
      let elements = try graph.elements(of: id, kind)
      try checked(elements.count)
      return try (0..<elements.count).map { position in
        var element = field
        element.value = try graph.value(of: elements, at: position)
        element.isReference = "@#:*%".utf8.contains(letter)
        return try value(of: element, letter)
      }
    default: throw wrongKind(field, expected: "an array", nil)
    }
  }

  /// The bytes that come next; nil for nil and after the last value.
  package func nextBytes() throws -> Data? {
    guard let field = try fields.nextUnkeyedField(graph, as: UInt8(ascii: "+")) else { return nil }
    switch field.value {
    case .null: return nil
    case .data(let bytes): return bytes.data
    // Bytes that are a text are one.
    case .text(let text): return Data(text.string.utf8)
    default: throw wrongKind(field, expected: "bytes", nil)
    }
  }

  private func unsupported(_ code: String) -> ArchiveError {
    ArchiveError(.unsupportedTypeCode, at: fields.unkeyedPlace, name: code)
  }

  /// The first letter of a type code that can be asked for.
  private func letter(of code: String) -> UInt8? {
    let (own, others) = ("cCsSilILqQfdB@#:*", "%+[{")
    guard let letter = code.utf8.first,
      fields.hasPositions
        ? (own + others).utf8.contains(letter) && ObjCTypes.split(code)?.count == 1
        : code.utf8.count == 1 && own.utf8.contains(letter)
    else { return nil }
    return letter
  }

  /// The value in a field, by the first letter of its type code.
  private func value(of field: ArchivedField?, _ letter: UInt8) throws -> Found {
    func whole<Value: FixedWidthInteger>(
      _ type: Value.Type, _ field: ArchivedField
    ) throws -> GraphValue {
      // What is 0 or 1 wherever it stands may have been read as a boolean.
      if fields.hasPositions, case .bool(let value) = field.value { return .integer(value ? 1 : 0) }
      let number = try integer(field, as: type)
      return Int64(exactly: number).map { .integer($0) }
        ?? .wideInteger(GraphValue.WideInteger(Int128(number)))
    }
    guard let field else { return try value(of: nil) }
    return switch Unicode.Scalar(letter) {
    case "c": try plain(try whole(Int8.self, field))
    case "C": try plain(try whole(UInt8.self, field))
    case "s": try plain(try whole(Int16.self, field))
    case "S": try plain(try whole(UInt16.self, field))
    // A long is of 32 bits in type codes, whatever it is in C.
    case "i", "l": try plain(try whole(Int32.self, field))
    case "I", "L": try plain(try whole(UInt32.self, field))
    case "q": try plain(try whole(Int64.self, field))
    case "Q": try plain(try whole(UInt64.self, field))
    case "f": try plain(.real(Double(try float(field))))
    case "d": try plain(.real(try real(field)))
    case "B": try plain(.bool(try bool(field)))
    // An object, a class, a selector or a C string: keyed archives have all as objects.
    default: try value(of: field)
    }
  }
}
