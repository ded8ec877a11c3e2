import ArchiveReader
import ArchiveWriter
import Foundation
import MappingModelTesting
import Support
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite("Versions of models")
struct ModelVersionsTests {
  private static func entity(_ name: String) -> String {
    XMLModel.document("<entity name='\(name)'/>")
  }

  /// A compiled model with one entity.
  private static func compiled(_ name: String) -> Data {
    KeyedArchiveBuilder.archive { archive in
      let entity = archive.instance(
        of: "NSEntityDescription", ["NSEntityName": archive.string(name)])
      return archive.instance(
        of: "NSManagedObjectModel",
        ["NSEntities": archive.dictionary([archive.string(name): entity])])
    }.binary()
  }

  private static func elements(_ name: String) throws -> Data {
    XDPMArchive.make(try XMLModel.model("<entity name='\(name)'/>")).binary()
  }

  /// Each version: its description, its entity, and a star if it is the current one.
  private func list(_ versions: ModelVersions) -> [String] {
    versions.versions.map { version in
      let entities = version.source.model.entities.map(\.name).joined(separator: ", ")
      return "\(version): \(entities)\(version.isCurrent ? " *" : "")"
    }
  }

  /// The errors, their paths within a folder.
  private func errors(_ versions: ModelVersions, in folder: TemporaryFolder) -> [String] {
    versions.errors.map { "\($0)".replacing("\(folder.path)/", with: "") }
  }

