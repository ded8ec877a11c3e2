import ArchiveReader
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Compiled nibs and the keyed archives of the same objects")
struct NibConversionTests {
  /// The tables of a run itself, in which the inputs stand.
  private static let ofRun: Set = ["_archive", "_class", "_report", "_run"]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(
    _ inputs: [String], to name: String, _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> (store: StoreQuery, report: ConversionReport) {
    var options = ConversionOptions()
    options.verifies = true
    change(&options)
    let path = folder.file(named: name)
    var conversion = Conversion(inputs: inputs, destination: path, options: options)
    let report = try conversion.run()
    return (try StoreQuery(path), report)
  }

  /// The nib of a sample, in a file.
  private func nib(of sample: String) throws -> String {
    let archive = try KeyedArchive(contentsOf: sample)
    let name = URL(fileURLWithPath: sample).lastPathComponent
    return try folder.write(NibWriter.nib(of: archive), to: "in/\(name).nib")
  }

  @Test(
    "give the same tables, with and without a mapping",
    arguments: Repository.sampleArchives.filter { $0.hasSuffix(".archive") })
  func twins(sample: String) throws {
    let nib = try nib(of: sample)
    let mapping = sample.replacing(".archive", with: ".yaml")
    let hasMapping = FileManager.default.fileExists(atPath: mapping)
    let settings: [(inout ConversionOptions) -> Void] = [
      { _ in }, { $0.salvages = true }, { $0.opensNested = true },
      { if hasMapping { $0.mappingPath = mapping } },
    ]
    for (number, change) in settings.enumerated() {
      let (keyed, expected) = try convert([sample], to: "\(number)-keyed.db", change)
      let (store, report) = try convert([nib], to: "\(number)-nib.db", change)
      #expect(report.verification?.isPassed == true)
      #expect(try store.flaws() == [])
      let content = try store.content(except: Self.ofRun)
      #expect(try content == keyed.content(except: Self.ofRun), "\(number)")
      #expect(report.unreachableObjects == expected.unreachableObjects)
    }
  }

  @Test("give stores in the layout of Core Data")
  func coreData() throws {
    let nib = try nib(of: "\(Repository.samples)/Locations.archive")
    let (store, report) = try convert([nib], to: "core.sqlite") {
      $0.layout = .coreData
      $0.mappingPath = "\(Repository.samples)/Locations.yaml"
    }
    #expect(report.verification?.isPassed == true)
    #expect(try store.flaws() == [])
  }

  @Test("stand beside each other in a store, and can be added to one")
  func together() throws {
    let sample = "\(Repository.samples)/Locations.archive"
    let nib = try nib(of: sample)
    try folder.write(try Data(contentsOf: URL(fileURLWithPath: sample)), to: "in/a.archive")
    let (store, report) = try convert([folder.file(named: "in")], to: "both.db") {
      $0.recordsProvenance = true
    }
    #expect(report.verification?.isPassed == true)
    #expect(
      try store.lines("SELECT format, archiver, version FROM _archive") == [
        "nib|UINibEncoder|10", "binary|NSKeyedArchiver|100000",
      ])
    _ = try convert([sample], to: "one.db")
    let (added, appended) = try convert([nib], to: "one.db") { $0.existingStore = .append }
    #expect(appended.verification?.isPassed == true)
    let events = try store.lines("SELECT count(*) FROM Event")
    #expect(try added.lines("SELECT count(*) FROM Event") == events)
    var verifier = StoreVerifier(
      store: folder.file(named: "both.db"), inputs: [folder.file(named: "in")],
      options: ConversionOptions())
    #expect(try verifier.run().verification?.isPassed == true)
  }

  @Test("are reported with what follows their end")
  func surplus() throws {
    let nib = try nib(of: "\(Repository.samples)/Locations.archive")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: nib)) + Data([1, 2, 3])
    let longer = try folder.write(bytes, to: "longer.nib")
    let report = try convert([longer], to: "out.db").report
    #expect(report.archives.map(\.format) == ["nib"])
    #expect(
      report.unreadKeys.map { "\($0.className).\($0.key)" }
        == ["$archive.bytes after the last class"])
  }
}
