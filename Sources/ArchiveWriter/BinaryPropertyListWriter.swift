import Foundation

/// Writes property lists in the binary form ("bplist00").
///
/// The same value always gives the same bytes. Objects stand in the order of CoreFoundation: a
/// container, then what it holds (a dictionary's keys before its values). Equal strings are
/// written once.
public struct BinaryPropertyListWriter: Sendable {
  /// The smallest size of an entry of the offset table, in bytes: 1 to 8.
  public var minimumOffsetSize: Int
  /// The smallest size of a reference in a container, in bytes: 1 to 8.
  public var minimumReferenceSize: Int

  /// Makes a writer; the sizes grow when the list needs more than the minimum.
  public init(minimumOffsetSize: Int = 1, minimumReferenceSize: Int = 1) {
    self.minimumOffsetSize = minimumOffsetSize
    self.minimumReferenceSize = minimumReferenceSize
  }

  /// Writes a value.
  public func data(for value: PropertyListValue) -> Data {
    var flattener = Flattener()
    flattener.flatten(value)
    return flattener.table.data(
      minimumOffsetSize: minimumOffsetSize, minimumReferenceSize: minimumReferenceSize)
  }
}

extension BinaryPropertyListWriter {
  /// Lays the objects of a value out in a table, with its own stack in place of recursion.
  private struct Flattener {
    var table = ObjectTable()
    private var strings: [ExactString: UInt32] = [:]
    private var pending: [(value: PropertyListValue, place: Int)] = []

    mutating func flatten(_ root: PropertyListValue) {
      add(root)
      while let (value, place) = pending.popLast() {
        table.references[place] = add(value)
      }
    }

    @discardableResult
    private mutating func add(_ value: PropertyListValue) -> UInt32 {
      switch value {
      case .array(let elements): return addContainer(.array, keys: [], values: elements)
      case .set(let elements): return addContainer(.set, keys: [], values: elements)
      case .dictionary(let pairs):
        return addContainer(
          .dictionary, keys: pairs.map { .string($0.key) }, values: pairs.map(\.value))
      case .string(let text):
        let index = UInt32(table.count)
        let known = strings[ExactString(text), default: index]
        if known == index {
          strings[ExactString(text)] = index
          table.add(.value(value))
        }
        return known
      default: return UInt32(table.add(.value(value)))
      }
    }

    private mutating func addContainer(
      _ kind: ObjectTable.Kind, keys: [PropertyListValue], values: [PropertyListValue]
    ) -> UInt32 {
      let start = table.references.count
      let index = table.addContainer(
        kind, count: values.count, references: repeatElement(0, count: keys.count + values.count))
      for place in values.indices.reversed() {
        pending.append((values[place], start + keys.count + place))
      }
      for place in keys.indices.reversed() {
        pending.append((keys[place], start + place))
      }
      return UInt32(index)
    }
  }
}

extension String {
  /// True if each character is one of ASCII.
  ///
  /// Its one byte is one unit of UTF-16, too; what a string knows of itself answers at once.
  package var isASCII: Bool { utf8.count == utf16.count }
}

extension BinaryPropertyListWriter.ObjectTable {
  /// The growing bytes of a binary property list.
  struct ObjectBytes {
    var storage: [UInt8] = []

    /// Appends an integer, most significant byte first.
    mutating func append(_ value: UInt64, size: Int) {
      for position in (0..<size).reversed() {
        storage.append(position < 8 ? UInt8(truncatingIfNeeded: value >> (8 * position)) : 0)
      }
    }

    /// Appends numbers of objects.
    mutating func append(references numbers: [Int], size: Int) {
      var place = storage.count
      storage.append(contentsOf: repeatElement(0, count: numbers.count * size))
      for number in numbers {
        for position in (0..<size).reversed() {
          storage[place] = UInt8(truncatingIfNeeded: number >> (8 * position))
          place += 1
        }
      }
    }

    mutating func append(ascii text: StaticString) {
      storage.append(contentsOf: text.description.utf8)
    }

    /// Appends a marker with a count; a count above 14 follows as an integer object.
    mutating func append(marker: UInt8, count: Int) {
      if count < 15 {
        storage.append(marker | UInt8(count))
      } else {
        storage.append(marker | 0x0F)
        append(integer: Int64(count))
      }
    }

    /// Appends a value that is not a container.
    mutating func append(_ value: PropertyListValue) {
      switch value {
      case .null, .array, .set, .dictionary: storage.append(0x00)
      case .bool(let flag): storage.append(flag ? 0x09 : 0x08)
      case .integer(let number): append(integer: number)
      case .unsigned(let number): append(unsigned: number)
      case .real(let number):
        storage.append(0x23)
        append(number.bitPattern, size: 8)
      case .float(let number):
        storage.append(0x22)
        append(UInt64(number.bitPattern), size: 4)
      case .string(let text): append(text)
      case .utf16(let units): append(units)
      case .data(let bytes):
        append(marker: 0x40, count: bytes.count)
        storage.append(contentsOf: bytes)
      case .date(let seconds):
        storage.append(0x33)
        append(seconds.bitPattern, size: 8)
      case .uid(let index):
        let size = index <= 0xFF ? 1 : index <= 0xFFFF ? 2 : 4
        storage.append(0x80 | UInt8(size - 1))
        append(UInt64(index), size: size)
      }
    }

    /// Appends an integer; a negative one takes 8 bytes, since shorter ones are read as unsigned.
    private mutating func append(integer: Int64) {
      let bits = UInt64(bitPattern: integer)
      let power = bits <= 0xFF ? 0 : bits <= 0xFFFF ? 1 : bits <= 0xFFFF_FFFF ? 2 : 3
      storage.append(0x10 | UInt8(power))
      append(bits, size: 1 << power)
    }

    private mutating func append(unsigned: UInt64) {
      if let integer = Int64(exactly: unsigned) {
        append(integer: integer)
      } else {
        storage.append(0x14)
        append(0, size: 8)
        append(unsigned, size: 8)
      }
    }

    private mutating func append(_ text: String) {
      if text.isASCII {
        append(marker: 0x50, count: text.utf8.count)
        storage.append(contentsOf: text.utf8)
      } else {
        append(Array(text.utf16))
      }
    }

    private mutating func append(_ units: [UInt16]) {
      append(marker: 0x60, count: units.count)
      for unit in units {
        append(UInt64(unit), size: 2)
      }
    }
  }
}
