/// Damages XML at random, the same way for the same seed.
///
/// Pieces of markup are put in; bytes are changed, taken out and exchanged.
package struct XMLMutator {
  private let original: [UInt8]
  private var random: SeededGenerator

  private static let pieces = [
    "<", ">", "&", ";", "/", "]", "]]", "]]>", "<!--", "-->", "<![CDATA[", "<?", "?>", "\r", "\r\n",
    "\n", "\t", " ", "\u{0}", "\u{1}", "\u{B}", "\u{C}", "\u{1F}", "\u{7F}", "\u{85}", "\u{FEFF}",
    "\u{2028}",
    String(decoding: [0xFDD0] as [UInt16], as: UTF16.self), "é", "😀", "&amp;", "&lt;", "&#10;",
    "&#x1;", "&#xFDD1;",
    "&#xFFFF;", "&#0;", "&a;", "<true/>", "<false/>", "<key>a</key>", "</key>", "<dict>", "</dict>",
    "<dict/>", "<array>", "</array>", "<array/>", "<string>", "</string>", "<string/>", "<integer>",
    "</integer>", "<real>", "</real>", "<data>", "</data>", "<date>", "</date>", "<plist>",
    "</plist>", "<key>CF$UID</key>", "<integer>5</integer>", "-", "+", "0x", "=", "1", ".", "e5",
    "x=\"\"", "xmlns=\"a\"", "</", "/>", "encoding=\"latin1\"",
  ].map { Array($0.utf8) }

  /// Prepares to damage a document.
  package init(_ bytes: some Sequence<UInt8>, seed: UInt64) {
    original = Array(bytes)
    random = SeededGenerator(seed: seed)
  }

  /// The document with damage in one to three places.
  package mutating func next() -> [UInt8] {
    var bytes = original
    for _ in 0...Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(place + Int.random(in: 0...12, using: &random), bytes.count)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let piece = Self.pieces.randomElement(using: &random) ?? []
        bytes.replaceSubrange(place..<(Bool.random(using: &random) ? place : end), with: piece)
      case 5: bytes[place] = .random(in: .min ... .max, using: &random)
      case 6: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 7: bytes.removeSubrange(place..<end)
      case 8: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
      }
    }
    return bytes
  }
}