  @Test("All versions that Xcode edits are listed, by name, with the current one marked")
  func sourceVersions() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.entity("A"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try folder.write(try Self.elements("B"), to: "M.xcdatamodeld/M 2.xcdatamodel/elements")
    try folder.write(Self.entity("C"), to: "M.xcdatamodeld/M 10.xcdatamodel/contents")
    let path = folder.file(named: "M.xcdatamodeld")
    #expect(try list(ModelVersions(contentsOf: path)) == ["'M': A", "'M 2': B", "'M 10': C *"])
    try folder.write(
      try XMLPropertyListWriter().data(for: ["_XCCurrentVersionName": "M 2.xcdatamodel"]),
      to: "M.xcdatamodeld/.xccurrentversion")
    let versions = try ModelVersions(contentsOf: "\(path)/")
    #expect(list(versions) == ["'M': A", "'M 2': B *", "'M 10': C"])
    #expect(versions.current?.name == "M 2")
    #expect(versions.errors == [])
    #expect(
      versions.versions.map { $0.path.replacing(path, with: "") } == [
        "/M.xcdatamodel/contents", "/M 2.xcdatamodel/elements", "/M 10.xcdatamodel/contents",
      ])
  }

  @Test("All compiled versions are listed, with their bytes and the hashes beside them")
  func compiledVersions() throws {
    let folder = try TemporaryFolder()
    for (name, entity) in [("M", "A"), ("M 2", "B")] {
      try folder.write(Self.compiled(entity), to: "M.momd/\(name).mom")
    }
    // Another form of the current version, which says nothing more.
    try folder.write("momv2$", to: "M.momd/M 2.omo")
    let path = folder.file(named: "M.momd")
    #expect(try list(ModelVersions(contentsOf: path)) == ["'M 2': B", "'M': A"])
    #expect(try ModelVersions(contentsOf: path).current == nil)

    let hash = Data(repeating: 7, count: 32)
    try folder.write(
      BinaryPropertyListWriter().data(
        for: [
          "NSManagedObjectModel_CurrentVersionName": "M",
          "NSManagedObjectModel_VersionHashes": ["M": ["A": .data(hash)], "M 2": [:]],
        ]), to: "M.momd/VersionInfo.plist")
    let versions = try ModelVersions(contentsOf: path)
    #expect(list(versions) == ["'M 2': B", "'M': A *"])
    #expect(
      versions.versions.map(\.source.compiledModel) == [Self.compiled("B"), Self.compiled("A")])
    #expect(versions.versions.map(\.source.versionHashes) == [[:], ["A": hash]])
    #expect(versions.current?.source.hashes() == ["A": hash])
  }

  @Test("A mapping model embeds its source and its destination")
  func mapping() throws {
    let folder = try TemporaryFolder()
    let document = MappingFile.document(
      source: ("Old/M.xcdatamodeld/M.xcdatamodel", try Self.elements("A")),
      destination: ("\n Old/M.xcdatamodeld/M 2.xcdatamodel\n ", try Self.elements("B")))
    let file = try folder.write(document, to: "1to2.xcmappingmodel/xcmapping.xml")
    let expected = ["'M' (the source of '1to2'): A", "'M 2' (the destination of '1to2'): B"]
    #expect(try list(ModelVersions(contentsOf: file)) == expected)
    let versions = try ModelVersions(contentsOf: folder.file(named: "1to2.xcmappingmodel"))
    #expect(list(versions) == expected)
    #expect(versions.current == nil)
    let error = #expect(throws: ModelError.self) { try Model(contentsOf: file) }
    #expect(error?.code == .ambiguousVersion)
  }

  @Test("A model that a store carries is the store's only if its hashes are")
  func carriedModel() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "store.sqlite")
    var source = ModelSource(try XMLModel.model("<entity name='A'/>"))
    source.compiledModel = Self.compiled("A")
    try CoreDataStoreCreator(layout: CoreDataLayout(source.model), source: source).create(at: path)
    let entities = try CoreDataStore(path).entities()
    let versions = try ModelVersions(contentsOf: path)
    #expect(list(versions) == ["'store.sqlite': A *"])
    #expect(versions.versions[0].source.compiledModel == Self.compiled("A"))
    #expect(try versions.match(entities, of: path).notes == [])

    // Another program, with another version of the model, was the last to write.
    let other = try #require(Deflate.deflate(Self.compiled("B")))
    let hexadecimal = other.map { String(format: "%02x", $0) }.joined()
    let editor = try StoreEditor(path)
    try editor.run("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(hexadecimal)'")
    editor.close()
    let stale = try ModelVersions(contentsOf: path)
    #expect(list(stale) == ["'store.sqlite': B *"])
    let error = #expect(throws: ModelError.self) { try stale.match(entities, of: "store.sqlite") }
    #expect(
      error?.description == "store.sqlite: is of no version in store.sqlite: 'store.sqlite' "
        + "fits 0 of 1 entity (A is missing; B is not in the store)")
  }

  @Test("A folder is searched for models and mapping models")
  func search() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.entity("A"), to: "app/M.xcdatamodeld/M.xcdatamodel/contents")
    try folder.write(Self.compiled("B"), to: "app/b/M.momd/M.mom")
    try folder.write(Self.compiled("C"), to: "app/C.mom")
    try folder.write(
      MappingFile.document(
        source: ("D", try Self.elements("D")), destination: ("E", try Self.elements("E"))),
      to: "app/z/DE.xcmappingmodel/xcmapping.xml")
    try folder.write(Self.entity("H"), to: "app/.hidden/M.xcdatamodel/contents")
    try folder.write("text", to: "app/README")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(named: "app/loop"), withDestinationPath: folder.file(named: "app"))
    let versions = try ModelVersions(contentsOf: folder.file(named: "app"))
    #expect(
      list(versions) == [
        "'C': C *", "'M': A *", "'M': B *", "'D' (the source of 'DE'): D",
        "'E' (the destination of 'DE'): E",
      ])
    #expect(versions.current == nil)
  }

  @Test("What cannot be read is listed, and no obstacle where another version can be")
  func errors() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.entity("A"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try folder.write("<model><entity/></model>", to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    try folder.write("bplist00", to: "M.xcdatamodeld/M 3.xcdatamodel/elements")
    try folder.write("text", to: "M.xcdatamodeld/M 4.xcdatamodel/other")
    try folder.write("text", to: "M.xcdatamodeld/.xccurrentversion")
    let path = folder.file(named: "M.xcdatamodeld")
    let versions = try ModelVersions(contentsOf: path)
    #expect(list(versions) == ["'M': A"])
    let errors = errors(versions, in: folder)
    #expect(errors.count == 4)
    #expect(errors[0].hasPrefix("M.xcdatamodeld/.xccurrentversion: is not a property list"))
    #expect(errors[1] == "M.xcdatamodeld/M 4.xcdatamodel: contains no model")
    #expect(
      errors[2]
        == "M.xcdatamodeld/M 2.xcdatamodel/contents: an element <entity> has no name (line 1)")
    #expect(errors[3].hasPrefix("M.xcdatamodeld/M 3.xcdatamodel/elements: "))

    try FileManager.default.removeItem(atPath: "\(path)/M.xcdatamodel")
    #expect(throws: ModelError.self) { try ModelVersions(contentsOf: path) }
  }

  @Test(
    "A mapping model without models, or with damaged ones, is an error",
    arguments: [
      (MappingFile.document(""), "m.xml: contains no model"),
      (
        MappingFile.document(MappingFile.attributes("source", path: "A", base64: "")),
        "m.xml: "
      ),
      (
        MappingFile.document(MappingFile.attributes("source", path: "A", base64: "bm90IG9uZQ==")),
        "m.xml: "
      ),
      ("<?xml version='1.0'?><database>", "m.xml: the XML is not well-formed"),
      (
        "<?xml version='1.0'?><!DOCTYPE database [<!ENTITY a 'b'>]><database>&a;</database>",
        "m.xml: the XML has a document type"
      ),
      ("<?xml version='1.0'?><database/>", "m.xml: contains no model"),
    ])
  func damagedMappings(_ document: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(document, to: "m.xml")
    let error = #expect(throws: ModelError.self) { try ModelVersions(contentsOf: path) }
    #expect(error?.description.replacing("\(folder.path)/", with: "").hasPrefix(words) == true)
  }

  @Test("A mapping model with very many objects or attributes costs no more than its text")
  func manyObjects() throws {
    let folder = try TemporaryFolder()
    let object = "<object type=\"XDDEVMAPPINGMODEL\"><attribute name=\"sourcemodeldata\"/></object>"
    let objects = String(repeating: object, count: 1_000)
    let path = try folder.write("<?xml version='1.0'?><database>\(objects)</database>", to: "m.xml")
    let error = #expect(throws: ModelError.self) { try ModelVersions(contentsOf: path) }
    #expect(error?.code == .tooMany)
    let deep = String(repeating: "<object type=\"XDDEVMAPPINGMODEL\">", count: 100_000)
    try folder.write("<?xml version='1.0'?><database>\(deep)", to: "m.xml")
    #expect(throws: ModelError.self) { try ModelVersions(contentsOf: path) }
  }

  @Test("A damaged mapping model is read, or refused", arguments: [1, 2] as [UInt64])
  func damage(seed: UInt64) throws {
    let document = MappingFile.document(
      source: ("D", try Self.elements("D")), destination: ("E", try Self.elements("E")))
    let folder = try TemporaryFolder()
    var mutator = ArchiveMutator(document.utf8, seed: seed)
    var (read, refused) = (0, 0)
    for _ in 0..<MutationCount.perFile(usual: 100) {
      let path = try folder.write(mutator.next(), to: "xcmapping.xml")
      do throws(ModelError) {
        read += try ModelVersions(contentsOf: path).versions.count
      } catch {
        refused += 1
      }
    }
    #expect(read > 1)
    #expect(refused > 5)
  }

  @Test(
    "A folder that cannot be read is an error, whatever else is found",
    .enabled(if: geteuid() != 0, "root may read everything"),
    arguments: [("top/closed", mode_t(0)), ("top", 0o400), ("top/M.xcdatamodeld/A.xcdatamodel", 0)])
  func closed(name: String, mode: mode_t) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.entity("A"), to: "top/M.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write(Self.entity("B"), to: "top/M.xcdatamodeld/B.xcdatamodel/contents")
    try folder.write(Self.entity("C"), to: "top/closed/C.xcdatamodel/contents")
    let path = folder.file(named: name)
    chmod(path, mode)
    defer { chmod(path, 0o700) }
    let error = #expect(throws: ModelError.self) {
      try ModelVersions(contentsOf: folder.file(named: "top"))
    }
    #expect(error?.description == "\(path): cannot be read: Permission denied")
  }

  @Test("Folders are searched only so far down")
  func depth() throws {
    let folder = try TemporaryFolder()
    let deep = String(repeating: "a/", count: 40)
    try folder.write(Self.entity("A"), to: "top/\(deep)M.xcdatamodel/contents")
    let error = #expect(throws: ModelError.self) {
      try ModelVersions(contentsOf: folder.file(named: "top"))
    }
    #expect(error?.code == .tooDeepFolder)
  }
}
