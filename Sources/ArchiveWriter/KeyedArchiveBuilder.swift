import Foundation

/// Builds the frame of a keyed archive: `$archiver`, `$version`, `$top` and `$objects`.
///
/// Every method that adds an object returns the reference to it, ready to stand as a value:
///
///     var archive = KeyedArchiveBuilder()
///     let note = archive.instance(of: "Note", ["title": archive.string("Milk"), "rank": 3])
///     archive.setTop("root", note)
///     let bytes = archive.binary()
///
/// To make a cycle, ``reserve()`` an entry, refer to it, and ``fill(_:className:hierarchy:_:)`` it.
public struct KeyedArchiveBuilder: Sendable {
  /// An entry of `$objects` that waits for its object.
  public struct Slot: Sendable, Hashable {
    /// The entry's index in `$objects`.
    public let index: UInt32

    /// The reference to the entry.
    public var reference: PropertyListValue { .uid(index) }
  }

  /// The name of the archiver's class.
  public var archiver = "NSKeyedArchiver"
  /// The version of the frame.
  public var version: PropertyListValue = 100_000
  /// The entries of `$top`, keys as written.
  public var top: [KeyValue] = []
  /// The entries of `$objects`; a reserved one is "$null" until it is filled.
  public private(set) var objects: [PropertyListValue] = ["$null"]

  private var classRecords: [[ExactString]: PropertyListValue] = [:]
  private var strings: [ExactString: PropertyListValue] = [:]

  /// Makes an archive that holds nothing but `$null`.
  public init() {}

  /// Adds a value as an object of its own, equal to others or not.
  public mutating func add(_ value: PropertyListValue) -> PropertyListValue {
    objects.append(value)
    return .uid(UInt32(objects.count - 1))
  }

  /// Adds a plain string, once for equal ones; ``add(_:)`` repeats them.
  public mutating func string(_ text: String) -> PropertyListValue {
    if let known = strings[ExactString(text)] { return known }
    let reference = add(.string(text))
    strings[ExactString(text)] = reference
    return reference
  }

  /// Reserves the next entry of `$objects`.
  public mutating func reserve() -> Slot {
    objects.append("$null")
    return Slot(index: UInt32(objects.count - 1))
  }

  /// Puts any value in a reserved entry.
  public mutating func fill(_ slot: Slot, with value: PropertyListValue) {
    objects[Int(slot.index)] = value
  }

  /// Puts an instance in a reserved entry.
  ///
  /// - Parameters:
  ///   - slot: The entry.
  ///   - className: The name of the instance's class.
  ///   - hierarchy: The class and its superclasses; by default what is known of the class, else
  ///     the class and `NSObject`.
  ///   - pairs: The keys as the program knows them: one that begins with `$` gets one more `$`.
  ///   - unkeyed: Values that were encoded without keys; they follow as `$0`, `$1` and so on.
  /// - Returns: The reference to the instance.
  @discardableResult
  public mutating func fill(
    _ slot: Slot, className: String, hierarchy: [String]? = nil, _ pairs: [KeyValue],
    unkeyed: [PropertyListValue] = []
  ) -> PropertyListValue {
    var content = pairs.map { KeyValue(Self.escaped($0.key), $0.value) }
    content += unkeyed.enumerated().map { KeyValue("$\($0.offset)", $0.element) }
    content.append(KeyValue("$class", classRecord(className, hierarchy: hierarchy)))
    fill(slot, with: .dictionary(content))
    return slot.reference
  }

  /// Puts an instance in a reserved entry, with its keys and values as a literal.
  @discardableResult
  public mutating func fill(
    _ slot: Slot, className: String, hierarchy: [String]? = nil,
    _ pairs: KeyValuePairs<String, PropertyListValue> = [:]
  ) -> PropertyListValue {
    fill(slot, className: className, hierarchy: hierarchy, pairs.map { KeyValue($0.key, $0.value) })
  }

  /// Adds an instance; see ``fill(_:className:hierarchy:_:unkeyed:)`` for the parameters.
  public mutating func instance(
    of className: String, hierarchy: [String]? = nil, _ pairs: [KeyValue],
    unkeyed: [PropertyListValue] = []
  ) -> PropertyListValue {
    fill(reserve(), className: className, hierarchy: hierarchy, pairs, unkeyed: unkeyed)
  }

  /// Adds an instance, with its keys and values as a literal.
  public mutating func instance(
    of className: String, hierarchy: [String]? = nil,
    _ pairs: KeyValuePairs<String, PropertyListValue> = [:]
  ) -> PropertyListValue {
    fill(reserve(), className: className, hierarchy: hierarchy, pairs)
  }

