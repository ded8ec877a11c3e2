/// Writes a typedstream, call by call, as NSArchiver does: what was written before is referred to.
///
/// It writes what it is told to. So a test can write what no archiver would: `raw` adds any bytes.
package struct TypedstreamWriter {
  package private(set) var bytes: [UInt8]
  private let isBigEndian: Bool
  private var strings: [String: Int] = [:]
  private var classes: [String: Int] = [:]
  private var texts: [String: Int] = [:]
  /// How many objects, classes and C strings have been written: their next number.
  package private(set) var count = 0

  package init(version: UInt8 = 4, isBigEndian: Bool = false, system: Int = 1000) {
    self.isBigEndian = isBigEndian
    bytes = [version, 11] + Array((isBigEndian ? "typedstream" : "streamtyped").utf8)
    integer(system)
  }

  /// The stream of one value.
  package static func stream(_ write: (inout TypedstreamWriter) -> Void) -> [UInt8] {
    var writer = TypedstreamWriter()
    write(&writer)
    return writer.bytes
  }

  // MARK: Bytes

  /// Bytes, whatever they are.
  package mutating func raw(_ bytes: UInt8...) { self.bytes += bytes }
  package mutating func raw(_ bytes: [UInt8]) { self.bytes += bytes }

  private mutating func number(_ bits: UInt64, size: Int) {
    let low = (0..<size).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    raw(isBigEndian ? low.reversed() : low)
  }

  /// An integer in as few bytes as it takes.
  package mutating func integer(_ value: Int) {
    let bits = UInt64(bitPattern: Int64(value))
    if (-110...127).contains(value) {
      raw(UInt8(truncatingIfNeeded: value))
    } else if Int16(exactly: value) != nil {
      raw(0x81)
      number(bits, size: 2)
    } else if Int32(exactly: value) != nil {
      raw(0x82)
      number(bits, size: 4)
    } else {
      raw(0x87)
      number(bits, size: 8)
    }
  }

  package mutating func integers(_ values: Int...) { for value in values { integer(value) } }

  /// A number that is no integer, or not written as one.
  package mutating func float(_ value: Float) {
    raw(0x83)
    number(UInt64(value.bitPattern), size: 4)
  }

  package mutating func double(_ value: Double) {
    raw(0x83)
    number(value.bitPattern, size: 8)
  }

  /// A reference to what has a number.
  package mutating func reference(_ number: Int) { integer(number - 110) }

  package mutating func null() { raw(0x85) }

  /// The bytes of a text, and before them how many there are.
  package mutating func text(_ text: [UInt8]) {
    integer(text.count)
    raw(text)
  }

  // MARK: Strings, classes and groups

  /// A string that is written once.
  package mutating func shared(_ string: String) {
    if let known = strings[string] { return reference(known) }
    strings[string] = strings.count
    raw(0x84)
    text(Array(string.utf8))
  }

  /// A C string, which has a number like objects.
  package mutating func cString(_ string: String) {
    if let known = texts[string] { return reference(known) }
    texts[string] = count
    count += 1
    raw(0x84)
    shared(string)
  }

  /// Begins a group of values of a type.
  package mutating func group(_ type: String, _ write: (inout TypedstreamWriter) -> Void = { _ in })
  {
    shared(type)
    write(&self)
  }

  /// An object: its class and superclasses, such as "NSString#1", and its groups.
  package mutating func object(
    _ names: String..., write: (inout TypedstreamWriter) -> Void = { _ in }
  ) {
    begin(names)
    write(&self)
    end()
  }

  /// Begins an object.
  package mutating func begin(_ names: [String]) {
    raw(0x84)
    count += 1
    `class`(names)
  }

  /// Ends the object that was begun last.
  package mutating func end() { raw(0x86) }

  /// A class and its superclasses, "NSObject#0" being the last.
  package mutating func `class`(_ names: [String]) {
    for name in names + ["NSObject#0"] {
      if let known = classes[name] { return reference(known) }
      classes[name] = count
      count += 1
      let parts = name.split(separator: "#")
      raw(0x84)
      shared(String(parts[0]))
      integer(Int(parts[1]) ?? 0)
    }
    null()
  }

  // MARK: Groups of one value

  /// A group of an integer: "i" and its like.
  package mutating func group(_ type: String, _ value: Int) {
    group(type) {
      "cCB".contains(type) ? $0.raw(UInt8(truncatingIfNeeded: value)) : $0.integer(value)
    }
  }

  // MARK: Foundation's classes

  package mutating func string(_ text: String, _ names: String...) {
    begin(names.isEmpty ? ["NSString#1"] : names)
    group("+") { $0.text(Array(text.utf8)) }
    end()
  }

  /// An NSNumber of a type; what it holds is written by the caller.
  package mutating func nsNumber(_ type: String, _ write: (inout TypedstreamWriter) -> Void) {
    object("NSNumber#0", "NSValue#0") { writer in
      writer.group("*") { $0.cString(type) }
      writer.group(type, write)
    }
  }

  package mutating func nsNumber(_ value: Int) {
    nsNumber("i") { $0.integer(value) }
  }

  /// An NSArray, an NSSet or a dictionary whose objects are keys and values in turn.
  package mutating func collection(
    _ name: String, _ count: Int, of objects: [(inout TypedstreamWriter) -> Void]
  ) {
    object("\(name)#0") { writer in
      writer.group(name.hasSuffix("Set") ? "I" : "i", count)
      for write in objects { writer.group("@", write) }
    }
  }

  package mutating func data(_ data: [UInt8]) {
    object("NSData#0") { writer in
      writer.group("i", data.count)
      writer.group("[\(data.count)c]") { $0.raw(data) }
    }
  }
}
