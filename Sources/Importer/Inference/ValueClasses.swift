import ArchiveReader
import DataModel

/// The classes whose objects are values: each stands for what one of its keys holds.
package struct ValueClasses {
  let profile: SchemaProfile
  /// The key of each class, by the index of the class in the profile; nil where what stands for an
  /// object may be anything.
  private let keys: [Int: String?]
  /// The most value classes that may hold one another.
  private static let maxDepth = 16

  /// Creates the value classes of a profile.
  ///
  /// - Parameters:
  ///   - profile: The profile of the archives.
  ///   - keys: The key of each class, by the name of the class; nil where what stands for an object
  ///     may be anything.
  package init(_ profile: SchemaProfile, keys: [String: String?]) {
    self.profile = profile
    self.keys = Dictionary(
      keys.compactMap { name, key in profile.knownIndex(of: name).map { ($0, key) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The keys under which a class holds objects of value classes, or collections of some.
  package func keysOfValues(in found: SchemaProfile.ClassProfile) -> Set<String> {
    Set(found.properties.filter(holdsValues).map(\.key))
  }

  /// The profile with what the objects of value classes stand for in their place.
  package var seenThrough: SchemaProfile {
    var profile = self.profile
    for (index, found) in profile.classes.enumerated() {
      for (property, old) in found.properties.enumerated() where holdsValues(old) {
        profile.update(index) { $0.update(property) { $0 = seenThrough(old, depth: 0) } }
      }
    }
    return profile
  }

  private func holdsValues(_ property: SchemaProfile.PropertyProfile) -> Bool {
    let elements = property.elements
    return property.targets.contains(where: isValueClass)
      || elements.targets.contains(where: isValueClass)
      || elements.keyTargets.contains(where: isValueClass)
  }

  private func isValueClass(_ index: Int) -> Bool { keys[index] != nil }

  private func seenThrough(_ property: SchemaProfile.PropertyProfile, depth: Int)
    -> SchemaProfile.PropertyProfile
  {
    guard holdsValues(property) else { return property }
    var result = property
    let held = held(by: property.targets, depth: depth)
    replace(&result.kinds, &result.targets, by: held)
    result.elements.add(held.elements)
    // What leads back from a value is no inverse.
    result.elements.inverseKeys = []
    let elements = self.held(by: result.elements.targets, depth: depth)
    replace(&result.elements.kinds, &result.elements.targets, by: elements, inCollection: true)
    let ofKeys = self.held(by: result.elements.keyTargets, depth: depth)
    replace(&result.elements.keyKinds, &result.elements.keyTargets, by: ofKeys, inCollection: true)
    return result
  }

  private func replace(
    _ kinds: inout ValueKinds, _ targets: inout Set<Int>, by held: SchemaProfile.PropertyProfile,
    inCollection: Bool = false
  ) {
    guard targets.contains(where: isValueClass) else { return }
    targets = targets.filter { !isValueClass($0) }
    if targets.isEmpty { kinds.remove(.object) }
    var others = held.kinds
    // A collection that stands for an element is one value.
    if inCollection, others.remove(.collection) != nil { others.formUnion(.anything) }
    kinds.formUnion(others)
    targets.formUnion(held.targets)
  }

  /// The values that all objects of some classes stand for, as far as these are value classes.
  private func held(by targets: Set<Int>, depth: Int) -> SchemaProfile.PropertyProfile {
    var result = SchemaProfile.PropertyProfile(key: "")
    for target in targets {
      guard let key = keys[target] else { continue }
      let found = profile.classes[target]
      guard let key, depth < Self.maxDepth else {
        result.kinds.formUnion(.anything)
        continue
      }
      guard let index = found.knownIndex(of: key) else {
        result.kinds.insert(.null)
        continue
      }
      let property = seenThrough(found.properties[index], depth: depth + 1)
      if property.count < found.count { result.kinds.insert(.null) }
      result.kinds.formUnion(property.kinds)
      result.targets.formUnion(property.targets)
      result.elements.add(property.elements)
    }
    return result
  }
}

/// The kinds of value that were met in one place.
package struct ValueKinds: OptionSet, Hashable, Codable, Sendable {
  package let rawValue: UInt32

  package static let null = ValueKinds(rawValue: 1 << 0)
  static let bool = ValueKinds(rawValue: 1 << 1)
  static let integer = ValueKinds(rawValue: 1 << 2)
  static let wideInteger = ValueKinds(rawValue: 1 << 3)
  static let real = ValueKinds(rawValue: 1 << 4)
  /// NaN, which no number column holds.
  static let notANumber = ValueKinds(rawValue: 1 << 5)
  /// -0.0, whose sign SQLite drops in columns of type REAL.
  static let negativeZero = ValueKinds(rawValue: 1 << 6)
  package static let text = ValueKinds(rawValue: 1 << 7)
  static let date = ValueKinds(rawValue: 1 << 8)
  static let data = ValueKinds(rawValue: 1 << 9)
  static let uuid = ValueKinds(rawValue: 1 << 10)
  static let decimal = ValueKinds(rawValue: 1 << 11)
  static let url = ValueKinds(rawValue: 1 << 12)
  package static let object = ValueKinds(rawValue: 1 << 13)
  package static let collection = ValueKinds(rawValue: 1 << 14)
  /// A value of one of Foundation's other classes.
  package static let foundation = ValueKinds(rawValue: 1 << 15)
  static let attributedText = ValueKinds(rawValue: 1 << 16)

  static let references: ValueKinds = [.object, .collection]
  /// Plain values of several kinds.
  static let anything: ValueKinds = [.text, .integer, .real]

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The kind of a value that a graph gave.
  @inline(__always)
  init(_ value: GraphValue, _ graph: any ObjectGraph) {
    switch value {
    case .null, .nsNull: self = .null
    case .bool: self = .bool
    case .integer: self = .integer
    case .wideInteger: self = .wideInteger
    case .real(let value):
      self = value.isNaN ? .notANumber : value == 0 && value.sign == .minus ? .negativeZero : .real
    case .date: self = .date
    case .text, .className: self = .text
    case .foundation(_, let id): self = Self.kind(ofClass: id, graph)
    case .data: self = .data
    case .uuid: self = .uuid
    case .decimal: self = .decimal
    case .url, .relativeURL: self = .url
    case .object: self = .object
    case .collection: self = .collection
    }
  }

  @inline(never)
  private static func kind(ofClass id: ClassID, _ graph: any ObjectGraph) -> ValueKinds {
    graph.classes[id.index].isAttributedText ? .attributedText : .foundation
  }

  /// The type of an attribute that holds all plain values among these; nil where there are none.
  var attributeType: AttributeType? {
    switch subtracting([.null, .object, .collection]) {
    case []: nil
    case .bool: .boolean
    case .integer, [.integer, .bool]: .integer
    case .real, .negativeZero, [.real, .negativeZero]: .double
    case .text: .string
    case .date: .date
    case .data: .binary
    case .uuid: .uuid
    case .decimal: .decimal
    case .url: .uri
    case .foundation, [.foundation, .attributedText]: .json
    case .attributedText, [.attributedText, .text]: .attributedText
    default: .mixed
    }
  }

  /// The type of elements that hold all plain values among these.
  var elementType: AttributeType? { attributeType?.ofElements(withPlainTexts: contains(.text)) }
}
