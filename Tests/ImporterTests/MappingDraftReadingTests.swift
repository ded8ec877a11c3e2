import ArchiveReader
import ArchiveWriter
import Converter
import TestSupport
import Testing

@testable import Importer

@Suite("Drafts of mapping files as mappings")
struct MappingDraftReadingTests {
  private static let samples = [
    "MentalCase", "Expenses", "Expenses-Unusual", "Events", "Locations", "QuickRecord",
  ]

  @Test("A draft of a sample can be read", arguments: samples)
  func sample(name: String) throws {
    let found = try DraftedArchive(
      KeyedArchive(contentsOf: "\(Repository.samples)/\(name).archive"))
    try found.expectReadable()
  }

  @Test("A draft of what is unusual can be read")
  func unusual() throws {
    try DraftedArchive(MappingDraftTests.oddArchive()).expectReadable()
  }

  @Test("With a draft, the store is the same as without", arguments: samples)
  func sampleConverted(name: String) throws {
    let path = "\(Repository.samples)/\(name).archive"
    try DraftedArchive(KeyedArchive(contentsOf: path)).expectSameStore(of: path)
  }

  @Test("With a draft of what is unusual, the store is the same as without")
  func unusualConverted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(MappingDraftTests.oddArchive().binary(), to: "odd.plist")
    try DraftedArchive(MappingDraftTests.oddArchive()).expectSameStore(of: path)
  }

  @Test("A draft names a collection whose key is empty")
  func emptyKey() throws {
    let archive = KeyedArchiveBuilder.of("Thing") { archive in
      ["": archive.array([archive.string("a"), archive.string("b")])]
    }
    try DraftedArchive(archive).expectReadable()
    let folder = try TemporaryFolder()
    let path = try folder.write(archive.binary(), to: "empty.plist")
    try DraftedArchive(archive).expectSameStore(of: path)
  }

  @Test("A draft fits the Core Data model that is written with it")
  func model() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(MappingDraftTests.oddArchive().binary(), to: "odd.plist")
    let archive = try DraftedArchive(MappingDraftTests.oddArchive())
    let writer = XMLModelWriter(archive.model)
    let modelPath = folder.file(named: "Odd.xcdatamodeld")
    try writer.write(to: modelPath)
    var options = MappingDraft.Options()
    options.model = "Odd.xcdatamodeld"
    options.modelDigest = try Model(contentsOf: modelPath).digest()
    let text = MappingDraft.text(profile: archive.profile, model: writer.model, options: options)

    var conversionOptions = ConversionOptions()
    conversionOptions.mappingPath = try folder.write(text, to: "mapping.yaml")
    var conversion = Conversion(
      inputs: [path], destination: folder.file(named: "out.sqlite"), options: conversionOptions)
    let report = try conversion.run()
    #expect(report.entities.map { "\($0.name) \($0.rows)" } == ["NSUUID 1", "Plant 3", "True 2"])
    let store = try StoreQuery(folder.file(named: "out.sqlite"))
    #expect(
      try store.lines("SELECT yes, own, value0, other_type FROM Plant") == [
        "text|1|7|True", "1|1|7|Plant", "2|1|7|Plant",
      ])
    #expect(
      try store.lines("SELECT key, value, value_type FROM True_names_all") == [
        "a|1|NULL", "b|NULL|Plant",
      ])
  }
}
