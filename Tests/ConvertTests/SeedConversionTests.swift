import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert run, with the sample mappings")
struct SeedConversionTests {
  /// A folder with a sample archive, a copy of a sample mapping, and its model.
  private func folder(
    _ archive: String, mapping: String, model: String? = nil
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: archive)
    try folder.addSample(mapping, as: "mapping.yaml")
    if let model {
      try folder.addSample("\(model).xcdatamodeld/\(model).xcdatamodel/contents")
    }
    return folder
  }

  /// Converts, and expects nothing to change in the folder.
  private func failing(
    _ folder: TemporaryFolder, _ arguments: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program.Result {
    func contents() throws -> [String: Data] {
      var contents: [String: Data] = [:]
      for name in try folder.names() where !name.hasSuffix(".xcdatamodeld") {
        contents[name] = try folder.contents(of: name)
      }
      return contents
    }
    let before = try contents()
    let result = try Program.run(
      arguments + ["--mapping", "mapping.yaml", "-o", "out.db"], in: folder.path)
    let after = try contents()
    #expect(before == after, sourceLocation: sourceLocation)
    #expect(result.output == "", sourceLocation: sourceLocation)
    return result
  }

  @Test(
    "works as the list of samples says",
    arguments: [
      ("Expenses.archive", "Expenses.yaml", "TrackingPeriod", "13"),
      ("QuickRecord.archive", "QuickRecord.yaml", "QuickRecord", "5"),
      ("Events.archive", "Events.yaml", "StampedEvent", "2000"),
      ("Locations.archive", "Locations.yaml", "Tag", "4"),
    ])
  func samples(archive: String, mapping: String, entity: String, rows: String) throws {
    let folder = try TemporaryFolder()
    let result = try folder.convert(
      "\(Repository.samples)/\(archive)", "--mapping", "\(Repository.samples)/\(mapping)", "-o",
      "out.db")
    #expect(result.status == 0)
    #expect(result.errors == "")
    try folder.store().expect("SELECT count(*) FROM \"\(entity)\"", rows)
    try folder.store().expectSound()
  }

  @Test(
    "names archive, object, key, attribute and reason of what cannot be converted, and no content")
  func refusesNaN() throws {
    let folder = try folder(
      "Expenses-Unusual.archive", mapping: "Expenses.yaml", model: "Expenses")
    let result = try failing(folder, ["Expenses-Unusual.archive"])
    #expect(result.status == 2)
    #expect(
      result.errors == """
        Expenses-Unusual.archive: object 5 (TrackingPeriod), key expenseTotal: \
        TrackingPeriod.expenseTotal: NaN is not a decimal number
        Expenses-Unusual.archive: object 9 (TrackingPeriod), key expenseTotal: \
        TrackingPeriod.expenseTotal: infinity is not a decimal number

        """)
  }

  @Test("leaves a store at the destination as it is when the new one fails")
  func leavesStore() throws {
    let folder = try folder(
      "Expenses-Unusual.archive", mapping: "Expenses.yaml", model: "Expenses")
    try folder.addSample("Expenses.archive")
    let first = try folder.convert(
      "Expenses.archive", "--mapping", "mapping.yaml", "-o", "out.db", "-q")
    #expect(first.status == 0)
    for choice in ["replace", "append"] {
      let result = try failing(folder, ["Expenses-Unusual.archive", "--if-exists", choice])
      #expect(result.status == 2)
      #expect(result.errorLines.count == 2)
    }
  }

  @Test("leaves out an archive with such a value on request, with exit code 1")
  func skips() throws {
    let folder = try folder(
      "Expenses-Unusual.archive", mapping: "Expenses.yaml", model: "Expenses")
    try folder.addSample("Expenses.archive")
    let result = try folder.convert(
      "Expenses.archive", "Expenses-Unusual.archive", "--mapping", "mapping.yaml", "-o", "out.db",
      "--on-error", "skip")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        Expenses-Unusual.archive: object 5 (TrackingPeriod), key expenseTotal: \
        TrackingPeriod.expenseTotal: NaN is not a decimal number (and 1 more)

        """)
    #expect(result.output.hasPrefix("Converted 1 archive, rejected 1 in "))
    try folder.store().expect("SELECT count(*) FROM TrackingPeriod", "13")
  }

  @Test("keeps nothing in a dry run, and tells what it would have done")
  func dryRun() throws {
    let folder = try folder("Locations.archive", mapping: "Locations.yaml", model: "Locations")
    let result = try folder.convert(
      "Locations.archive", "--mapping", "mapping.yaml", "-o", "out.db", "--dry-run")
    #expect(result.status == 0)
    #expect(
      result.output.masked == """
        Converted 1 archive in # s → dry run, nothing was kept

        entity  archived objects  rows  values  links
        Event                  6     6      18      5
        Tag                    0     4       4      5
        ─────────────────────────────────────────────
        all                    6    10      22     10

        Nothing was left behind: every reachable value is in the store.
        Collections: 1 under top-level keys or in other collections, with 6 links.

        """)
    #expect(
      try folder.names() == ["Locations.archive", "Locations.xcdatamodeld", "mapping.yaml"])
  }

  @Test("refuses a mapping that was made for another model, unless that is accepted")
  func modelDrift() throws {
    let folder = try folder("Locations.archive", mapping: "Locations.yaml", model: "Locations")
    let mapping = String(decoding: try folder.contents(of: "mapping.yaml"), as: UTF8.self)
    try folder.write("modelDigest: \"q83vEjRWeJA=\"\n" + mapping, to: "mapping.yaml")
    let result = try failing(folder, ["Locations.archive"])
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "mapping.yaml:1:14: was made for another version of the model: its digest is "))
    #expect(
      result.errors.hasSuffix(", not q83vEjRWeJA= (use --accept-model-drift to continue)\n"))
    let accepted = try folder.convert(
      "Locations.archive", "--mapping", "mapping.yaml", "-o", "out.db", "--accept-model-drift")
    #expect(accepted.status == 0)
  }

  @Test("keeps the passes before one that fails on request, and says which, with exit code 1")
  func keepsPasses() throws {
    let folder = try folder("Events.archive", mapping: "Events.yaml")
    let mapping = String(decoding: try folder.contents(of: "mapping.yaml"), as: UTF8.self)
    try folder.write(
      mapping.replacing("{dateNumber: 1970}", with: "integer"), to: "mapping.yaml")
    let nothing = try failing(folder, ["Events.archive"])
    #expect(nothing.status == 2)
    #expect(
      nothing.errorLines == [
        """
        Events.archive: Event, key timeStamp: StampedEvent.timeStamp: cannot make a whole number \
        from this kind of value (date): 2,000 times, first in object 2
        """
      ])
    let kept = try folder.convert(
      "Events.archive", "--mapping", "mapping.yaml", "-o", "out.db", "--keep-passes", "-q")
    #expect(kept.status == 1)
    // The report keeps a thousand, and counts all.
    #expect(kept.errorLines.dropLast() == nothing.errorLines[...])
    #expect(
      kept.errorLines.last == """
        pass StepTwo failed: 2,000 errors; the rows of earlier passes were kept: StepOne
        """)
    try folder.store().expect("SELECT count(*) FROM PrintedEvent", "2000")
    try folder.store().expect("SELECT count(*) FROM StampedEvent", "0")
    try folder.store().expectSound()
  }

  @Test("refuses an attribute whose type cannot be reached without a conversion, by its name")
  func noConversion() throws {
    let folder = try folder("QuickRecord.archive", mapping: "QuickRecord.yaml", model: "MoneyMom")
    try folder.write("model: MoneyMom.xcdatamodeld\n", to: "mapping.yaml")
    let result = try failing(folder, ["QuickRecord.archive"])
    #expect(result.status == 2)
    #expect(
      result.errors == """
        mapping.yaml: no conversion from string to decimal can be inferred for \
        'QuickRecord.amount': specify one

        """)
  }

  @Test("never writes to its source")
  func destinationIsSource() throws {
    let folder = try folder("Events.archive", mapping: "Events.yaml")
    let before = try folder.contents(of: "Events.archive")
    let result = try folder.convert(
      "Events.archive", "--mapping", "mapping.yaml", "-o", "Events.archive", "--if-exists",
      "replace")
    #expect(result.status == 2)
    #expect(try folder.contents(of: "Events.archive") == before)
  }
}
