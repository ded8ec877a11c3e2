import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("The page about hooks")
struct HooksPageTests {
  private static let page = "\(Repository.root)/Documentation/hooks.md"

  /// The blocks of Swift on the page, without their indentation; that of a package is left out.
  private static func blocks() throws -> [String] {
    var blocks: [String] = []
    var isInside = false
    for line in try lines(of: page) {
      if line.hasPrefix("```") {
        isInside = line == "```swift"
        if isInside { blocks.append("") }
      } else if isInside {
        blocks[blocks.count - 1] += line + "\n"
      }
    }
    return blocks.filter { !$0.hasPrefix("// swift-tools-version") }
  }

  private static func lines(of file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("shows code that is compiled")
  func code() throws {
    let example = "\(Repository.root)/Examples/MentalCase"
    let files =
      try FileManager.default.contentsOfDirectory(atPath: example)
      .filter { $0.hasSuffix(".swift") }.map { "\(example)/\($0)" }
      + ["\(Repository.root)/Tests/ImporterTests/HooksPage.swift"]
    let code = try files.map { try Self.lines(of: $0).joined(separator: "\n") }
    let blocks = try Self.blocks()
    #expect(blocks.count >= 6)
    for block in blocks {
      #expect(code.contains { $0.contains(block) }, "\(block)")
    }
  }

  @Test("shows a policy that rounds the totals of the sample, and adds them up to check them")
  func policy() throws {
    let (store, report) = try convertSample(
      "Expenses",
      """
      model: \(Repository.samples)/Expenses.xcdatamodeld
      entities:
        TrackingPeriod: {policy: Totals}
      """, ImportExtensions(policies: ["Totals": TotalsPolicy.self]))
    #expect(
      try store.lines("SELECT expenseTotal FROM TrackingPeriod ORDER BY id") == [
        "56.79", "1234.5", "2.68", "1.01", "0.13", "0.14", "-2.68", "-0.01", "12", "0", "0",
        "1000000000000000000000", "123456789012345.67",
      ])
    #expect(report.lossCount == 0)
    #expect(report.unread == [])
  }

  @Test("shows a value class that becomes text")
  func valueClass() throws {
    let (store, report) = try convertSample(
      "QuickRecord", "entities: {QuickRecord: {attributes: {type: {from: type, type: string}}}}",
      ImportExtensions(values: [TransactionType.self]))
    #expect(
      try store.lines("SELECT type FROM QuickRecord")
        == ["EXPENSE", "INCOME", "INCOME", "EXPENSE", "EXPENSE"])
    #expect(report.unread == [])
  }

  private func convertSample(
    _ name: String, _ mapping: String, _ extensions: ImportExtensions
  ) throws -> (store: StoreQuery, report: ConversionReport) {
    let folder = try TemporaryFolder()
    var options = ConversionOptions()
    options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
    options.extensions = extensions
    let output = folder.file(named: "out.sqlite")
    var conversion = Conversion(
      inputs: ["\(Repository.samples)/\(name).archive"], destination: output, options: options)
    let report = try conversion.run()
    return (try StoreQuery(output), report)
  }
}
