import ArchiveWriter
import Converter
import Foundation
import GraphCore
import TestSupport
import Testing

@Suite("The JSON Schema of reports")
struct ReportSchemaTests {
  private func schema() throws -> JSONSchema {
    let path = "\(Repository.root)/Documentation/report.schema.json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return JSONSchema(try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]))
  }

  private func document(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  @Test("knows all fields that the program writes, and no others")
  func isComplete() throws {
    var schema = try schema()
    schema.check(try document(FullReport.report().text(as: .json)))
    var verified = try FullReport.report()
    verified.isVerification = true
    schema.check(try document(verified.text(as: .json)))
    #expect(schema.faults == [])
    #expect(schema.properties.subtracting(schema.used) == [])
  }

  @Test("fits the report of a run over the samples, and the one that its store keeps")
  func fitsRun() throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    try folder.write(Data("bplist00".utf8), to: "damaged")
    var options = ConversionOptions()
    options.errorPolicy = .skip
    var conversion = Conversion(
      inputs: [Repository.samples, folder.file(named: "damaged")], destination: store,
      options: options)
    let report = try conversion.run()
    try #require(report.hasRejectedArchives)
    var schema = try schema()
    schema.check(try document(report.text(as: .json)))
    schema.check(try document(StoreReports(path: store).report().text(as: .json)))
    let kept = try StoreQuery(store).value("SELECT report FROM _report")
    schema.check(try document(kept))
    #expect(schema.faults == [])
  }

  @Test("fits the report of a run over a Core Data store")
  func fitsCoreDataStore() throws {
    let folder = try TemporaryFolder()
    let (app, store) = (folder.file(named: "app.sqlite"), folder.file(named: "out.db"))
    var options = ConversionOptions()
    options.mappingPath = "\(Repository.samples)/Locations.yaml"
    options.layout = .coreData
    var making = Conversion(
      inputs: ["\(Repository.samples)/Locations.archive"], destination: app, options: options)
    _ = try making.run()
    var conversion = Conversion(inputs: [app], destination: store, options: ConversionOptions())
    var schema = try schema()
    schema.check(try document(conversion.run().text(as: .json)))
    #expect(schema.faults == [])
  }

  @Test(
    "knows the formats of all files that are read",
    arguments: SourceFormat.allCases.filter { $0 != .memory })
  func fits(format: SourceFormat) throws {
    var schema = try schema()
    schema.check(
      try document(FullReport.json.replacing("\"binary\"", with: "\"\(format.rawValue)\"")))
    #expect(schema.faults == [])
  }

  @Test(
    "is not fitted by what is no report",
    arguments: [
      ("\"dryRun\" : false", "\"dryRun\" : 0", ".dryRun: not boolean"),
      ("\"skippedFiles\" : 2", "\"skippedFiles\" : -2", ".skippedFiles: less than 0.0"),
      ("\"skippedFiles\" : 2", "\"skippedFiles\" : 2.5", ".skippedFiles: not integer"),
      ("\"collections\" : 1", "\"colections\" : 1", ": colections is not known"),
      ("\"2026-01-02T03:04:05Z\"", "\"2026\"", ".startedAt: 2026 does not match"),
    ])
  func refuses(part: String, other: String, fault: String) throws {
    let text = FullReport.json.replacing(part, with: other)
    try #require(text != FullReport.json)
    var schema = try schema()
    schema.check(try document(text))
    #expect(schema.faults.contains { $0.hasPrefix(fault) }, "\(schema.faults)")
  }
}
