import Foundation

/// The values of objects of known classes: numbers, dates, texts, data, URLs and collections.
extension ObjectReader {
  /// The value of an object of a known class, or nil if the object does not hold one.
  ///
  /// As others here it changes nothing: a reader that may be changed is not copied for the call.
  mutating func value(
    ofKnown known: KnownClass, _ form: ValueForm, _ uid: Int, _ values: Node.Run
  ) throws(ArchiveError) -> GraphValue? {
    switch form {
    case .unfit: return nil
    case .empty: return .nsNull
    case .single(let position):
      guard let plain = try plainValue(of: table[values, position]) else { return nil }
      return Self.value(of: known, from: plain, table)
    case .decimal(let positions):
      return try decimal(positions, values).map { .decimal($0) }
    case .url(let base, let relative):
      guard case .text(let text) = try plainValue(of: table[values, relative]) else { return nil }
      // A URL without a base is its own text.
      let isWhole = isNull(table[values, base])
      if isWhole, case .utf8 = text.encoding { return .url(table.borrowed(text)) }
      return urlText(uid) != nil ? .relativeURL(uid: uid) : nil
    case .arrays(let keys, let elements):
      guard let kind = known.collectionKind,
        case .array(let elementRun) = table.value(of: table[values, elements])
      else { return nil }
      if let keys {
        guard case .array(let keyRun) = table.value(of: table[values, keys]),
          keyRun.count == elementRun.count
        else { return nil }
      }
      return .collection(.object(uid), kind)
    case .numbered(let count):
      if let count, !isNull(table[values, count.position]) {
        // What a set that tells of more elements has lost, its keys do not show.
        guard case .integer(let told) = try plainValue(of: table[values, count.position]),
          told == count.elements
        else { return nil }
      }
      return known.collectionKind.map { .collection(.object(uid), $0) }
    }
  }

  /// The value of a known class from the plain value under its one key.
  private static func value(
    of known: KnownClass, from plain: Node.Value, _ table: NodeTable
  ) -> GraphValue? {
    switch (known, plain) {
    case (.string, .text(let text)): .text(table.borrowed(text))
    // NS.bytes holds UTF-8.
    case (.string, .data(let range))
    where unsafe String(validating: table.bytes(range), as: UTF8.self) != nil:
      .text(table.borrowed(Text(bytes: range, encoding: .utf8)))
    case (.data, .data(let range)): .data(table.borrowed(range))
    case (.date, .real(let seconds)), (.date, .date(let seconds)): .date(seconds)
    case (.date, .integer(let seconds)) where Int64(exactly: Double(seconds)) == seconds:
      .date(Double(seconds))
    case (.uuid, .data(let range)) where range.count == 16: .uuid(table.borrowed(range))
    case (.number, .bool(let value)): .bool(value)
    case (.number, .integer(let value)): .integer(value)
    case (.number, .wideInteger(let offset)):
      .wideInteger(GraphValue.WideInteger(table.wideInteger(at: offset)))
    case (.number, .real(let value)): .real(value)
    default: nil
    }
  }

  /// A value that stands inline, as a bare entry of `$objects`, or wrapped in an object of a class
  /// of texts, data or numbers; nil for nil and for other objects.
  mutating func plainValue(of node: Node) throws(ArchiveError) -> Node.Value? {
    let value = table.value(of: node)
    guard case .uid(let uid) = value else { return value }
    let target = table.value(of: try entry(uid))
    switch target {
    case .text(let text) where isNull(text): return nil
    case .dictionary, .uid:
      guard let (value, records) = try wrappedValue(uid) else { return nil }
      for record in records { _ = try classID(ofRecord: record) }
      return value
    default: return target
    }
  }

  /// The text that stands inline or as a bare entry of `$objects`; nil for anything else.
  func plainText(of node: Node) throws(ArchiveError) -> Text? {
    let offset = table.offset(of: node)
    guard let uid = table.uid(at: offset) else { return table.text(at: offset) }
    guard let text = table.text(at: table.offset(of: try entry(uid))), !isNull(text) else {
      return nil
    }
    return text
  }

