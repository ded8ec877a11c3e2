import Foundation
import Reporting
import Support
import TestSupport
import Testing

@Suite("The report in JSON, as a store keeps it and as users read it")
struct ReportJSONTests {
  /// Texts that JSON escapes, and others.
  private static let names =
    ["", "a/b c.archive", "é 🗂 \u{2028}\u{2029}\u{feff}", "\"", "\\", "[],{}:<&'"]
    + (0...0x21).map { "a\(Character(Unicode.Scalar(UInt8($0))))b" } + [
      "\u{7f}", "\u{80}\u{9f}", "\u{61c}\u{202e}", "\u{10f1ff}",
    ]

  @Test("is written as one encoder does, whatever is told of the archives")
  func text() throws {
    let base = try FullReport.report()
    var report = base
    report.archives = Self.names.flatMap { name in
      base.archives.flatMap { archive in
        var (renamed, other) = (archive, archive)
        renamed.path += name
        other.format = other.format.map { $0 + name }
        return [renamed, other]
      }
    }
    #expect(report.archives.count { $0.outcome == .converted && $0.damages.isEmpty } > 80)
    try expectSame(report)
  }

  @Test("is written as one encoder does, however many there are", arguments: [0, 1, 3_000])
  func text(count: Int) throws {
    let base = try FullReport.report()
    var report = base
    report.archives = (0..<count).map { base.archives[$0 % base.archives.count] }
    try expectSame(report)
  }

  private func expectSame(_ report: ConversionReport) throws {
    var kept = report
    (kept.startedAt, kept.seconds) = (nil, nil)
    (kept.storePath, kept.storeBytes, kept.storeSHA256) = ("", nil, nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(kept), as: UTF8.self)
    #expect(try StoreReports.text(of: report, for: "store") == expected)
    #expect(try report.text(as: .json) == JSONDocument.text(of: report))
  }
}
