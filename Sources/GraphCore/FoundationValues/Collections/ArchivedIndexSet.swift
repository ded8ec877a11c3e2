/// An NSIndexSet: ranges of indexes.
///
/// The ranges stand under keys of their own where there is one, else as packed numbers
/// (swift-corelibs-foundation, NSIndexSet.swift).
public struct ArchivedIndexSet: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The ranges, in the order of the archive.
  public let ranges: [ArchivedRange]

  static let classNames = ["NSIndexSet", "NSMutableIndexSet"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let count = parts.integer("NSRangeCount") else { return nil }
    if let data = parts.data("NSRangeData") {
      guard let numbers = PackedIntegers.integers(in: data),
        numbers.count.isMultiple(of: 2), numbers.count / 2 == count
      else { return nil }
      ranges = stride(from: 0, to: numbers.count, by: 2).map {
        ArchivedRange(location: numbers[$0], length: numbers[$0 + 1])
      }
      parts.grow(by: ValueWeight(parts: numbers.count))
    } else if count == 1 {
      guard let location = parts.integer("NSLocation"), let length = parts.integer("NSLength")
      else { return nil }
      ranges = [ArchivedRange(location: location, length: length)]
    } else {
      guard count == 0 else { return nil }
      ranges = []
    }
  }
}

/// An NSIndexPath: the way to a node in a tree of arrays.
///
/// The indexes are packed as those of an index set (swift-corelibs-foundation, NSIndexPath.swift).
public struct ArchivedIndexPath: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The indexes, the outermost first.
  public let indexes: [Int]

  static let classNames = ["NSIndexPath"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let count = parts.integer("NSIndexPathLength") else { return nil }
    if let data = parts.data("NSIndexPathData") {
      guard let numbers = PackedIntegers.integers(in: data), numbers.count == count else {
        return nil
      }
      indexes = numbers
      parts.grow(by: ValueWeight(parts: count))
    } else if count == 1 {
      guard let index = parts.integer("NSIndexPathValue") else { return nil }
      indexes = [index]
    } else {
      guard count == 0 else { return nil }
      indexes = []
    }
  }
}

/// A run of indexes: an NSRange.
public struct ArchivedRange: Sendable, Hashable, Encodable {
  /// The first index.
  public var location: Int
  /// The number of indexes.
  public var length: Int

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - location: The first index.
  ///   - length: The number of indexes.
  public init(location: Int, length: Int) {
    self.location = location
    self.length = length
  }
}