  /// Adds a class record, once for equal hierarchies.
  public mutating func classRecord(
    _ className: String, hierarchy: [String]? = nil
  ) -> PropertyListValue {
    let chain = hierarchy ?? Self.hierarchy(of: className)
    let names = ([className] + chain).map(ExactString.init)
    if let known = classRecords[names] { return known }
    let record = add([
      "$classname": .string(className), "$classes": .array(chain.map { .string($0) }),
    ])
    classRecords[names] = record
    return record
  }

  /// Puts a reference or an inline value at a key of `$top`, in the place of an earlier one.
  public mutating func setTop(_ key: String, _ value: PropertyListValue) {
    let pair = KeyValue(Self.escaped(key), value)
    if let place = top.firstIndex(where: { ExactString($0.key) == ExactString(pair.key) }) {
      top[place] = pair
    } else {
      top.append(pair)
    }
  }

  private static func escaped(_ key: String) -> String {
    key.hasPrefix("$") ? "$" + key : key
  }
}

/// The elements of a collection are references; a plain value becomes an object of its own first.
extension KeyedArchiveBuilder {
  /// Adds an `NSArray`.
  public mutating func array(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSArray", elements)
  }

  /// Adds an `NSMutableArray`.
  public mutating func mutableArray(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSMutableArray", elements)
  }

  /// Adds an array under the keys `NS.object.0` and so on, as subclasses of the archiver do.
  public mutating func numberedArray(
    _ elements: [PropertyListValue], className: String = "NSArray"
  ) -> PropertyListValue {
    let pairs = references(to: elements).enumerated().map {
      KeyValue("NS.object.\($0.offset)", $0.element)
    }
    return instance(of: className, pairs)
  }

  /// Adds an `NSSet`.
  public mutating func set(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSSet", elements)
  }

  /// Adds an `NSMutableSet`.
  public mutating func mutableSet(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSMutableSet", elements)
  }

  /// Adds an `NSOrderedSet`.
  public mutating func orderedSet(_ elements: [PropertyListValue]) -> PropertyListValue {
    numberedArray(elements, className: "NSOrderedSet")
  }

  /// Adds an `NSCountedSet` of elements and how often each occurs.
  public mutating func countedSet(
    _ elements: [(element: PropertyListValue, count: Int)]
  ) -> PropertyListValue {
    var pairs = [KeyValue("NS.count", .integer(Int64(elements.count)))]
    for (place, (element, count)) in elements.enumerated() {
      pairs.append(KeyValue("NS.object\(place)", reference(to: element)))
      pairs.append(KeyValue("NS.count\(place)", .integer(Int64(count))))
    }
    return instance(of: "NSCountedSet", pairs)
  }

  /// Adds an `NSDictionary`; its keys may be any object.
  public mutating func dictionary(
    _ pairs: KeyValuePairs<PropertyListValue, PropertyListValue>, className: String = "NSDictionary"
  ) -> PropertyListValue {
    dictionary(keys: pairs.map(\.key), values: pairs.map(\.value), className: className)
  }

  /// Adds an `NSDictionary` of keys and values, which a broken archive may have unequally many of.
  public mutating func dictionary(
    keys: [PropertyListValue], values: [PropertyListValue], className: String = "NSDictionary"
  ) -> PropertyListValue {
    let keys = references(to: keys)
    let values = references(to: values)
    return instance(of: className, ["NS.keys": .array(keys), "NS.objects": .array(values)])
  }

  private mutating func listed(
    _ className: String, _ elements: [PropertyListValue]
  ) -> PropertyListValue {
    let references = references(to: elements)
    return instance(of: className, ["NS.objects": .array(references)])
  }

  private mutating func references(to values: [PropertyListValue]) -> [PropertyListValue] {
    var references: [PropertyListValue] = []
    for value in values {
      references.append(reference(to: value))
    }
    return references
  }

  private mutating func reference(to value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .uid: value
    case .string(let text): string(text)
    default: add(value)
    }
  }
}

extension KeyedArchiveBuilder {
  /// The whole archive as a property list.
  public func propertyList() -> PropertyListValue {
    [
      "$version": version, "$archiver": .string(archiver), "$top": .dictionary(top),
      "$objects": .array(objects),
    ]
  }

  /// The archive in the binary form.
  public func binary(_ writer: BinaryPropertyListWriter = BinaryPropertyListWriter()) -> Data {
    writer.data(for: propertyList())
  }

  /// The archive in the XML form.
  public func xml() throws(PropertyListWritingError) -> Data {
    try XMLPropertyListWriter().data(for: propertyList())
  }

  /// An archive with one object at `root`.
  public static func archive(
    _ makeRoot: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) rethrows -> KeyedArchiveBuilder {
    var archive = KeyedArchiveBuilder()
    archive.setTop("root", try makeRoot(&archive))
    return archive
  }
}
