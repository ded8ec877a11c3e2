import Foundation

extension BinaryPropertyListWriter {
  /// The objects of a binary property list, each named by its index.
  ///
  /// ``BinaryPropertyListWriter`` fills one. It is public because tests need lists that no value
  /// can express: shared or cyclic containers, dangling references, keys that are not strings, very
  /// deep nesting and objects of raw bytes.
  public struct ObjectTable: Sendable {
    /// One object to add.
    public enum Object: Sendable {
      /// A value that is not a container; a container is written as null.
      case value(PropertyListValue)
      /// An array of references.
      case array([UInt32])
      /// A set of references.
      case set([UInt32])
      /// A dictionary; its keys and values must be equally many.
      case dictionary(keys: [UInt32], values: [UInt32])
      /// Bytes that are written as they are, marker included.
      case raw(Data)
    }

    enum Kind: UInt8 {
      case array = 0xA0
      case set = 0xC0
      case dictionary = 0xD0
    }

    enum Entry: Sendable {
      case value(PropertyListValue)
      case container(Kind, count: Int, start: Int, end: Int)
      case raw(Data)
    }

    private(set) var entries: [Entry] = []
    /// The references of all containers, one container after the other.
    var references: [UInt32] = []

    /// Makes an empty table.
    public init() {}

    /// The number of objects.
    public var count: Int { entries.count }

    /// Adds an object and returns its index.
    @discardableResult
    public mutating func add(_ object: Object) -> Int {
      switch object {
      case .value(let value): entries.append(.value(value))
      case .raw(let bytes): entries.append(.raw(bytes))
      case .array(let elements): addContainer(.array, count: elements.count, references: elements)
      case .set(let elements): addContainer(.set, count: elements.count, references: elements)
      case .dictionary(let keys, let values):
        addContainer(.dictionary, count: keys.count, references: keys + values)
      }
      return entries.count - 1
    }

    @discardableResult
    mutating func addContainer(
      _ kind: Kind, count: Int, references new: some Sequence<UInt32>
    ) -> Int {
      let start = references.count
      references.append(contentsOf: new)
      entries.append(.container(kind, count: count, start: start, end: references.count))
      return entries.count - 1
    }

    /// Writes the header, the objects, the offset table and the trailer.
    public func data(
      top: Int = 0, minimumOffsetSize: Int = 1, minimumReferenceSize: Int = 1
    ) -> Data {
      let referenceSize = max(Self.size(for: UInt64(count)), min(8, minimumReferenceSize))
      var bytes = ObjectBytes()
      bytes.append(ascii: "bplist00")
      var offsets: [Int] = []
      offsets.reserveCapacity(count)
      for entry in entries {
        offsets.append(bytes.storage.count)
        switch entry {
        case .value(let value): bytes.append(value)
        case .raw(let raw): bytes.storage.append(contentsOf: raw)
        case .container(let kind, let count, let start, let end):
          bytes.append(marker: kind.rawValue, count: count)
          for reference in references[start..<end] {
            bytes.append(UInt64(reference), size: referenceSize)
          }
        }
      }
      let tableStart = bytes.storage.count
      let offsetSize = max(Self.size(for: UInt64(tableStart)), min(8, minimumOffsetSize))
      for offset in offsets {
        bytes.append(UInt64(offset), size: offsetSize)
      }
      bytes.storage.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
      bytes.append(UInt64(count), size: 8)
      bytes.append(UInt64(top), size: 8)
      bytes.append(UInt64(tableStart), size: 8)
      return Data(bytes.storage)
    }

    /// The size that CoreFoundation takes: a power of two.
    static func size(for largest: UInt64) -> Int {
      [1, 2, 4].first { largest >> (8 * UInt64($0)) == 0 } ?? 8
    }
  }
}
