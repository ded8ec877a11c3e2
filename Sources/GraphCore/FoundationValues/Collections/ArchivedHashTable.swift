/// An NSHashTable: a set whose elements may be held weakly.
///
/// Its values have no keys: the options, the elements, and nil after them; newer archives tell
/// besides how many elements there are. The order is that of Apportable's Foundation
/// (NSHashTable.m) and, with the count, that of public descriptions of Foundation.
public struct ArchivedHashTable: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The options for holding and comparing elements: NSPointerFunctionsOptions.
  public let options: Int
  /// The elements, in the order of the archive; nil for one that was held weakly and is gone.
  public let elements: [UnarchivedValue]

  static let classNames = ["NSHashTable"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let table = parts.pointerTable(optionCount: 1, entrySize: 1) else { return nil }
    options = table.options[0]
    elements = table.values
  }
}

/// An NSMapTable: a dictionary whose keys and values may be held weakly.
///
/// It is archived as an NSHashTable is, with two options in front, and with the value after each
/// key (public descriptions of Foundation; not seen in an archive).
public struct ArchivedMapTable: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The options for holding and comparing keys: NSPointerFunctionsOptions.
  public let keyOptions: Int
  /// The options for holding and comparing values.
  public let valueOptions: Int
  /// The pairs, in the order of the archive; nil for what was held weakly and is gone.
  public let pairs: [UnarchivedValue.Pair]

  static let classNames = ["NSMapTable"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let table = parts.pointerTable(optionCount: 2, entrySize: 2) else { return nil }
    keyOptions = table.options[0]
    valueOptions = table.options[1]
    let values = table.values
    pairs = stride(from: 0, to: values.count, by: 2).map {
      UnarchivedValue.Pair(values[$0], values[$0 + 1])
    }
  }
}

extension PartReader {
  /// The options and the values of a table of pointers.
  ///
  /// Without a count, the first nil is the end.
  ///
  /// - Parameters:
  ///   - optionCount: The number of options in front.
  ///   - entrySize: The number of values in an entry.
  /// - Returns: As many options as were asked for, and the values of whole entries; nil if the
  ///   object has another form.
  fileprivate mutating func pointerTable(
    optionCount: Int, entrySize: Int
  ) -> (options: [Int], values: [UnarchivedValue])? {
    let all = unkeyed()
    guard all.count > optionCount, all.last == .null else { return nil }
    let options = all.prefix(optionCount).compactMap(\.wholeNumber)
    let values = Array(all[optionCount..<(all.count - 1)])
    guard options.count == optionCount, values.count.isMultiple(of: entrySize) else { return nil }
    if let count = integer("NS.count") {
      guard values.count / entrySize == count else { return nil }
    } else {
      guard !values.contains(.null) else { return nil }
    }
    return (options, values)
  }
}
