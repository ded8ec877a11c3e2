import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("A conflict")
struct ConflictObjectTests {
  private func conversion() throws -> SteeredConversion {
    let archives = [1, 2].map { value in
      KeyedArchiveBuilder.archive { archive in
        archive.instance(of: "Source", ["key": 1, "value": .integer(value)])
      }
    }
    return try SteeredConversion(
      archives, mapping: "entities: {Thing: {from: Source, identity: key}}", ImportExtensions())
  }

  @Test("names the class of its object in each form of the report")
  func className() throws {
    let report = try conversion().run(isRepeated: false).report
    let line = "object 1 (Source), Thing 1, value: the store had a different value"
    #expect(ReportText(report, isVerbose: false).text().contains(line))
    #expect(try report.text(as: .markdown).contains("| 1 | `Source` | `Thing` | 1 | `value` |"))
    let json = try report.text(as: .json)
    #expect(json.contains("\"class\" : \"Source\",\n      \"code\" : \"differentValue\""))
    let copy = try JSONDecoder().decode(ConversionReport.self, from: Data(json.utf8))
    #expect(copy.conflicts == report.conflicts)
  }
}
