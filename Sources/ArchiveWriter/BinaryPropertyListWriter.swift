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
