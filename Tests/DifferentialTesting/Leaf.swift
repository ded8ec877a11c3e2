import ArchiveWriter
import Foundation

/// A plain value, as it is archived.
package enum Leaf: Sendable, Hashable {
  case bool(Bool)
  case integer(Int64)
  case wide(UInt64)
  case real(Double)
  case text(String)
  case wrappedText(String)
  case data([UInt8])
  case wrappedData([UInt8])
  /// In eighths of a second since 2001.
  case date(eighths: Int64, Noise)
  case uuid(UInt64, Noise)
  case url(String, isWrapped: Bool, Noise)
  /// A URL with the base "https://example.org/".
  case relativeURL(String)
  /// In hundredths.
  case decimal(UInt16)
  case indexSet(Int64)
  case recordID(String, hasZone: Bool, Noise)
  case attributedText(String)
  case className(String)

  /// What else an object of a value class holds.
  package enum Noise: Sendable, Hashable, CaseIterable {
    case none
    /// Nil under a key that the class does not have.
    case extraNil
  }
}

// MARK: In the archive

extension Leaf {
  /// What stands for the value in an archive.
  func encoded(isBoxed: Bool, _ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    switch self {
    case .bool(let value): Self.boxed(.bool(value), isBoxed, &archive)
    case .integer(let value): Self.boxed(.integer(value), isBoxed, &archive)
    case .wide(let value): Self.boxed(.unsigned(value), isBoxed, &archive)
    case .real(let value): Self.boxed(.real(value), isBoxed, &archive)
    case .text(let text): isBoxed ? archive.string(text) : .string(text)
    case .data(let bytes): Self.boxed(.data(Data(bytes)), isBoxed, &archive)
    case .className(let name): archive.classRecord(name)
    default: object(&archive)
    }
  }

  private static func boxed(
    _ value: PropertyListValue, _ isBoxed: Bool, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    isBoxed ? archive.add(value) : value
  }

  private func object(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    switch self {
    case .wrappedText(let text): return archive.mutableString(text)
    case .wrappedData(let bytes): return archive.mutableData(Data(bytes))
    case .date(let eighths, let noise):
      return noise.instance("NSDate", ["NS.time": .real(Double(eighths) / 8)], &archive)
    case .uuid(let number, let noise):
      return noise.instance(
        "NSUUID", ["NS.uuidbytes": .data(Data(Self.bytes(ofUUID: number)))], &archive)
    case .url(let text, let isWrapped, let noise):
      let relative = isWrapped ? archive.mutableString(text) : archive.string(text)
      return noise.instance("NSURL", ["NS.base": .none, "NS.relative": relative], &archive)
    case .relativeURL(let text):
      return archive.url(text, base: archive.url("https://example.org/"))
    case .decimal(let hundredths):
      return archive.decimal(words: hundredths == 0 ? [] : [hundredths], exponent: -2)
    case .indexSet(let location):
      return archive.instance(
        of: "NSIndexSet",
        ["NSRangeCount": 1, "NSLocation": .integer(location), "NSLength": 1])
    case .recordID(let name, let hasZone, let noise):
      let zone =
        hasZone
        ? archive.instance(
          of: "CKRecordZoneID",
          ["ZoneName": archive.string("z"), "ownerName": archive.string("o")]) : .none
      return noise.instance(
        "CKRecordID", ["RecordName": archive.string(name), "ZoneID": zone], &archive)
    case .attributedText(let text):
      return archive.instance(of: "NSAttributedString", ["NSString": archive.string(text)])
    default: return .none
    }
  }

  static func bytes(ofUUID number: UInt64) -> [UInt8] {
    Array(repeating: 0xAB, count: 8)
      + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * (7 - $0))) }
  }
}

extension Leaf.Noise {
  fileprivate func instance(
    _ className: String, _ pairs: KeyValuePairs<String, PropertyListValue>,
    _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    var content = pairs.map { KeyValue($0.key, $0.value) }
    if self == .extraNil { content.append(KeyValue("later", .none)) }
    return archive.instance(of: className, content)
  }
}

