import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("The separator of a split")
struct SplitSeparatorTests {
  /// A text, the separator, how parts are compared, and the parts.
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let separator: String
    let fold: String
    let parts: [String]
    var testDescription: String {
      let scalars = { (text: String) in
        text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
      }
      return "\(scalars(text)) at \(scalars(separator)), \(fold)"
    }

    init(_ text: String, _ separator: String, _ fold: String, _ parts: [String]) {
      (self.text, self.separator, self.fold, self.parts) = (text, separator, fold, parts)
    }

    static let all = [
      Case("x\u{E9}y", "\u{E9}", "none", ["x", "y"]),
      Case("xe\u{301}y", "\u{E9}", "none", ["xe\u{301}y"]),
      Case("xe\u{301}y", "e\u{301}", "none", ["x", "y"]),
      Case("x\u{E9}y", "e\u{301}", "none", ["x\u{E9}y"]),
      Case("xe\u{301}y\u{E9}z", "\u{E9}", "unicode", ["x", "y", "z"]),
      Case("xe\u{301}y\u{E9}z", "e\u{301}", "case", ["x", "y", "z"]),
      Case("xe\u{301}\u{E9}\u{E9}y", "\u{E9}\u{E9}", "none", ["xe\u{301}", "y"]),
      Case("xe\u{301}y", "e", "none", ["xe\u{301}y"]),
      Case("xe\u{301}yez", "e", "unicode", ["xe\u{301}y", "z"]),
      Case("a\r\nb\nc", "\n", "none", ["a", "b", "c"]),
      Case("a\r\nb\rc", "\r\n", "none", ["a", "b\rc"]),
      Case("a\r\nb\n\nc", "\n", "case", ["a", "b", "c"]),
      Case("a\u{1F44D}b\u{1F44D}\u{1F3FD}c", "\u{1F44D}", "none", ["a", "b\u{1F44D}\u{1F3FD}c"]),
      Case("aaa", "aa", "none", ["a"]), Case(",a,,b,", ",", "none", ["a", "b"]),
    ]
  }

  @Test("is found scalar by scalar, unless parts in any composition are equal", arguments: Case.all)
  func parts(_ found: Case) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array([archive.instance(of: "Thing", ["tags": .string(found.text)])])
    }
    let separator = found.separator.unicodeScalars.map {
      String(format: "\\U%08X", $0.value)
    }.joined()
    let mapping = """
      entities:
        Thing: {relationships: {tags: {split: "\(separator)", into: Tag, by: name, fold: \(found.fold)}}}
      """
    var conversion = try SteeredConversion([archive], mapping: mapping, ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run(isRepeated: false)
    #expect(report.verification?.differences == [])
    #expect(
      try store.lines("SELECT hex(name) FROM Tag ORDER BY id")
        == found.parts.map { $0.utf8.map { String(format: "%02X", $0) }.joined() })
  }
}
