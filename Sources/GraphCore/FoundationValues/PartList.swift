/// Classes of Foundation whose objects are archived alike, as no more than parts under keys.
package struct PartList: Sendable {
  /// A part: its name, what it may be, and the keys under which it is archived.
  ///
  /// Where it has several keys, all that are there must hold the same.
  package struct Part: Sendable {
    package let name: String
    package let kind: Kind
    package let keys: [String]

    init(_ name: String, _ kind: Kind, _ keys: String...) {
      (self.name, self.kind, self.keys) = (name, kind, keys)
    }
  }

  /// The kinds of value under the keys of a part.
  package enum Kind: Sendable {
    case text, bool, integer, real, data, date, url, point, size, rect, any
    /// An integer; the largest of 64 or of 32 bits is NSNotFound, and no part.
    case definedInteger
    /// A date as seconds since 2001.
    case seconds
    /// A range in one number: the location in the upper half of 64 bits, the length in the lower.
    case packedRange
    /// A value of a class, by the first name of those that are archived alike.
    case value(String)
    /// An array of such values.
    case values(String)
    /// A value of any class of Foundation's.
    case foundation
    /// All parts whose keys begin with the one that is given, by what follows it.
    case rest
    /// A value of a class, as above, whose parts become parts of the object.
    case inlined(String)
    /// A flag that is true or not there, and no part.
    case mark
  }

  /// The names of the classes, as archived.
  let classNames: [String]
  /// Of each of these lists, one part at least must be there, or an object that has the parts.
  let needs: [[String]]
  package let parts: [Part]

  init(_ classNames: [String], needs: [[String]] = [], _ parts: [Part]) {
    (self.classNames, self.needs, self.parts) = (classNames, needs, parts)
  }

  /// Reads the parts of an object.
  ///
  /// - Parameter reader: The values under its keys.
  /// - Returns: The parts; nil if one is missing without which there is no value.
  func read(_ reader: inout PartReader) -> NamedParts? {
    var found: [NamedParts.Part] = []
    var inlined: Int?
    for part in parts {
      guard let value = part.read(&reader) else { continue }
      switch part.kind {
      case .mark: if value != .bool(true) { reader.refuse() }
      case .inlined:
        guard let inner = value.foundationValue?.object as? NamedParts else { return nil }
        found += inner.parts
        inlined = found.count
      default: found.append(.init(name: part.name, value: value, isBare: part.kind.isBare))
      }
    }
    // The parts are all in the object, or all in one of its own.
    if let inlined { guard found.count == inlined else { return nil } }
    for names in needs {
      guard found.contains(where: { names.contains($0.name) }) || inlined != nil else { return nil }
    }
    return NamedParts(class: reader.className, parts: found)
  }
}

extension PartList.Part {
  fileprivate func read(_ reader: inout PartReader) -> UnarchivedValue? {
    if case .rest = kind {
      return keys.first.flatMap { reader.rest(withPrefix: $0) }.map { .dictionary($0) }
    }
    let value = reader.take(keys) { kind.value(of: $0) }
    if case .definedInteger = kind, [.integer(.max), .integer(Int64(Int32.max))].contains(value) {
      return nil
    }
    return value
  }
}

extension PartList.Kind {
  /// True if the JSON has the bare text of data, a date or a URL, or the bare pairs of a
  /// dictionary: the part tells the class.
  fileprivate var isBare: Bool {
    switch self {
    case .data, .date, .seconds, .url, .point, .size, .rect, .packedRange, .rest: true
    default: false
    }
  }

  /// A value as one of the kind; nil if it is none.
  fileprivate func value(of value: UnarchivedValue) -> UnarchivedValue? {
    switch self {
    case .text: value.text.map { .text($0) }
    case .bool, .mark: value.flag.map { .bool($0) }
    case .integer, .definedInteger: value.wholeNumber.map { .integer(Int64($0)) }
    case .real: value.number.map { .real($0) }
    case .data: if case .data = value { value } else { nil }
    case .date: if case .date = value { value } else { nil }
    case .url: if case .url = value { value } else { nil }
    case .seconds:
      value.number.map { .date(ArchivedDate(secondsSinceReferenceDate: $0)) }
    case .packedRange:
      value.wholeNumber.map { number in
        let location = UInt64(bitPattern: Int64(number)) >> 32
        return .dictionary([
          "location": .integer(Int64(location)), "length": .integer(Int64(number & 0xFFFF_FFFF)),
        ])
      }
    case .point:
      value.text.flatMap { ArchivedPoint(text: $0) }.map {
        .dictionary(["x": .real($0.x), "y": .real($0.y)])
      }
    case .size:
      value.text.flatMap { ArchivedSize(text: $0) }.map {
        .dictionary(["width": .real($0.width), "height": .real($0.height)])
      }
    case .rect:
      value.text.flatMap { ArchivedRect(text: $0) }.map {
        .dictionary([
          "x": .real($0.x), "y": .real($0.y), "width": .real($0.width), "height": .real($0.height),
        ])
      }
    case .any, .rest: value
    case .foundation: value.foundationValue.map { .foundation($0) }
    case .value(let kind), .inlined(let kind): value.foundationValue?.kind == kind ? value : nil
    case .values(let kind):
      if case .array(let elements) = value,
        elements.allSatisfy({ $0.foundationValue?.kind == kind })
      {
        value
      } else {
        nil
      }
    }
  }
}

extension UnarchivedValue {
  /// A dictionary of some values, in the order of their keys.
  fileprivate static func dictionary(_ values: [String: UnarchivedValue]) -> UnarchivedValue {
    .dictionary(values.sorted { $0.key < $1.key }.map { Pair(.text($0.key), $0.value) })
  }
}

/// The parts of a value whose class is a list of them: see `PartList`.
struct NamedParts: FoundationParts {
  /// A part that is there.
  struct Part: Sendable, Hashable {
    let name: String
    let value: UnarchivedValue
    /// True if the JSON has the text of data, a date or a URL, or the pairs of a dictionary, and
    /// not the small object that stands for any such value.
    let isBare: Bool
  }

  let `class`: String
  /// The parts, in the order of the list.
  let parts: [Part]

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(`class`, forKey: Name(stringValue: "class"))
    for part in parts {
      let name = Name(stringValue: part.name)
      switch part.value {
      case .data(let data) where part.isBare: try container.encode(data, forKey: name)
      case .date(let date) where part.isBare: try container.encode(date, forKey: name)
      case .url(let url) where part.isBare: try container.encode(url, forKey: name)
      case .dictionary where part.isBare:
        try container.encode(part.value.valuesByKey, forKey: name)
      default: try container.encode(part.value, forKey: name)
      }
    }
  }
}
