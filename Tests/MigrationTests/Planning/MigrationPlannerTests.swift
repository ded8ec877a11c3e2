import CoreDataStores
import DataModel
import Foundation
import MappingModelTesting
import Migration
import TestSupport
import Testing

@Suite("The planner of a migration")
struct MigrationPlannerTests {
  /// A folder with three versions of a model, of which the second is the current one.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (number, name) in ["M", "M 2", "M 3"].enumerated() {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Car">
        \((0...number).map { "<attribute name=\"a\($0)\" attributeType=\"String\" optional=\"YES\"/>" }
          .joined())
          </entity>
        </model>
        """, to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string>
      </dict></plist>
      """, to: "M.xcdatamodeld/.xccurrentversion")
    return folder
  }

  @Test(
    "takes the current version for the target, or the one that is given, and all others beside it",
    arguments: [
      ("M.xcdatamodeld", "M 2"), ("M.xcdatamodeld/M 3.xcdatamodel", "M 3"),
      ("M.xcdatamodeld/M 3.xcdatamodel/contents", "M 3"),
    ])
  func target(path: String, name: String) throws {
    let folder = try Self.folder()
    let planner = try MigrationPlanner(modelPaths: [folder.file(named: path)])
    #expect(planner.target.name == name)
    #expect(planner.versions.map(\.name) == ["M", "M 2", "M 3"])
    #expect(planner.errors.isEmpty)
  }

  @Test("finds the version of a store, and the steps from there")
  func source() throws {
    let folder = try Self.folder()
    let planner = try MigrationPlanner(
      modelPaths: [folder.file(named: "M.xcdatamodeld/M 3.xcdatamodel")])
    let store = StoreEntities.hashes(planner.versions[0].source.model.versionHashes())
    let match = try planner.sourceVersion(of: store, at: "store.sqlite")
    #expect(match.version.name == "M")
    #expect("\(try planner.plan(from: match.version))" == "1. 'M' to 'M 3': inferred (1 transform)")
  }

  @Test("finds the version of an XML store without hashes by what its objects have")
  func sourceWithoutHashes() throws {
    let folder = try Self.folder()
    let planner = try MigrationPlanner(modelPaths: [folder.file(named: "M.xcdatamodeld")])
    func store(_ attribute: String) throws -> String {
      try folder.write(
        """
        <?xml version="1.0"?>
        <database><databaseInfo></databaseInfo><object type="CAR" id="z102">
        <attribute name="\(attribute)" type="string">x</attribute></object></database>
        """, to: "store.xml")
    }
    let match = try planner.sourceVersion(ofStoreAt: try store("a2"))
    #expect(match.version.name == "M 3")
    #expect(match.notes == [.namesAndPropertiesOnly])
    let path = try store("a1")
    #expect(
      throws: ModelError(
        .ambiguousMatch, path: path,
        name: "M.xcdatamodeld: 'M 2' fits 1 of 1 entity; 'M 3' fits 1 of 1 entity")
    ) {
      try planner.sourceVersion(ofStoreAt: path)
    }
  }

  @Test("reads versions that stand elsewhere, too")
  func furtherVersions() throws {
    let folder = try Self.folder()
    try folder.write(
      "<model><entity name=\"Car\"/></model>", to: "old/M 0.xcdatamodel/contents")
    let planner = try MigrationPlanner(
      modelPaths: [folder.file(named: "M.xcdatamodeld")],
      versionPaths: [folder.file(named: "old")])
    #expect(planner.versions.map(\.name) == ["M", "M 2", "M 3", "M 0"])
    #expect(planner.target.name == "M 2")
  }

  @Test(
    "refuses a folder that cannot be searched, whatever else is found",
    .enabled(if: geteuid() != 0, "root may read everything"), arguments: [true, false])
  func closedFolder(isOfMappings: Bool) throws {
    let folder = try Self.folder()
    try folder.write(
      MappingDocument.text(from: "M 0", ["Car"], to: "M", ["Car"]),
      to: "more/0.xcmappingmodel/xcmapping.xml")
    try folder.write("", to: "more/closed/file")
    let closed = folder.file(named: "more/closed")
    chmod(closed, 0)
    defer { chmod(closed, 0o700) }
    let more = [folder.file(named: "more")]
    let error = #expect(throws: ModelError.self) {
      try MigrationPlanner(
        modelPaths: [folder.file(named: "M.xcdatamodeld")], versionPaths: isOfMappings ? [] : more,
        mappingModelPaths: isOfMappings ? more : [])
    }
    #expect(error?.description == "\(closed): cannot be read: Permission denied")
  }

  @Test("refuses a folder that is too deep to be searched for mapping models")
  func deepFolder() throws {
    let folder = try Self.folder()
    let document = MappingDocument.text(from: "M 0", ["Car"], to: "M", ["Car"])
    try folder.write(document, to: "more/0.xcmappingmodel/xcmapping.xml")
    let deep = String(repeating: "a/", count: 20)
    try folder.write(document, to: "more/\(deep)1.xcmappingmodel/xcmapping.xml")
    let error = #expect(throws: ModelError.self) {
      try MigrationPlanner(
        modelPaths: [folder.file(named: "M.xcdatamodeld")],
        mappingModelPaths: [folder.file(named: "more")])
    }
    #expect(error?.code == .tooDeepFolder)
  }

  @Test("finds the version of a store in the mapping models, if the model's files do not have it")
  func embeddedSource() throws {
    let folder = try Self.folder()
    var planner = try MigrationPlanner(modelPaths: [folder.file(named: "M.xcdatamodeld")])
    let bare = StoreEntities.hashes(
      Model(entities: [Entity(name: "Car")]).versionHashes())
    #expect(throws: ModelError.self) {
      try planner.sourceVersion(of: bare, at: "store.sqlite")
    }
    try folder.write(
      MappingDocument.text(from: "M 0", ["Car"], to: "M", ["Car", "Draft"]),
      to: "0.xcmappingmodel/xcmapping.xml")
    planner = try MigrationPlanner(
      modelPaths: [folder.file(named: "M.xcdatamodeld")],
      mappingModelPaths: [folder.file(named: "0.xcmappingmodel")])
    let match = try planner.sourceVersion(of: bare, at: "store.sqlite")
    #expect("\(match.version)" == "'M 0' (the source of '0.xcmappingmodel')")
    #expect(
      "\(try planner.plan(from: match.version, acceptsDrift: true))" == """
        1. 'M 0' (the source of '0.xcmappingmodel') to 'M': 0.xcmappingmodel (1 copy)
           0.xcmappingmodel was made for another version of 'M', which differs in Car.a0, Draft
        2. 'M' to 'M 2': inferred (1 transform)
        """)
  }

  @Test("refuses a store that is none")
  func noStore() throws {
    let folder = try Self.folder()
    let planner = try MigrationPlanner(modelPaths: [folder.file(named: "M.xcdatamodeld")])
    for text in ["", "text", "CBDs", "SQLite format 3\0"] {
      let path = try folder.write(text, to: "store")
      let error = #expect(throws: ModelError.self) { try planner.sourceVersion(ofStoreAt: path) }
      #expect(error?.path == path)
    }
  }

  @Test("does not guess the target among several models")
  func severalModels() throws {
    let folder = try Self.folder()
    let other = "N.xcdatamodeld/N.xcdatamodel/contents"
    try folder.write("<model><entity name=\"Bus\"/></model>", to: other)
    let error = #expect(throws: ModelError.self) {
      try MigrationPlanner(modelPaths: [folder.path])
    }
    #expect(error?.code == .severalModels)
  }

  @Test("needs mapping models that can be read", arguments: ["", "<database/>", "bplist00"])
  func damagedMapping(text: String) throws {
    let folder = try Self.folder()
    try folder.write(text, to: "a.xcmappingmodel/xcmapping.xml")
    let error = #expect(throws: ModelError.self) {
      try MigrationPlanner(
        modelPaths: [folder.file(named: "M.xcdatamodeld")],
        mappingModelPaths: [folder.file(named: "a.xcmappingmodel")])
    }
    #expect(error?.path.hasSuffix("a.xcmappingmodel/xcmapping.xml") == true)
  }
}
