import Foundation

/// Writes the archives of a report in JSON, without white space, keys in order, as `JSONEncoder` does.
///
/// There may be thousands, and most have nothing to tell but their facts: the entries of these are put
/// together here, which takes a small part of what an encoder takes.
struct ArchiveListJSON {
  /// The list, in UTF-8.
  private(set) var text: [UInt8] = [UInt8(ascii: "[")]

  /// How many bytes an entry has, about.
  private static let usualSize = 256

  /// - Parameter archives: What is written.
  /// - Throws: `EncodingError` if JSON has no form for it.
  init(_ archives: [ConversionReport.Archive]) throws {
    text.reserveCapacity(archives.count * Self.usualSize)
    for index in archives.indices {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if !appendUsual(archives[index]) { text += try Self.encoder.encode(archives[index]) }
    }
    text.append(UInt8(ascii: "]"))
  }

  /// Writes anything in this form.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// Appends an entry that has nothing but facts, and no text that JSON escapes; returns false for
  /// any other.
  private mutating func appendUsual(_ archive: ConversionReport.Archive) -> Bool {
    guard archive.outcome == .converted, let bytes = archive.bytes, let format = archive.format,
      let objects = archive.objects, let sha256 = archive.sha256, archive.error == nil,
      archive.forbiddenCharacters == 0, archive.damageCount == 0, archive.place == nil,
      archive.duplicateOf == nil, archive.store == nil
    else { return false }
    let start = text.count
    append(#"{"bytes":"#, number: bytes)
    guard append(#","format":""#, text: format) else { return takeBack(to: start) }
    append(#"","objects":"#, number: objects)
    guard append(#","outcome":"converted","path":""#, text: archive.path),
      append(#"","sha256":""#, text: sha256)
    else { return takeBack(to: start) }
    text += #""}"#.utf8
    return true
  }

  private mutating func append(_ label: StaticString, number: Int) {
    append(label)
    text += String(number).utf8
  }

  /// Appends a text; returns false if JSON escapes some of it.
  private mutating func append(_ label: StaticString, text value: String) -> Bool {
    append(label)
    let start = text.count
    text += value.utf8
    return text[start...].allSatisfy {
      $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
  }

  private mutating func append(_ label: StaticString) {
    label.withUTF8Buffer { text += $0 }
  }

  private mutating func takeBack(to count: Int) -> Bool {
    text.removeSubrange(count...)
    return false
  }
}
