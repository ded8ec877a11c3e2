import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("Files and versions of models")
struct ModelFileTests {
  /// Which version was read: each has one entity named as it.
  private func version(in folder: TemporaryFolder, _ path: String = "M.xcdatamodeld") throws
    -> String
  {
    try Model(contentsOf: folder.file(named: path)).entities.map(\.name).joined()
  }

  /// A folder of versions by their names.
  private func folder(_ versions: [String], current: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (number, name) in versions.enumerated() {
      try folder.write(
        ModelXML.document("<entity name='V\(number)'/>"),
        to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    if let current {
      try folder.write(
        try XMLPropertyListWriter().data(for: ["_XCCurrentVersionName": .string(current)]),
        to: "M.xcdatamodeld/.xccurrentversion")
    }
    return folder
  }

  @Test("The file itself, the folder around it, and a slash behind it")
  func oneModel() throws {
    let folder = try folder(["M"])
    for path in ["M.xcdatamodeld/M.xcdatamodel", "M.xcdatamodeld/M.xcdatamodel/contents"] {
      #expect(try version(in: folder, path) == "V0")
    }
    #expect(try version(in: folder, "M.xcdatamodeld/") == "V0")
    #expect(try version(in: folder, "M.xcdatamodeld/M.xcdatamodel//") == "V0")
  }

  @Test("Of several versions the current one is read")
  func currentVersion() throws {
    #expect(try version(in: folder(["M", "M 2", "M 3"], current: "M 2.xcdatamodel")) == "V1")
    #expect(try version(in: folder(["M", "M 2"], current: "M.xcdatamodel")) == "V0")
  }

  @Test("Without a current version the last one by name is read, numbers in their order")
  func lastVersion() throws {
    #expect(try version(in: folder(["M", "M 2", "M 10", "M 9"])) == "V2")
    #expect(try version(in: folder(["B", "A"])) == "V0")
  }

  @Test("A current version that is not there, or lies elsewhere, is an error")
  func missingVersion() throws {
    for name in ["M 2.xcdatamodel", "../M.xcdatamodeld/M.xcdatamodel", "", "contents"] {
      let folder = try folder(["M"], current: name)
      let error = #expect(throws: ModelError.self) { try version(in: folder) }
      #expect(error?.code == .missingVersion)
      #expect(error?.name == name)
    }
  }

  @Test("A damaged .xccurrentversion is an error")
  func damagedCurrentVersion() throws {
    for text in ["", "text", "<plist><array/></plist>"] {
      let folder = try folder(["M"])
      try folder.write(text, to: "M.xcdatamodeld/.xccurrentversion")
      let error = #expect(throws: ModelError.self) { try version(in: folder) }
      #expect(error?.code == .damagedVersionInfo)
    }
  }

  @Test(
    "Paths that lead to no model",
    arguments: [
      ("nothing", .unreadable), ("folder", .unknownKind), ("M.xcdatamodel", .missingModel),
      ("M.xcdatamodeld", .missingModel), ("M.momd", .missingModel), ("M.mom", .damagedArchive),
      ("text", .unknownKind), ("Old.xcdatamodel/elements", .unknownKind),
    ] as [(String, ModelError.Code)])
  func noModel(path: String, code: ModelError.Code) throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "Old.xcdatamodel/elements")
    for name in ["folder", "M.xcdatamodel", "M.xcdatamodeld", "M.momd"] {
      try folder.write("", to: "\(name)/other")
    }
    for name in ["M.mom", "text"] { try folder.write("text", to: name) }
    let error = #expect(throws: ModelError.self) { try version(in: folder, path) }
    #expect(error?.code == code)
    #expect(error?.path.hasSuffix(path) == true)
  }

  @Test("A folder with one model is that model; with several, they are named")
  func folderWithModels() throws {
    let folder = try TemporaryFolder()
    let bytes = CompiledModel.empty(entity: "V0").binary()
    try folder.write(bytes, to: "pile/deep/A.momd/A.mom")
    try folder.write("text", to: "pile/notes.txt")
    #expect(try version(in: folder, "pile") == "V0")
    for name in ["B", "C", "D", "E", "F", "G"] {
      try folder.write(bytes, to: "pile/\(name).momd/\(name).mom")
    }
    let error = #expect(throws: ModelError.self) { try version(in: folder, "pile") }
    #expect(error?.code == .severalModels)
    #expect(error?.name == "'B', 'C', 'D', 'E', 'F' and 2 more")
  }

  @Test("Of an .momd folder the current version is read, else the only one")
  func compiledVersion() throws {
    let folder = try TemporaryFolder()
    try folder.write(CompiledModel.empty(entity: "V0").binary(), to: "M.momd/M.mom")
    #expect(try version(in: folder, "M.momd") == "V0")

    try folder.write(CompiledModel.empty(entity: "V1").binary(), to: "M.momd/M 2.mom")
    let error = #expect(throws: ModelError.self) { try version(in: folder, "M.momd") }
    #expect(error?.code == .ambiguousVersion)

    for (name, entity) in [("M", "V0"), ("M 2", "V1")] {
      try folder.write(
        try XMLPropertyListWriter().data(
          for: ["NSManagedObjectModel_CurrentVersionName": .string(name)]),
        to: "M.momd/VersionInfo.plist")
      #expect(try version(in: folder, "M.momd") == entity)
    }
    #expect(try version(in: folder, "M.momd/M.mom") == "V0")
  }

  @Test("VersionInfo.plist tells which entities differ")
  func versionInfo() throws {
    let folder = try TemporaryFolder()
    let model = try ModelXML.model(
      ModelXML.document("<entity name='A'/><entity name='B'/><entity name='C'/>"))
    var hashes = model.versionHashes()
    hashes["B"] = Data(repeating: 0, count: 32)
    hashes["C"] = nil
    hashes["D"] = Data()
    try folder.write(
      BinaryPropertyListWriter().data(
        for: [
          "NSManagedObjectModel_CurrentVersionName": "M 2",
          "NSManagedObjectModel_VersionHashes": [
            "M": [:],
            "M 2": .dictionary(hashes.sorted { $0.key < $1.key }.map { KeyValue($0, .data($1)) }),
            "odd": 3,
          ],
          "NSManagedObjectModel_VersionChecksums": ["M 2": .string(model.checksum()), "odd": 3],
        ]), to: "M.momd/VersionInfo.plist")
    let info = try VersionInfo(contentsOf: folder.file(named: "M.momd"))
    #expect(info.currentVersion == "M 2")
    #expect(info.versionHashes == ["M": [:], "M 2": hashes, "odd": [:]])
    #expect(info.versionChecksums == ["M 2": model.checksum()])
    let current = info.currentVersion.flatMap { info.versionHashes[$0] }
    #expect(model.entitiesThatDiffer(from: current ?? [:]) == ["B", "C", "D"])
    #expect(model.entitiesThatDiffer(from: model.versionHashes()) == [])
  }
}
