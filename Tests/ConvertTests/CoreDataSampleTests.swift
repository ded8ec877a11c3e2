import Foundation
import TestSupport
import Testing

@Suite("The samples in the layout of Core Data")
struct CoreDataSampleTests {
  private static let samples = Repository.samples

  /// A sample, what steers its conversion, and the rows of its store.
  struct Sample: Sendable, CustomTestStringConvertible {
    var archive: String
    var mapping: String?
    var model: String
    var program = "convert"
    /// The highest key of each entity that has one.
    var rows: [String]
    var testDescription: String { archive }
  }

  private static let all = [
    Sample(
      archive: "Locations.archive", mapping: text("Locations.yaml"),
      model: "\(samples)/Locations.xcdatamodeld", rows: ["Event|6", "Tag|4"]),
    Sample(
      archive: "Expenses.archive", mapping: text("Expenses.yaml"),
      model: "\(samples)/Expenses.xcdatamodeld",
      rows: ["TrackingPeriod|13"]),
    Sample(
      archive: "QuickRecord.archive",
      mapping: """
        classes: {TransactionType: {value: rawValue}}
        entities:
          QuickRecord:
            attributes:
              amount: {convert: {number: {type: decimal}}}
              createdAt: created_at
              isProcessed: {value: false}
            unread: [type]
        """, model: "\(samples)/MoneyMom.xcdatamodeld", rows: ["QuickRecordBase|5"]),
    Sample(
      archive: "Events.archive", mapping: text("Events.yaml"), model: "Events.xcdatamodeld",
      rows: ["PrintedEvent|2000", "StampedEvent|2000"]),
    Sample(
      archive: "MentalCase.archive", mapping: nil,
      model: "\(Repository.root)/Examples/MentalCase/MentalCase.xcdatamodeld",
      program: "mental-case-converter",
      rows: ["MTFolder|3", "MTLibrary|1", "MTNote|12", "MTTag|12"]),
  ]

  /// The mapping of a sample, but for the model that it names.
  private static func text(_ name: String) -> String {
    let text = (try? String(contentsOfFile: "\(samples)/\(name)", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("model:") }.joined(separator: "\n")
  }

  /// A model for the two entities that events become.
  private static let eventsModel = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="PrintedEvent">
        <attribute name="printedDate" optional="YES" attributeType="String"/>
      </entity>
      <entity name="StampedEvent">
        <attribute name="timeStamp" optional="YES" attributeType="Double"/>
      </entity>
    </model>
    """

  @Test("are stores that have no faults, and say what their archives do", arguments: all)
  func isSound(sample: Sample) throws {
    let folder = try TemporaryFolder(samples: sample.archive)
    try folder.write(Self.eventsModel, to: "Events.xcdatamodeld/Events.xcdatamodel/contents")
    var arguments = [
      sample.archive, "--model", sample.model, "--layout", "coredata", "-o", "out.db", "-q",
    ]
    if let mapping = sample.mapping {
      try folder.write(mapping, to: "mapping.yaml")
      arguments += ["--mapping", "mapping.yaml"]
    }
    let result = try Program.run(arguments, in: folder.path, program: sample.program)
    #expect(result.status == 0, "\(result)")
    let check = try folder.convert("check", "out.db", "--model", sample.model)
    #expect(check.status == 0, "\(check)")
    let verified = try Program.run(
      ["verify", "out.db", sample.archive], in: folder.path, program: sample.program)
    #expect(verified.status == 0, "\(verified)")
    try folder.store().expect(
      "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY Z_NAME", sample.rows)
  }
}