// MARK: In a store

extension Leaf {
  /// The cell of the relational layout, by Documentation/layouts.md; of a text with attributes, its
  /// text.
  var cell: Cell {
    switch self {
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .wide(let value): value > UInt64(Int64.max) ? .text("\(value)") : .integer(Int64(value))
    case .real(let value): value.isNaN ? .text("NaN") : .real(value)
    case .text(let text), .wrappedText(let text), .attributedText(let text): .text(text)
    case .data(let bytes), .wrappedData(let bytes): .blob(bytes)
    case .date(let eighths, _): .text(Self.dateText(eighths: eighths))
    case .uuid(let number, _): .text(Self.uuidText(number))
    case .url(let text, _, _): .text(text)
    case .relativeURL(let text): .text("https://example.org/\(text)")
    case .decimal(let hundredths): .text(Self.decimalText(Int(hundredths)))
    case .indexSet(let location):
      .text(#"{"class":"NSIndexSet","ranges":[{"length":1,"location":\#(location)}]}"#)
    case .recordID(let name, let hasZone, _): .text(Self.recordText(name, hasZone: hasZone))
    case .className(let name): .text(name)
    }
  }

  /// The forms that a value has in a store in Core Data's layout, whatever its column.
  var coreDataCells: Set<Cell> {
    switch self {
    case .date(let eighths, _): [.real(Double(eighths) / 8), .integer(eighths / 8), cell]
    case .decimal(let hundredths):
      [.real(Double(hundredths) / 100), .integer(Int64(hundredths) / 100), cell]
    case .uuid(let number, _): [.blob(Self.bytes(ofUUID: number)), cell]
    case .real(let value) where value == value.rounded() && abs(value) < 1e15:
      [cell, .integer(Int64(value)), .real(0)]
    default: [cell]
    }
  }

  /// The words of a text with attributes as one JSON object.
  func isJSON(_ cell: Cell) -> Bool {
    guard case .attributedText(let text) = self, case .text(let json) = cell,
      let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    else { return false }
    return object["text"] as? String == text && object["class"] as? String == "NSAttributedString"
  }

  private static func uuidText(_ number: UInt64) -> String {
    let digits = bytes(ofUUID: number).map { String(format: "%02X", $0) }.joined()
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func decimalText(_ hundredths: Int) -> String {
    var text = "\(hundredths / 100)"
    if hundredths % 100 != 0 {
      text += "." + String(format: "%02d", hundredths % 100)
      if text.hasSuffix("0") { text.removeLast() }
    }
    return text
  }

  private static func recordText(_ name: String, hasZone: Bool) -> String {
    let zone = #","zoneID":{"class":"CKRecordZoneID","ownerName":"o","zoneName":"z"}"#
    return #"{"class":"CKRecordID","recordName":"\#(name)"\#(hasZone ? zone : "")}"#
  }

  /// The Gregorian calendar, by days from 2001.
  private static func dateText(eighths: Int64) -> String {
    let seconds = eighths >> 3
    let fraction = [
      ".000", ".125", ".250", ".375", ".500", ".625", ".750", ".875",
    ][Int(eighths & 7)]
    var day = Int(seconds / 86_400)
    var rest = Int(seconds % 86_400)
    if rest < 0 { (day, rest) = (day - 1, rest + 86_400) }
    var year = 2001
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
    while day < 0 { year -= 1; day += isLeap(year) ? 366 : 365 }
    while day >= (isLeap(year) ? 366 : 365) { day -= isLeap(year) ? 366 : 365; year += 1 }
    var month = 1
    for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
      if day < length { break }
      day -= length
      month += 1
    }
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day + 1, rest / 3_600,
      rest / 60 % 60, rest % 60) + fraction + "Z"
  }
}
