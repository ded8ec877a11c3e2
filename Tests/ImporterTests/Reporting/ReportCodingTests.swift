import Converter
import Foundation
import Support
import TestSupport
import Testing

@Suite("A report in JSON")
struct ReportCodingTests {
  @Test("is read back as it was written, every field")
  func readsBack() throws {
    let report = try FullReport.report()
    let text = try JSONDocument.text(of: report)
    #expect(text == FullReport.json)
    #expect(report.conflictCount == 3)
    #expect(report.validationErrorCount == 3)
    #expect(report.lossCount == 5)
    #expect(report.archives[1].damageCount == 5)
    #expect(report.archives[2].place?.outer == "notes/b.xml")
    #expect(report.verification?.differenceCount == 2)
    #expect(report.errorMessages.last == "1 more error is not listed")
  }

  @Test("of a real conversion is read back as it was written")
  func readsRealOne() throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    var conversion = Conversion(
      inputs: [Repository.samples], destination: store, options: ConversionOptions())
    var report = try conversion.run()
    try report.digestStore()
    let text = try JSONDocument.text(of: report)
    let read = try JSONDecoder().decode(ConversionReport.self, from: Data(text.utf8))
    #expect(try JSONDocument.text(of: read) == text)
    #expect(read.storeSHA256?.count == 64)
    #expect(read.entities == report.entities)
    #expect(read.archives == report.archives)
  }

  @Test(
    "whose numbers are out of all bounds does no harm",
    arguments: ["conflictsLeftOut", "validationErrorsLeftOut", "lossyConversionsLeftOut"])
  func boundsNumbers(field: String) throws {
    let largest = FullReport.json
      .replacing(try Regex("\"\(field)\" : \\d+"), with: "\"\(field)\" : \(Int.max)")
      .replacing(/"values" : \d+/, with: "\"values\" : \(Int.max)")
      .replacing(/"links" : \d+/, with: "\"links\" : \(Int.max)")
      .replacing(/LeftOut" : 3/, with: "LeftOut\" : \(Int.max)")
    let report = try JSONDecoder().decode(ConversionReport.self, from: Data(largest.utf8))
    #expect(report.entities.map(\.values) == [Int.max, Int.max])
    #expect(report.entities.map(\.links) == [Int.max, Int.max])
    let counts = [report.conflictCount, report.validationErrorCount, report.lossCount]
    #expect(counts.contains(Int.max))
    #expect(try JSONDocument.text(of: report).contains("\"version\""))
  }

  @Test(
    "is refused if a field is of another kind",
    arguments: [
      ("\"startedAt\" : \"2026-01-02T03:04:05Z\"", "\"startedAt\" : \"yesterday\""),
      ("\"outcome\" : \"rejected\"", "\"outcome\" : \"eaten\""),
      ("\"status\" : \"failed\"", "\"status\" : \"perhaps\""),
      ("\"dryRun\" : false", "\"dryRun\" : 1"),
    ])
  func refuses(part: String, other: String) throws {
    let text = FullReport.json.replacing(part, with: other)
    try #require(text != FullReport.json)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ConversionReport.self, from: Data(text.utf8))
    }
  }

  @Test("that calls its verification failed is never read as passed")
  func staysFailed() throws {
    let text = FullReport.json
      .replacing(/"differences" : \[[^\]]+\]/, with: "\"differences\" : []")
      .replacing("\"differencesLeftOut\" : 1", with: "\"differencesLeftOut\" : 0")
    let report = try JSONDecoder().decode(ConversionReport.self, from: Data(text.utf8))
    #expect(report.verification?.isPassed == false)
  }
}
