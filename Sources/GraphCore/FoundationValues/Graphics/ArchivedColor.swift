import Foundation

/// An NSColor: components in a colour space, a name in a catalogue, or a pattern.
///
/// Components stand as decimal numbers in ASCII (GNUstep's NSColor.m; measured on real archives).
public struct ArchivedColor: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The kind of colour, as archived: NSColorSpace.
  public let colorSpace: Int
  /// The kind of colour in words.
  public let kind: Kind
  /// The components without alpha: red, green and blue; white; cyan, magenta, yellow and black.
  public let components: [Double]?
  /// The opacity of the colour, where it was archived.
  public let alpha: Double?
  /// The components in a space of the colour's own, alpha included: the more exact ones.
  public let customComponents: [Double]?
  /// The colour's own space.
  public let customColorSpace: FoundationValue?
  /// The catalogue of a named colour.
  public let catalog: String?
  /// The name of a named colour.
  public let name: String?
  /// The colour that a name stood for when it was archived.
  public let color: FoundationValue?
  /// The image of a pattern.
  public let pattern: FoundationValue?

  /// The kinds of colour.
  public enum Kind: String, Sendable, Hashable, Encodable {
    /// Red, green and blue of the calibrated space.
    case calibratedRGB
    /// Red, green and blue of the device.
    case deviceRGB
    /// White of the calibrated space.
    case calibratedWhite
    /// White of the device.
    case deviceWhite
    /// Cyan, magenta, yellow and black of the device.
    case deviceCMYK
    /// A name in a catalogue.
    case named
    /// An image that is repeated.
    case pattern
  }

  static let classNames = ["NSColor"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let colorSpace = parts.integer("NSColorSpace") else { return nil }
    self.colorSpace = colorSpace
    let form: (kind: Kind, key: String?, count: Int)
    switch colorSpace {
    case 1: form = (.calibratedRGB, "NSRGB", 3)
    case 2: form = (.deviceRGB, "NSRGB", 3)
    case 3: form = (.calibratedWhite, "NSWhite", 1)
    case 4: form = (.deviceWhite, "NSWhite", 1)
    // The letters are in this order in the archive.
    case 5: form = (.deviceCMYK, "NSCYMK", 4)
    case 6: form = (.named, nil, 0)
    case 10: form = (.pattern, nil, 0)
    default: return nil
    }
    kind = form.kind
    if let key = form.key {
      guard let numbers = parts.components(key),
        numbers.count == form.count || numbers.count == form.count + 1
      else { return nil }
      components = Array(numbers.prefix(form.count))
      alpha = numbers.count > form.count ? numbers.last : nil
    } else {
      (components, alpha) = (nil, nil)
    }
    customComponents = parts.components("NSComponents")
    customColorSpace = parts.value(of: "NSColorSpace", "NSCustomColorSpace")
    catalog = parts.text("NSCatalogName")
    name = parts.text("NSColorName")
    color = parts.foundation("NSColor")
    pattern = parts.foundation("NSImage")
    guard form.kind != .named || name != nil, form.kind != .pattern || pattern != nil else {
      return nil
    }
  }
}

extension PartReader {
  /// Numbers as ASCII text with spaces between, and mostly a zero byte at the end.
  package mutating func components(_ key: String) -> [Double]? {
    take([key]) { value in
      guard case .data(var data) = value else { return nil }
      if data.last == 0 { data.removeLast() }
      guard let text = String(validating: data, as: UTF8.self) else { return nil }
      let words = text.split(separator: " ", omittingEmptySubsequences: true)
      let numbers = words.compactMap { GeometryText.number($0) }
      return numbers.count == words.count && !numbers.isEmpty ? numbers : nil
    }
  }
}

/// An NSColorList: colours by name.
public struct ArchivedColorList: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of the list.
  public let name: String?
  /// The names of the colours.
  public let keys: [String]
  /// The colours, in the order of the names.
  public let colors: [FoundationValue]

  static let classNames = ["NSColorList"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("NSName")
    guard let names = parts.array("NSKeys"), let values = parts.array("NSColors"),
      names.count == values.count
    else { return nil }
    keys = names.compactMap(\.text)
    colors = values.compactMap(\.foundationValue)
    guard keys.count == names.count, colors.count == values.count else { return nil }
  }
}
