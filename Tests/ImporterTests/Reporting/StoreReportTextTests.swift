import Foundation
import TestSupport
import Testing

@testable import Importer

@Suite("The report that a store keeps")
struct StoreReportTextTests {
  @Test(
    "is written as one encoder does, however many archives there are",
    arguments: [0, 1, 511, 512, 513, 1_025, 3_000])
  func text(count: Int) throws {
    let base = try FullReport.report()
    var report = base
    report.archives = (0..<count).map { number in
      var archive = base.archives[number % base.archives.count]
      archive.path += " \"\(number)\"\n[],é"
      return archive
    }
    var kept = report
    (kept.startedAt, kept.seconds) = (nil, nil)
    (kept.storePath, kept.storeBytes, kept.storeSHA256) = ("", nil, nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(kept), as: UTF8.self)
    #expect(try StoreReports.text(of: report, for: "store") == expected)
  }
}
