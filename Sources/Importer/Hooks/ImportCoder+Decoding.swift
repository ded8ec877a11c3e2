import ArchiveReader
import Foundation

// What `NSCoder` calls decoding, key by key. An absent key gives nil, false, 0 or nothing.
extension ImportCoder {
  /// A value of a Swift type; nil for nil and where there is no such key.
  public func decode<Value: ImportValueConvertible>(
    _ type: Value.Type = Value.self, forKey key: String
  ) throws -> Value? {
    try attempt(nil) {
      let found = try value(under: key)
      if found.isNull { return nil }
      guard let value = Value.value(of: found, in: context) else {
        throw wrongKind(key, found: found.kind, expected: Value.words)
      }
      if found.holdsURLs { noteEncoded(found, as: value.importValue, key) }
      return value
    }
  }

  /// A text, with U+FFFD for unpaired surrogates, which the report lists; nil for nil and where there
  /// is no such key.
  public func decodeString(forKey key: String) throws -> String? {
    switch plainValue(key) {
    case .text(let text) where !text.hasUnpairedSurrogates: text.string
    case .null: nil
    default: try decode(forKey: key)
    }
  }

  /// An exact decimal number; nil for nil and where there is no such key.
  ///
  /// Real numbers are none: how those are rounded is for the hook to say, or for the attribute's type,
  /// which takes their shortest digits.
  public func decodeDecimal(forKey key: String) throws -> Decimal? {
    switch plainValue(key) {
    case .decimal(let decimal) where !decimal.isNaN: decimal.decimal
    case .null: nil
    default: try decode(forKey: key)
    }
  }

  /// An instant; nil for nil and where there is no such key.
  public func decodeDate(forKey key: String) throws -> Date? {
    switch plainValue(key) {
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .null: nil
    default: try decode(forKey: key)
    }
  }

  /// Bytes; nil for nil and where there is no such key.
  public func decodeData(forKey key: String) throws -> Data? {
    switch plainValue(key) {
    case .data(let bytes): bytes.data
    case .null: nil
    default: try decode(forKey: key)
    }
  }

  /// A UUID; nil for nil and where there is no such key.
  public func decodeUUID(forKey key: String) throws -> UUID? {
    switch plainValue(key) {
    case .uuid(let bytes): UUID(bytes)
    case .null: nil
    default: try decode(forKey: key)
    }
  }

  /// A URL, resolved against its base; nil for nil and where there is no such key.
  ///
  /// What a URL cannot have as it is, such as a space, is encoded, and listed as a loss.
  public func decodeURL(forKey key: String) throws -> URL? {
    switch plainValue(key) {
    case .url(let text):
      if let url = url(text.string, key) { return url }
    case .relativeURL(let uid):
      if let url = session.graph.urlText(uid).flatMap({ url($0, key) }) { return url }
    case .null: return nil
    default: break
    }
    return try decode(forKey: key)
  }

  private func url(_ text: String, _ key: String) -> URL? {
    guard let url = URL(string: text) else { return nil }
    noteEncoded(.url(text), as: url.importValue, key)
    return url
  }

  /// Lists the URLs of a value of which some characters were encoded.
  private func noteEncoded(_ value: ImportValue, as decoded: ImportValue, _ key: String) {
    switch (value, decoded) {
    case (.url(let text), .url(let encoded)) where encoded != text:
      var location = session.location
      location.key = key
      session.context.report.addLoss(
        at: location, before: .text(text), after: .text(encoded),
        reason: "a URL requested by a hook encodes some of its characters")
    case (.list(let values), .list(let others)), (.set(let values), .list(let others)):
      for (value, other) in zip(values.filter { !$0.isNull }, others) {
        noteEncoded(value, as: other, key)
      }
    default: break
    }
  }

  /// The values in an array or set, of a Swift type, nil among them left out; none for nil and where
  /// there is no such key.
  public func decodeArray<Element: ImportValueConvertible>(
    of type: Element.Type = Element.self, forKey key: String
  ) throws -> [Element] {
    try decode(forKey: key) ?? []
  }

  /// The row that an object becomes; nil for nil, where there is no such key, and for an object that
  /// becomes none.
  public func decodeRow(forKey key: String) throws -> DestinationInstance? {
    try decode(forKey: key)
  }

  /// The rows that the objects in an array or set become, in the order of the archive.
  public func decodeRows(forKey key: String) throws -> [DestinationInstance] {
    try decode(forKey: key) ?? []
  }
}

extension ImportValue {
  /// True if it is a URL, or a collection with some.
  fileprivate var holdsURLs: Bool {
    switch self {
    case .url: true
    case .list(let values), .set(let values):
      values.contains { if case .url = $0 { true } else { false } }
    default: false
    }
  }
}
