import Foundation
import TestSupport
import Testing

@Suite("convert, on the parts of what it reads")
struct RunReadPartsTests {
  /// A run that names a part of what it reads as an output.
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: String
    /// The path that is refused.
    var path: String
    /// What it is a part of; nil for what is read itself.
    var whole: String?

    init(_ arguments: String, _ path: String, partOf whole: String? = nil) {
      (self.arguments, self.path, self.whole) = (arguments, path, whole)
    }

    var testDescription: String { arguments }

    var words: String {
      guard let whole else { return "\(path): is an input and must not be overwritten\n" }
      return "\(path): belongs to \(whole), which is an input, and must not be written\n"
    }
  }

  private static let model = "M.xcdatamodeld"
  private static let contents = "M.xcdatamodeld/Locations.xcdatamodel/contents"
  private static let mapping = "Steps/Locations1to2.xcmappingmodel"
  private static let data = ".App_SUPPORT/_EXTERNAL_DATA/0F0E0D0C-0B0A-4908-8706-050403020100"

  static let models = [
    Case("migrate App.sqlite --model M.xcdatamodeld -o \(contents)", contents, partOf: model),
    Case("Locations.archive --model M.xcdatamodeld -o \(contents)", contents, partOf: model),
    Case("model M.xcdatamodeld --create-store \(contents)", contents, partOf: model),
    Case("Locations.archive --mapping map.yaml -o \(contents)", contents, partOf: model),
    Case("Locations.archive --mapping map.yaml -o link.db", "link.db", partOf: model),
    Case("Locations.archive --mapping map.yaml -o same.db", "same.db"),
    Case(
      "Locations.archive --model M.xcdatamodeld/Locations.xcdatamodel -o \(model)/new",
      "\(model)/new",
      partOf: model),
    Case(
      "Locations.archive --model M.xcdatamodeld -o out.db --report \(model)/r.json",
      "\(model)/r.json", partOf: model),
    Case(
      "migrate App.sqlite --model M.xcdatamodeld --mapping-model Steps -o \(mapping)/xcmapping.xml",
      "\(mapping)/xcmapping.xml", partOf: mapping),
    Case(
      "migrate App.sqlite --model M.xcdatamodeld --versions Steps -o Steps/V.xcdatamodeld/x",
      "Steps/V.xcdatamodeld/x", partOf: "Steps/V.xcdatamodeld"),
    Case("verify made.db Locations.archive --report-full \(contents)", contents, partOf: model),
    Case(
      "verify made.db Locations.archive --report-full made.db-wal", "made.db-wal",
      partOf: "made.db"),
  ]

  static let stores = [
    Case("App.sqlite -o App.sqlite-wal", "App.sqlite-wal", partOf: "App.sqlite"),
    Case("App.sqlite -o App.sqlite-shm", "App.sqlite-shm", partOf: "App.sqlite"),
    Case("App.sqlite -o App.sqlite-journal", "App.sqlite-journal", partOf: "App.sqlite"),
    Case("App.sqlite -o \(data)", data, partOf: "App.sqlite"),
    Case(
      "App.sqlite -o out.db --report .App_SUPPORT/r.json", ".App_SUPPORT/r.json",
      partOf: "App.sqlite"),
    Case(
      "App.sqlite --store-per-archive .App_SUPPORT", ".App_SUPPORT/App.sqlite.sqlite",
      partOf: "App.sqlite"),
    Case("migrate App.sqlite --model M.xcdatamodeld -o \(data)", data, partOf: "App.sqlite"),
    Case("Locations.archive --model App.sqlite -o \(data)", data, partOf: "App.sqlite"),
    Case("new-wal -o new", "new-wal"),
  ]

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "Locations.archive", "Locations.yaml")
    try folder.addSample("MentalCase.archive", as: "new-wal")
    let manager = FileManager.default
    let (model, steps) = (
      "\(Repository.samples)/Locations.xcdatamodeld", "Examples/Migrations/Locations"
    )
    for copy in ["M.xcdatamodeld", "Locations.xcdatamodeld"] {
      try manager.copyItem(atPath: model, toPath: folder.file(named: copy))
    }
    try manager.copyItem(
      atPath: "\(Repository.root)/\(steps)", toPath: folder.file(named: "Steps"))
    try manager.copyItem(atPath: model, toPath: folder.file(named: "Steps/V.xcdatamodeld"))
    let mapping = try folder.text(of: "Locations.yaml")
      .replacing("Locations.xcdatamodeld", with: "M.xcdatamodeld")
    try folder.write(mapping, to: "map.yaml")
    let made = try folder.convert(
      "Locations.archive", "--mapping", "map.yaml", "-o", "made.db", "-q")
    #expect(made.status == 0, "\(made)")
    let app = try folder.convert(
      "Locations.archive", "--mapping", "Locations.yaml", "--layout", "coredata", "-o",
      "App.sqlite", "-q")
    #expect(app.status == 0, "\(app)")
    try folder.write("data", to: data)
    for name in ["App.sqlite-wal", "App.sqlite-shm"] { try folder.write("", to: name) }
    try manager.createSymbolicLink(
      atPath: folder.file(named: "link.db"), withDestinationPath: contents)
    try manager.linkItem(
      atPath: folder.file(named: contents), toPath: folder.file(named: "same.db"))
    return folder
  }

  /// Each file of a folder with its bytes.
  private static func files(_ folder: TemporaryFolder) throws -> [String: Data?] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, try? folder.contents(of: $0)) })
  }

  @Test("never writes over them, or into them", arguments: models + stores)
  func keepsParts(item: Case) throws {
    let folder = try Self.folder()
    let before = try Self.files(folder)
    var arguments = item.arguments.split(separator: " ").map(String.init)
    if !["verify", "report"].contains(arguments[0]) { arguments += ["--if-exists", "replace"] }
    let result = try Program.run(arguments, in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors == item.words)
    #expect(try Self.files(folder) == before)
  }

  @Test(
    "drafts nothing over a model",
    arguments: [
      (["-o", contents], contents), (["-o", "m.yaml", "--model-output", "./\(model)"], nil),
    ] as [([String], String?)])
  func keepsModels(outputs: [String], part: String?) throws {
    let folder = try Self.folder()
    let before = try Self.files(folder)
    let result = try Program.run(
      ["infer", "App.sqlite", "--model", Self.model, "--force"] + outputs, in: folder.path)
    #expect(result.status == 2)
    #expect(
      result.errors
        == (part.map { Case("", $0, partOf: Self.model) } ?? Case("", "./\(Self.model)")).words)
    #expect(try Self.files(folder) == before)
  }

  @Test("writes next to a model in the folder that is searched for models")
  func folderOfModels() throws {
    let folder = try Self.folder()
    for _ in 1...2 {
      let result = try folder.convert(
        "migrate", "App.sqlite", "--model", "M.xcdatamodeld", "--versions", "Steps",
        "--mapping-model",
        "Steps", "-o", "Steps/new.sqlite", "--if-exists", "replace", "-q")
      #expect(result.errors == "")
      #expect(result.status == 0)
    }
  }
}
