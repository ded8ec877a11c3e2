import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Passes that fail or are run again")
struct PassFailureSeedTests {
  /// The second pass cannot make an integer of a time.
  private static let failing = """
    passes:
      - name: StepOne
        entities: {PrintedEvent: {from: Event, attributes: {text: {from: timeStamp, convert: dateText}}}}
      - name: StepTwo
        entities: {StampedEvent: {from: Event, attributes: {number: {from: timeStamp, convert: integer}}}}
    """
  private static let message =
    "a0.plist: Event, key timeStamp: StampedEvent.number: cannot make a whole number from this kind "
    + "of value (date): 2 times, first in object 3"

  @Test("leave nothing, as a rule")
  func leavesNothing() throws {
    let messages = try SeedRun(PassesSeedTests.twoEvents, mapping: Self.failing).messages()
    #expect(messages == [Self.message])
  }

  @Test("leave what the passes before them wrote on request, and say so")
  func keepsPasses() throws {
    var run = try SeedRun(PassesSeedTests.twoEvents, mapping: Self.failing)
    run.options.keepsCompletePasses = true
    let store = try run.convert()
    #expect(store.report.failedPass?.name == "StepTwo")
    #expect(store.report.failedPass?.reason == "2 errors")
    #expect(store.report.failedPass?.kept == ["StepOne"])
    #expect(
      try store.lines("SELECT * FROM PrintedEvent") == [
        "1|2011-05-22T21:52:00.000Z", "2|2011-05-22T21:52:01.625Z",
      ])
    #expect(try store.lines("SELECT * FROM StampedEvent") == [])
    #expect(
      try store.lines("SELECT position, value_id, value_type FROM _collection_element") == [
        "0|1|PrintedEvent", "1|2|PrintedEvent",
      ])
  }

  @Test("leave nothing if the first one fails, whatever was asked for")
  func firstFails() throws {
    var run = try SeedRun(
      PassesSeedTests.twoEvents,
      mapping: Self.failing.replacing("convert: dateText", with: "convert: integer"))
    run.options.keepsCompletePasses = true
    #expect(try run.messages().count == 1)
  }

  @Test("reject the archive alone where archives are to be skipped")
  func skips() throws {
    let fit = KeyedArchiveBuilder.of("Event") { _ in ["timeStamp": 7] }
    var run = try SeedRun(
      PassesSeedTests.twoEvents, fit,
      mapping: Self.failing.replacing("convert: dateText", with: "convert: text"))
    run.options.errorPolicy = .skip
    let store = try run.convert()
    #expect(store.report.archives.map(\.outcome.rawValue) == ["rejected", "converted"])
    #expect(try store.lines("SELECT * FROM PrintedEvent") == ["1|7"])
    #expect(try store.lines("SELECT * FROM StampedEvent") == ["1|7"])
  }

  @Test("add nothing when they are run again over the same archives")
  func runAgain() throws {
    var run = try SeedRun(
      sample: "Events.archive", mapping: SeedRun.sampleMapping("Events.yaml"))
    let first = try run.convert().store.content()
    run.options.existingStore = .append
    let again = try run.convert()
    #expect(try again.store.content() == first)
    #expect(again.report.archives.map(\.outcome.rawValue) == ["skipped"])
  }

  @Test("add the rows of a later mapping to the same store, and only once")
  func onePassAfterAnother() throws {
    let mapping = try SeedRun.sampleMapping("Events.yaml")
    let whole = try SeedRun(PassesSeedTests.twoEvents, mapping: mapping).convert()
    let start = try #require(mapping.range(of: "  - name: StepTwo"))
    let stepOne = String(mapping[..<start.lowerBound])
    let stepTwo = "passes:\n" + mapping[start.lowerBound...]
    var run = try SeedRun(PassesSeedTests.twoEvents, mapping: stepOne)
    #expect(try run.convert().tables() == ["table PrintedEvent"])
    run.options.existingStore = .append
    for _ in 0..<2 {
      try run.use(stepTwo)
      let store = try run.convert()
      for table in ["PrintedEvent", "StampedEvent"] {
        let rows = try store.lines("SELECT * FROM \(table)")
        #expect(try rows == whole.lines("SELECT * FROM \(table)"))
      }
    }
  }

  @Test("and a mapping that was made for another version of the model is refused by its digest")
  func modelDrift() throws {
    let old = "modelDigest: \"q83vEjRWeJA=\"\n"
    var run = try SeedRun(
      TagsSeedTests.events("a"), mapping: old + SeedRun.sampleMapping("Locations.yaml"))
    let digest = try Model(
      contentsOf: "\(Repository.samples)/Locations.xcdatamodeld"
    ).digest()
    let messages = try run.messages()
    #expect(
      messages == [
        "mapping.yaml:1:14: was made for another version of the model: its digest is \(digest), "
          + "not q83vEjRWeJA= (use --accept-model-drift to continue)"
      ])
    run.options.acceptsModelDrift = true
    #expect(try run.convert().lines("SELECT name FROM Tag") == ["a"])
    run = try SeedRun(
      TagsSeedTests.events("b"),
      mapping: "modelDigest: \"\(digest)\"\n" + SeedRun.sampleMapping("Locations.yaml"))
    #expect(try run.convert().lines("SELECT name FROM Tag") == ["b"])
  }
}
