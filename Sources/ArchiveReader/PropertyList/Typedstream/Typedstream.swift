/// A stream of NSArchiver, read: objects, each with the groups of values that it encoded.
///
/// A typedstream has no index. Objects stand where they were first encoded, and names, types of
/// values and C strings are told once and referred to by number from then on. So it is read from its
/// first byte to its last (`Typedstream.Reader`); texts and data stay in the file.
struct Typedstream: Sendable {
  /// A class of objects.
  struct Class: Sendable, Hashable {
    /// The shared string that is its name.
    var name: Int
    var version: Int64
    /// Its superclass, by its place among the classes.
    var superclass: Int?
  }

  /// An object: its class, and the tokens of its groups, which stand behind the one that begins it.
  struct Object: BitwiseCopyable {
    private let classNumber: UInt32
    private let start: UInt32
    /// The place behind its tokens.
    var end: UInt32

    /// An object without tokens.
    ///
    /// - Parameters:
    ///   - class: Its class, by its place among the classes.
    ///   - start: The place of its first token.
    init(class: Int, at start: UInt32) {
      classNumber = UInt32(truncatingIfNeeded: `class`)
      (self.start, end) = (start, start)
    }

    var `class`: Int { Int(classNumber) }
    var tokens: Range<Int> { Int(start)..<Int(end) }
  }

  /// A part of what an object holds: groups, lists and objects stand before the tokens in them.
  struct Token: BitwiseCopyable {
    enum Kind: UInt8 {
      /// Values that were encoded by one call, by the number of their type.
      case group
      /// The members of a structure or an array, by the step that begins it.
      case list
      case null
      case bool
      /// A `c`, which a BOOL is too.
      case character
      case integer
      /// A number whose bits are those of a `UInt64`.
      case unsigned
      case real
      /// Bytes with a place of their own: a text, if they are one.
      case text
      case data
      /// A shared string, by its number.
      case shared
      case object
      case `class`
    }

    var kind: Kind
    /// Of a value that stands for its group too, as the only one in it, the type of the group,
    /// counted from 1.
    var type: UInt16 = 0
    /// The number of tokens in it, or of bytes; 1 for an object that begins with it.
    var count: UInt32 = 0
    var bits: UInt64 = 0

    init(_ kind: Kind, count: Int = 0, bits: Int = 0) {
      self.kind = kind
      self.count = UInt32(truncatingIfNeeded: count)
      self.bits = UInt64(truncatingIfNeeded: bits)
    }

    init(real: Double) {
      self.init(.real)
      bits = real.bitPattern
    }

    /// The integer, the place in the file, or the number of what it refers to.
    var number: Int { Int(truncatingIfNeeded: bits) }
    var real: Double { Double(bitPattern: bits) }
    /// The bytes in the file.
    var range: ByteRange { ByteRange(offset: number, count: Int(count)) }
  }

  /// The version of the format: 4, and 3 for older systems of NeXT.
  var version: Int64 = 0
  var strings: [ByteRange] = []
  var types: [ValueType] = []
  /// The steps of the types, one type after the other.
  var steps: [ValueType.Step] = []
  var classes: [Class] = []
  var objects: [Object] = []
  var tokens: [Token] = []

  /// The groups that no object encoded.
  var top: Range<Int> { 0..<tokens.count }

  /// The place behind a value, and behind the object that begins with it.
  func end(ofValueAt place: Int) -> Int {
    let token = tokens[place]
    guard token.kind == .object, token.count > 0 else { return place + 1 }
    return objects[token.number].tokens.upperBound
  }
}