  private mutating func decimal(
    _ positions: ValueForm.DecimalPositions, _ values: Node.Run
  ) throws(ArchiveError) -> ArchivedDecimal? {
    guard case .integer(let exponent) = try plainValue(of: table[values, positions.exponent]),
      case .integer(let length) = try plainValue(of: table[values, positions.length]),
      case .bool(let isNegative) = try plainValue(of: table[values, positions.isNegative]),
      case .data(let mantissa) = try plainValue(of: table[values, positions.mantissa])
    else { return nil }
    var isBigEndian = false
    if let byteOrder = positions.byteOrder {
      // Those of NSByteOrder: unknown, little and big.
      guard case .integer(let order) = try plainValue(of: table[values, byteOrder]),
        (0...2).contains(order)
      else { return nil }
      isBigEndian = order == 2
    }
    if let isCompact = positions.isCompact, !isNull(table[values, isCompact]) {
      switch try plainValue(of: table[values, isCompact]) {
      case .bool, .integer(0), .integer(1): break
      default: return nil
      }
    }
    return unsafe ArchivedDecimal(
      exponent: exponent, length: length, isNegative: isNegative,
      mantissa: BorrowedBytes(table.bytes(mantissa)), isBigEndian: isBigEndian)
  }
}

// URLs, which may stand on a chain of others.
extension ObjectReader {
  /// The absolute text of an NSURL; nil if it or its bases hold anything that the text would lose.
  ///
  /// A base may be of the class of the URL itself, which may be read as an NSURL by another name.
  package func urlText(_ uid: Int) -> String? {
    var relatives: [String] = []
    var next = uid
    var ownRecord: Int?
    for _ in 0..<limits.chain {
      guard let node = try? entry(next),
        case .dictionary(let keys, let values) = table.value(of: node),
        let record = classRecord(keys, values),
        record == ownRecord ?? record || (try? knownClass(ofRecord: record)) == .url,
        case .url(let base, let relative) = form(of: .url, keys, values),
        let text = exactText(of: table[values, relative])
      else { return nil }
      relatives.append(text)
      ownRecord = ownRecord ?? record
      guard case .uid(let baseUID) = table.value(of: table[values, base]),
        let entry = try? entry(baseUID)
      else { return nil }
      if case .text(let text) = table.value(of: entry), isNull(text) {
        return Self.resolve(relatives.reversed())
      }
      next = baseUID
    }
    return nil
  }

  /// The absolute text of a relative URL and its bases, the base first, or nil where one of several
  /// is no URL, or only one with other characters.
  ///
  /// A URL without a base is its own text, whatever it is.
  private static func resolve(_ parts: [String]) -> String? {
    guard var text = parts.first else { return nil }
    for relative in parts.dropFirst() {
      guard let base = URL(string: text), base.scheme != nil, base.absoluteString == text,
        let url = URL(string: relative, relativeTo: base), url.relativeString == relative
      else { return nil }
      text = url.absoluteString
    }
    return text
  }

  func position(of key: StaticString, _ keys: Node.Run) -> Int? {
    (0..<keys.count).first { position in
      guard let text = table.text(at: table.offset(of: table[keys, position])) else { return false }
      guard case .utf8 = text.encoding else { return table.string(text) == "\(key)" }
      let bytes = table.borrowed(text.bytes)
      return key.withUTF8Buffer {
        unsafe bytes.elementsEqual($0)
      }
    }
  }

  /// A text, bare or wrapped; nil for anything else, and where a string cannot hold it.
  private func exactText(of node: Node) -> String? {
    if let text = try? plainText(of: node) { return table.borrowed(text).exactString }
    guard let uid = table.uid(of: node), case .text(let text)? = try? wrappedValue(uid)?.value
    else { return nil }
    return table.borrowed(text).exactString
  }
}
