/// An NSValue: a point, a size, a rectangle, a range, insets, or a value of a C type.
///
/// `NS.special` tells which it is; without it, the type and the value were encoded without keys.
public struct ArchivedConcreteValue: FoundationObject {
  /// The content of a value.
  public enum Content: Sendable, Hashable {
    /// A point.
    case point(ArchivedPoint)
    /// A size.
    case size(ArchivedSize)
    /// A rectangle.
    case rect(ArchivedRect)
    /// A range.
    case range(ArchivedRange)
    /// Insets.
    case edgeInsets(EdgeInsets)
    /// A value of a C type, with the type as Objective-C encodes it: "[3i]".
    case typed(type: String, values: [UnarchivedValue])
  }

  /// The name of the class, as archived.
  public let `class`: String
  /// The content of the value.
  public let content: Content

  static let classNames = ["NSValue"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    let content: Content? =
      switch parts.integer("NS.special") {
      case 1: parts.point("NS.pointval").map { .point($0) }
      case 2: parts.size("NS.sizeval").map { .size($0) }
      case 3: parts.rect("NS.rectval").map { .rect($0) }
      case 4: Self.range(&parts)
      case 12: Self.edgeInsets(&parts)
      case nil: Self.typed(parts.unkeyed())
      default: nil
      }
    guard let content else { return nil }
    self.content = content
  }

  private static func range(_ parts: inout PartReader) -> Content? {
    guard let location = parts.integer("NS.rangeval.location"),
      let length = parts.integer("NS.rangeval.length")
    else { return nil }
    return .range(ArchivedRange(location: location, length: length))
  }

  private static func edgeInsets(_ parts: inout PartReader) -> Content? {
    guard let top = parts.real("NS.edgeval.top"), let left = parts.real("NS.edgeval.left"),
      let bottom = parts.real("NS.edgeval.bottom"), let right = parts.real("NS.edgeval.right")
    else { return nil }
    return .edgeInsets(EdgeInsets(top: top, left: left, bottom: bottom, right: right))
  }

  private static func typed(_ values: [UnarchivedValue]) -> Content? {
    guard let type = values.first?.text, values.count > 1 else { return nil }
    return .typed(type: type, values: Array(values.dropFirst()))
  }

  private enum Key: String, CodingKey {
    case `class`, point, size, rect, range, edgeInsets, type, values
  }

  /// Encodes the value, the content under the name of its kind.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(`class`, forKey: .class)
    switch content {
    case .point(let point): try container.encode(point, forKey: .point)
    case .size(let size): try container.encode(size, forKey: .size)
    case .rect(let rect): try container.encode(rect, forKey: .rect)
    case .range(let range): try container.encode(range, forKey: .range)
    case .edgeInsets(let insets): try container.encode(insets, forKey: .edgeInsets)
    case .typed(let type, let values):
      try container.encode(type, forKey: .type)
      try container.encode(values, forKey: .values)
    }
  }
}

/// A C array in an NSValue, which NSKeyedArchiver puts in an object of its own class.
///
/// The keys are those of swift-corelibs-foundation, NSKeyedCoderOldStyleArray.swift.
public struct ArchivedOldStyleArray: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The type of the elements, as Objective-C encodes it: "i".
  public let type: String
  /// The size of an element in bytes.
  public let size: Int
  /// The elements.
  public let elements: [UnarchivedValue]

  static let classNames = ["_NSKeyedCoderOldStyleArray"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let code = parts.integer("NS.type"), let byte = UInt8(exactly: code), byte < 0x80,
      let size = parts.integer("NS.size"), let count = parts.integer("NS.count")
    else { return nil }
    type = String(Unicode.Scalar(byte))
    self.size = size
    elements = parts.unkeyed()
    guard elements.count == count else { return nil }
  }
}
