import Foundation
import GraphCore

/// A value of a source in memory, its bytes among those of the source.
enum StoredValue: Sendable {
  /// One without bytes.
  case plain(GraphValue)
  case text(Range<Int>, BorrowedText.Encoding)
  case data(Range<Int>)
  case uuid(Range<Int>)
  case url(Range<Int>)
  case object(Int)
  case collection(Int)

  /// The number of the object that is referred to, if it is one.
  var reference: Int? {
    if case .object(let number) = self { number } else { nil }
  }
}

extension MemorySource {
  struct StoredObject: Sendable {
    var `class`: Int
    var keys: [String]
    var values: [StoredValue]
    var foundationValue: FoundationValue?
  }
}

extension MemorySource {
  struct StoredCollection: Sendable {
    var kind: CollectionKind
    /// As many as there are values where the elements are pairs, else none.
    var keys: [StoredValue] = []
    var values: [StoredValue]
  }
}

extension MemorySource {
  /// Puts the values of a source in memory into their form.
  struct Builder {
    private(set) var bytes: [UInt8] = []
    private(set) var collections: [StoredCollection] = []
    private(set) var valueCount = 0

    mutating func store(_ value: MemorySource.Value) -> StoredValue {
      valueCount += 1
      switch value {
      case .null: return .plain(.null)
      case .bool(let value): return .plain(.bool(value))
      case .integer(let value): return .plain(.integer(value))
      case .wideInteger(let value): return .plain(.wideInteger(GraphValue.WideInteger(value)))
      case .real(let value): return .plain(.real(value))
      case .date(let seconds): return .plain(.date(seconds))
      case .text(let text): return .text(append(text.utf8), .utf8)
      case .utf16(let units):
        return .text(append(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }), .utf16)
      case .data(let bytes): return .data(append(bytes))
      case .uuid(let uuid):
        return unsafe .uuid(withUnsafeBytes(of: uuid.uuid) { unsafe append($0) })
      case .decimal(let decimal): return .plain(.decimal(decimal))
      case .url(let text): return .url(append(text.utf8))
      case .nsNull: return .plain(.nsNull)
      case .className(let number): return .plain(.className(ClassID(index: number)))
      case .object(let number): return .object(number)
      case .array(let elements): return store(.array, [], elements)
      case .set(let elements): return store(.set, [], elements)
      case .orderedSet(let elements): return store(.orderedSet, [], elements)
      case .dictionary(let pairs): return store(.dictionary, pairs.map(\.key), pairs.map(\.value))
      case .countedSet(let pairs): return store(.countedSet, pairs.map(\.key), pairs.map(\.value))
      }
    }

    private mutating func append(_ new: some Sequence<UInt8>) -> Range<Int> {
      let start = bytes.count
      bytes.append(contentsOf: new)
      return start..<bytes.count
    }

    private mutating func store(
      _ kind: CollectionKind, _ keys: [MemorySource.Value], _ values: [MemorySource.Value]
    ) -> StoredValue {
      let stored = StoredCollection(
        kind: kind, keys: keys.map { store($0) }, values: values.map { store($0) })
      collections.append(stored)
      return .collection(collections.count - 1)
    }
  }
}
