import ArchiveReader
import Foundation

/// Writes what a keyed archive holds as a compiled nib, as UINibEncoder would have archived it.
///
/// Texts, numbers and data are objects there, collections hold their elements themselves, and no
/// class has its superclasses. Classes that are values have no place in a nib.
package struct NibWriter {
  private struct Object {
    var className = ""
    var values: [(key: String, bytes: [UInt8])] = []
  }

  private let table: NodeTable
  private let entries: Node.Run
  private var objects: [Object] = []
  /// The numbers of objects for entries of the archive.
  private var numbers: [Int: Int] = [:]
  /// What objects are to hold.
  private var waiting: [(object: Int, node: Node)] = []

  /// The nib of an archive.
  package static func nib(of archive: KeyedArchive) -> [UInt8] {
    var writer = NibWriter(archive)
    return writer.write(archive)
  }

  private init(_ archive: KeyedArchive) {
    (table, entries) = (archive.table, archive.objects)
  }

  private mutating func write(_ archive: KeyedArchive) -> [UInt8] {
    objects.append(Object(className: "NSObject"))
    for entry in archive.topLevel { add(0, entry.key, value(of: entry.node)) }
    while let (object, node) = waiting.popLast() { fill(object, from: node) }
    return Self.bytes(of: objects)
  }

  // MARK: Objects

  private mutating func add(_ object: Int, _ key: String, _ bytes: [UInt8]) {
    objects[object].values.append((key, bytes))
  }

  private mutating func number(of node: Node) -> Int {
    let uid = table.uid(of: node)
    if let uid, let known = numbers[uid] { return known }
    objects.append(Object())
    let number = objects.count - 1
    if let uid { numbers[uid] = number }
    waiting.append((number, uid.map { table[entries, $0] } ?? node))
    return number
  }

  /// The type and the bytes of a value under a key.
  private mutating func value(of node: Node) -> [UInt8] {
    switch table.value(of: node) {
    case .null: return [9]
    case .uid(let uid)
    where uid >= entries.count || table.string(at: table[entries, uid]) == "$null":
      return [9]
    case .bool(let value): return [value ? 5 : 4]
    case .integer(let value):
      if let small = Int8(exactly: value) { return [0] + Self.little(small) }
      if let small = Int16(exactly: value) { return [1] + Self.little(small) }
      if let small = Int32(exactly: value) { return [2] + Self.little(small) }
      return [3] + Self.little(value)
    case .real(let value):
      if Double(Float(value)) == value { return [6] + Self.little(Float(value).bitPattern) }
      return [7] + Self.little(value.bitPattern)
    case .data(let range): return Self.data(Array(table.bytes(range)))
    default: return [10] + Self.little(UInt32(number(of: node)))
    }
  }

  private mutating func fill(_ object: Int, from node: Node) {
    switch table.value(of: node) {
    case .text(let text):
      objects[object].className = "NSString"
      add(object, "NS.bytes", Self.data(Array(table.string(text).utf8)))
    case .integer: fill(object, "NSNumber", "NS.intval", node)
    case .real: fill(object, "NSNumber", "NS.dblval", node)
    case .bool: fill(object, "NSNumber", "NS.boolval", node)
    case .data: fill(object, "NSData", "NS.bytes", node)
    case .date(let seconds):
      objects[object].className = "NSDate"
      add(object, "NS.time", [7] + Self.little(seconds.bitPattern))
    case .array(let run): fill(object, "NSArray", nodes(run))
    case .dictionary(let keys, let run):
      let names = (0..<keys.count).map { table.string(at: table[keys, $0]) ?? "" }
      let values = nodes(run)
      guard let place = names.firstIndex(of: "$class") else {
        return fill(object, "NSDictionary", zip(nodes(keys), values).flatMap { [$0, $1] })
      }
      fill(object, className(of: values[place]), Array(zip(names, values)))
    default: break
    }
  }

  private func nodes(_ run: Node.Run) -> [Node] { (0..<run.count).map { table[run, $0] } }

  private func className(of node: Node) -> String {
    guard let uid = table.uid(of: node),
      case .dictionary(let keys, let values) = table.value(of: table[entries, uid])
    else { return "" }
    let place = (0..<keys.count).first { table.string(at: table[keys, $0]) == "$classname" }
    return place.flatMap { table.string(at: table[values, $0]) } ?? ""
  }

  private mutating func fill(_ object: Int, _ className: String, _ key: String, _ node: Node) {
    objects[object].className = className
    add(object, key, value(of: node))
  }

  /// Makes an object a collection that holds its elements.
  private mutating func fill(_ object: Int, _ className: String, _ elements: [Node]) {
    objects[object].className = className
    add(object, "NSInlinedValue", [5])
    for element in elements { add(object, "UINibEncoderEmptyKey", value(of: element)) }
  }

  private mutating func fill(
    _ object: Int, _ className: String, _ pairs: [(name: String, node: Node)]
  ) {
    func elements(_ name: String) -> [Node]? {
      guard let node = pairs.first(where: { $0.name == name })?.node,
        case .array(let run) = table.value(of: node)
      else { return nil }
      return nodes(run)
    }
    if let values = elements("NS.objects") {
      guard let keys = elements("NS.keys") else { return fill(object, className, values) }
      return fill(object, className, zip(keys, values).flatMap { [$0, $1] })
    }
    objects[object].className = className
    for (name, node) in pairs where name != "$class" {
      if name == "NS.string", case .text(let text) = table.value(of: node) {
        add(object, "NS.bytes", Self.data(Array(table.string(text).utf8)))
      } else if name == "NS.time", case .date(let seconds) = table.value(of: node) {
        add(object, name, [7] + Self.little(seconds.bitPattern))
      } else if name.hasPrefix("$"), Int(name.dropFirst()) != nil {
        add(object, "UINibEncoderEmptyKey", value(of: node))
      } else {
        add(object, name.hasPrefix("$") ? String(name.dropFirst()) : name, value(of: node))
      }
    }
  }

  // MARK: Bytes

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func varint(_ value: Int) -> [UInt8] {
    value < 128
      ? [UInt8(value) | 0x80] : [UInt8(value & 0x7F)] + varint(value >> 7)
  }

  private static func data(_ bytes: [UInt8]) -> [UInt8] { [8] + varint(bytes.count) + bytes }

  private static func bytes(of objects: [Object]) -> [UInt8] {
    var (keys, classes) = (Names(), Names())
    var sections: [(count: Int, bytes: [UInt8])] = Array(repeating: (0, []), count: 4)
    for object in objects {
      sections[0].bytes += varint(classes.number(of: object.className))
      sections[0].bytes += varint(sections[2].count) + varint(object.values.count)
      for (key, bytes) in object.values {
        sections[2].bytes += varint(keys.number(of: key)) + bytes
        sections[2].count += 1
      }
    }
    sections[0].count = objects.count
    for key in keys.all { sections[1].bytes += varint(key.utf8.count) + Array(key.utf8) }
    sections[1].count = keys.all.count
    for name in classes.all {
      sections[3].bytes += varint(name.utf8.count + 1) + varint(0) + Array(name.utf8) + [0]
    }
    sections[3].count = classes.all.count
    var bytes = Array("NIBArchive".utf8) + little(UInt32(1)) + little(UInt32(10))
    var place = 50
    for section in sections {
      bytes += little(UInt32(section.count)) + little(UInt32(place))
      place += section.bytes.count
    }
    return bytes + sections.flatMap(\.bytes)
  }

  private struct Names {
    var all: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
      if let known = numbers[name] { return known }
      all.append(name)
      numbers[name] = all.count - 1
      return all.count - 1
    }
  }
}
