/// An NSAttributedString: a text, and attributes of parts of it.
///
/// One run of attributes stands as a dictionary; several as an array of dictionaries, and for each
/// run its length and its place in the array as packed integers (swift-corelibs-foundation,
/// NSAttributedString.swift). An NSTextStorage has a delegate besides, which is no value.
public struct ArchivedAttributedString: FoundationObject {
  /// A part of the text and its attributes.
  public struct Run: Sendable, Hashable, Encodable {
    /// The start, in UTF-16 units.
    public let location: Int
    /// The length, in UTF-16 units.
    public let length: Int
    /// The attributes by their names.
    public let attributes: [String: UnarchivedValue]
  }

  /// The name of the class, as archived.
  public let `class`: String
  /// The text; nil if none was archived.
  public let text: String?
  /// The runs, which together are the text; none where no attributes were archived.
  public let runs: [Run]

  package static let classNames = [
    "NSAttributedString", "NSMutableAttributedString", "NSTextStorage",
  ]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    text = parts.text("NSString")
    let length = (text ?? "").utf16.count
    // Only nil is read: a delegate is an object.
    if parts.any("NSDelegate") != nil { parts.refuse() }
    let weights = parts.weights(ofElementsUnder: "NSAttributes")
    guard let attributes = parts.any("NSAttributes") else {
      runs = []
      return
    }
    if let only = attributes.valuesByKey {
      runs = [Run(location: 0, length: length, attributes: only)]
      return
    }
    guard case .array(let slots) = attributes, let info = parts.data("NSAttributeInfo"),
      let numbers = PackedIntegers.integers(in: info), numbers.count.isMultiple(of: 2)
    else { return nil }
    let dictionaries = slots.compactMap(\.valuesByKey)
    guard dictionaries.count == slots.count, weights.count == slots.count else { return nil }
    var runs: [Run] = []
    var unused = Set(slots.indices)
    var location = 0
    for place in stride(from: 0, to: numbers.count, by: 2) {
      let (count, slot) = (numbers[place], numbers[place + 1])
      guard slots.indices.contains(slot), count <= length - location else { return nil }
      // The array weighs once already.
      if unused.remove(slot) == nil { parts.grow(by: weights[slot]) }
      parts.grow(by: ValueWeight(parts: 1))
      runs.append(Run(location: location, length: count, attributes: dictionaries[slot]))
      location += count
    }
    guard location == length, unused.isEmpty else { return nil }
    self.runs = runs
  }

  /// The class and the runs as JSON: all but the text, to be kept beside it.
  public var runsJSON: String {
    var json = "{\"class\":\(`class`.quotedJSON),\"runs\":["
    for (place, run) in runs.enumerated() {
      if place > 0 { json += "," }
      json += "{\"attributes\":"
      Self.append(run.attributes, to: &json)
      json += ",\"length\":\(run.length),\"location\":\(run.location)}"
    }
    return json + "]}"
  }

  /// The runs as JSON, each with its own part of the text in place of a location and a length.
  public var partsJSON: String {
    let units = Array((text ?? "").utf16)
    let parts = runs.isEmpty ? [Run(location: 0, length: units.count, attributes: [:])] : runs
    var json = "["
    for (place, run) in parts.enumerated() {
      if place > 0 { json += "," }
      let part = units[run.location..<run.location + run.length]
      json += "{\"attributes\":"
      Self.append(run.attributes, to: &json)
      json += ",\"text\":\(String(decoding: part, as: UTF16.self).quotedJSON)}"
    }
    return json + "]"
  }

  /// Attributes as an object of JSON, sorted by their names.
  private static func append(_ attributes: [String: UnarchivedValue], to json: inout String) {
    json += "{"
    for (place, (name, value)) in attributes.sorted(by: { $0.key < $1.key }).enumerated() {
      if place > 0 { json += "," }
      json += "\(name.quotedJSON):"
      // Most are numbers and texts, for which an encoder is slow.
      switch value {
      case .integer(let number): json += "\(number)"
      case .text(let text): json += text.quotedJSON
      default: json += value.jsonText
      }
    }
    json += "}"
  }
}
