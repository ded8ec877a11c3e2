import Foundation
import Support

/// Writes the archives of a report in JSON, without white space, keys in order, as `JSONEncoder`
/// does.
///
/// There may be thousands, and most have nothing to tell but their facts: the entries of these are
/// put together here, which takes a small part of what an encoder takes.
struct ArchiveListJSON {
  /// The list, after what stands before it.
  private(set) var text: String

  /// How many bytes an entry has, about.
  private static let usualSize = 256

  /// - Parameters:
  ///   - archives: What is written.
  ///   - start: What stands before it.
  /// - Throws: `EncodingError` if JSON has no form for it.
  init(_ archives: [ConversionReport.Archive], after start: String) throws {
    text = start + "["
    text.reserveCapacity(archives.count * Self.usualSize)
    for index in archives.indices {
      if index > 0 { text += "," }
      if !appendUsual(archives[index]) {
        text += String(
          decoding: try JSONDocument.lineEncoder.encode(archives[index]), as: UTF8.self)
      }
    }
    text += "]"
  }

  /// Appends an entry that has nothing but facts, and no text that JSON escapes; returns false, and
  /// appends nothing, for any other.
  private mutating func appendUsual(_ archive: ConversionReport.Archive) -> Bool {
    guard archive.outcome == .converted, let bytes = archive.bytes, let format = archive.format,
      let objects = archive.objects, let sha256 = archive.sha256, archive.error == nil,
      archive.forbiddenCharacters == 0, archive.seenThrough == 0, archive.damageCount == 0,
      archive.place == nil,
      archive.duplicateOf == nil, archive.store == nil,
      Self.isPlain(format), Self.isPlain(archive.path), Self.isPlain(sha256)
    else { return false }
    text += #"{"bytes":"#
    text += String(bytes)
    text += #","format":""#
    text += format
    text += #"","objects":"#
    text += String(objects)
    text += #","outcome":"converted","path":""#
    text += archive.path
    text += #"","sha256":""#
    text += sha256
    text += #""}"#
    return true
  }

  /// Whether JSON escapes nothing of a text.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
  }
}
