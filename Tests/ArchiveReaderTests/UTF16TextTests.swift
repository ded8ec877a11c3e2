import ArchiveReader
import TestSupport
import Testing

@Suite("Text in UTF-16")
struct UTF16TextTests {
  private func bytes(_ units: [UInt16]) -> [UInt8] {
    units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private func transcode(_ units: [UInt16]) -> (text: [UInt8], isLossy: Bool) {
    var isExact = false
    let text = [UInt8](upTo: units.count * 3) { span in
      bytes(units).withUnsafeBytes {
        isExact = UTF16Text.transcode(BorrowedBytes($0), into: &span)
      }
    }
    return (text, !isExact)
  }

  @Test(
    "is turned into UTF-8, and unpaired surrogates into U+FFFD",
    arguments: [
      ([], "", false), ([0x0000], "\0", false), ([0x007F], "\u{7F}", false),
      ([0x0080], "\u{80}", false),
      ([0x07FF], "\u{7FF}", false), ([0x0800], "\u{800}", false), ([0xD7FF], "\u{D7FF}", false),
      ([0xE000], "\u{E000}", false), ([0xFFFD], "\u{FFFD}", false), ([0xD83D, 0xDE00], "😀", false),
      ([0xD800, 0xDC00], "\u{10000}", false), ([0xDBFF, 0xDFFD], "\u{10FFFD}", false),
      ([0x65, 0x301], "e\u{301}", false), ([0xFEFF, 0x61], "\u{FEFF}a", false),
      ([0xD83D], "\u{FFFD}", true), ([0xDE00], "\u{FFFD}", true),
      ([0x61, 0xD83D, 0x62], "a\u{FFFD}b", true),
      ([0xDE00, 0xD83D], "\u{FFFD}\u{FFFD}", true), ([0xD83D, 0xD83D, 0xDE00], "\u{FFFD}😀", true),
      ([0xD83D, 0xDE00, 0xDE00], "😀\u{FFFD}", true),
      (Array("four and four".utf16), "four and four", false),
      (Array("four\u{80}four\u{7F}\u{1F}café".utf16), "four\u{80}four\u{7F}\u{1F}café", false),
      (Array("abcd".utf16) + [0xD83D] + Array("efgh".utf16), "abcd\u{FFFD}efgh", true),
    ] as [([UInt16], String, Bool)])
  func isTranscoded(units: [UInt16], text: String, isLossy: Bool) {
    let result = transcode(units)
    #expect(result.text == Array(text.utf8))
    #expect(result.isLossy == isLossy)
  }

  @Test("is turned into what Swift makes of it, each unit alone and in random company")
  func agreesWithSwift() {
    var wrong: [[UInt16]] = []
    func check(_ units: [UInt16]) {
      let expected = String(decoding: units, as: UTF16.self)
      let result = transcode(units)
      let isLossy =
        units.allSatisfy { $0 != 0xFFFD } && expected.unicodeScalars.contains("\u{FFFD}")
      if result.text != Array(expected.utf8) || result.isLossy != isLossy { wrong.append(units) }
    }
    for unit in stride(from: UInt16.min, to: .max, by: 7) where unit != 0xFFFD { check([unit]) }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<3_000 {
      check(
        (0..<Int.random(in: 0..<12, using: &random)).map { _ in
          // Half of them surrogates.
          let isSurrogate = Bool.random(using: &random)
          return .random(in: isSurrogate ? 0xD800...0xDFFF : 0x0000...0xFFFC, using: &random)
        })
      check(
        (0..<Int.random(in: 0..<30, using: &random)).map { _ in
          // Most of them ASCII.
          let isASCII = Int.random(in: 0..<10, using: &random) > 0
          return .random(in: isASCII ? 0x00...0x7F : 0x80...0xFFFC, using: &random)
        })
    }
    #expect(wrong == [])
  }

  @Test(
    "can be written with its unpaired surrogates",
    arguments: [
      ([], ""), ([0x61, 0xE9], "aé"), ([0xD83D, 0xDE00], "😀"), ([0xD83D], #"\u{D83D}"#),
      ([0x61, 0xDE00, 0x62], #"a\u{DE00}b"#), ([0xDE00, 0xD83D], #"\u{DE00}\u{D83D}"#),
      ([0xD83D, 0xD83D, 0xDE00], #"\u{D83D}😀"#), ([0xFFFD], "\u{FFFD}"),
    ] as [([UInt16], String)])
  func isEscaped(units: [UInt16], text: String) {
    #expect(bytes(units).withUnsafeBytes { UTF16Text.escaped(BorrowedBytes($0)) } == text)
  }
}
