import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite("What a Core Data store has no place for")
struct CoreDataOmissionTests {
  private static let model = ModelXML.document(
    """
    <entity name="Folder">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="weight" optional="YES" attributeType="Double"/>
      <relationship name="links" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Folder" inverseName="backlinks"/>
      <relationship name="backlinks" optional="YES" toMany="YES" destinationEntity="Folder" \
    inverseName="links"/>
      <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part"/></entity>
    <entity name="Part"><attribute name="name" optional="YES" attributeType="String"/></entity>
    """)

  private func convert(
    _ archive: KeyedArchiveBuilder, in folder: TemporaryFolder, mapping: String? = nil
  ) throws -> ConversionReport {
    let input = try folder.write(archive.binary(), to: "rows.archive")
    var options = ConversionOptions()
    options.modelPath = try folder.write(Self.model, to: "contents")
    options.mappingPath = try mapping.map { try folder.write($0, to: "m.yaml") }
    options.layout = .coreData
    options.verifies = true
    var conversion = Conversion(
      inputs: [input], destination: folder.file(named: "store.sqlite"), options: options)
    return try conversion.run()
  }

  private func folder(
    _ archive: inout KeyedArchiveBuilder, _ pairs: KeyValuePairs<String, PropertyListValue>
  ) -> PropertyListValue {
    archive.instance(of: "Folder", pairs.map { KeyValue($0.key, $0.value) })
  }

  @Test("Values of top-level keys are counted key by key; the rows are there without their order")
  func topLevel() throws {
    let folder = try TemporaryFolder()
    var archive = KeyedArchiveBuilder()
    let row = self.folder(&archive, ["name": archive.string("a")])
    archive.setTop("root", archive.array([row, archive.string("x"), archive.array([3, row])]))
    archive.setTop("first", row)
    archive.setTop("version", 7)
    archive.setTop("author", archive.string("Jane"))
    archive.setTop("byName", archive.dictionary([archive.string("a"): row]))
    let report = try convert(archive, in: folder)
    #expect(
      report.omissions.map(\.words) == [
        "1 value of top level 'author' (only the top-level key holds it)",
        "1 value of top level 'version' (only the top-level key holds it)",
        "1 value of top level 'byName' (only the top-level key holds it)",
        "2 values of top level 'root' (only the top-level key holds it)",
        "1 row of top level 'byName' (the collection has no entity)",
        "2 rows of top level 'root' (the collection has no entity)",
      ])
    #expect(report.verification?.isPassed == true)
    #expect(ReportVerdict(report).kind == .attention)
    let text = ReportText(report, isVerbose: false).text()
    #expect(!text.contains("Nothing was left behind"))
    #expect(text.contains("Not in the store: 1 value of top level 'author'"))
    let page = try report.text(as: .html)
    #expect(!page.contains("Nothing was left behind"))
    #expect(page.contains("5 values cannot be represented in the store."))
    let coded = try report.text(as: .json)
    #expect(coded.contains("\"notKept\""))
    let read = try JSONDecoder().decode(ConversionReport.self, from: Data(coded.utf8))
    #expect(read.omissions == report.omissions)
  }

  @Test("Rows that only a top-level array orders are all there: the verdict stays good")
  func order() throws {
    let folder = try TemporaryFolder()
    var archive = KeyedArchiveBuilder()
    let folders = ["a", "b"].map { self.folder(&archive, ["name": archive.string($0)]) }
    archive.setTop("root", archive.array(folders))
    let report = try convert(archive, in: folder)
    #expect(report.omissions.map(\.kind) == [.order])
    #expect(ReportVerdict(report).kind == .good)
    #expect(ReportText(report, isVerbose: false).text().contains("Nothing was left behind"))
  }

  @Test(
    "Links that a collection of Core Data cannot hold are counted, and the rest is compared",
    arguments: [
      ("parts", ["p", "q", "p", "p"], "2 links of Folder 'parts'"),
      ("links", ["b", "c"], nil), ("parts", ["p"], nil),
    ])
  func repeated(_ key: String, _ members: [String], _ words: String?) throws {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { archive in
      var rows: [String: PropertyListValue] = [:]
      for name in Set(members).sorted() {
        rows[name] = archive.instance(
          of: key == "links" ? "Folder" : "Part", ["name": archive.string(name)])
      }
      let list = archive.array(members.compactMap { rows[$0] })
      return archive.instance(of: "Folder", [KeyValue(key, list)])
    }
    let report = try convert(archive, in: folder)
    #expect(report.omissions.count == (words == nil ? 0 : 1))
    #expect(report.omissions.first?.words.hasPrefix(words ?? "") != false)
    #expect(report.verification?.differences == [])
    #expect(ReportVerdict(report).kind == (words == nil ? .good : .attention))
  }

  @Test("The sign of zero is listed as lost")
  func negativeZero() throws {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { self.folder(&$0, ["weight": .real(-0.0)]) }
    let report = try convert(
      archive, in: folder,
      mapping: "entities: {Folder: {attributes: {weight: {keepNegativeZero: true}}}}")
    #expect(report.losses.map { [$0.before, $0.after] } == [["-0.0", "0.0"]])
    #expect(report.verification?.isPassed == true)
  }
}
