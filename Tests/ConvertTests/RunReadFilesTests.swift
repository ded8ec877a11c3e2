import Foundation
import TestSupport
import Testing

@Suite("convert, on the files that it reads")
struct RunReadFilesTests {
  @Test(
    "never writes over the mapping",
    arguments: [
      ["-o", "map.json", "--if-exists", "replace"], ["-o", "out.db", "--report", "./map.json"],
      ["-o", "out.db", "--report-full", "map.json"], ["-o", "out.db", "--datasette", "map.json"],
      ["--store-per-archive", "out", "--report", "map.json"],
    ])
  func keepsMapping(options: [String]) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write(#"{"entities": {"Event": {}}}"#, to: "map.json")
    let names = try folder.names()
    let result = try Program.run(
      ["Locations.archive", "--mapping", "map.json"] + options, in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors.hasSuffix("map.json: is an input and must not be overwritten\n"))
    #expect(try folder.contents(of: "map.json") == Data(#"{"entities": {"Event": {}}}"#.utf8))
    #expect(try folder.names() == names)
  }

  @Test(
    "never writes over a model or a template",
    arguments: [
      ["Locations.archive", "--model", "app.db", "-o", "app.db", "--if-exists", "replace"],
      [
        "Locations.archive", "--model", "M.xcdatamodeld", "--template", "app.db", "--layout",
        "coredata", "-o", "app.db", "--if-exists", "replace",
      ],
      ["model", "app.db", "--create-store", "app.db", "--if-exists", "replace"],
      [
        "model", "M.xcdatamodeld", "--template", "app.db", "--layout", "coredata",
        "--create-store", "app.db", "--if-exists", "replace",
      ],
      ["infer", "Locations.archive", "--model", "app.db", "-o", "app.db", "--force"],
    ])
  func keepsModels(arguments: [String]) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let draft = try folder.convert(
      "infer", "Locations.archive", "-o", "m.yaml", "--model-output", "M.xcdatamodeld")
    #expect(draft.status == 0)
    let store = try folder.convert(
      "model", "M.xcdatamodeld", "--create-store", "app.db", "--layout", "coredata")
    #expect(store.status == 0)
    let bytes = try folder.contents(of: "app.db")
    let result = try Program.run(arguments, in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors == "app.db: is an input and must not be overwritten\n")
    #expect(try folder.contents(of: "app.db") == bytes)
  }

  @Test(
    "replaces the store of an earlier run, or adds to it, in the folder that it searches",
    arguments: ["replace", "append"])
  func takesOwnStore(option: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    #expect(try folder.convert(".", "-o", "out.db").status == 0)
    try folder.addSample("MentalCase.archive")
    let result = try folder.convert(".", "-o", "out.db", "--if-exists", option, "--verify")
    #expect(result.errors == "")
    #expect(result.status == 0)
    try folder.store().expect("SELECT count(*) FROM _archive", "2")
    #expect(try folder.convert("verify", "out.db", ".").status == 0)
  }

  @Test("never writes the store of one archive over another archive")
  func keepsOtherArchives() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/x")
    try folder.addSample("MentalCase.archive", as: "in/x.sqlite")
    let bytes = try folder.contents(of: "in/x.sqlite")
    for input in ["in", "in/x"] {
      let result = try folder.convert(
        input, "in/x.sqlite", "--store-per-archive", "in", "--if-exists", "replace")
      #expect(result.status == 2)
      #expect(result.errors == "in/x.sqlite: is an input and must not be overwritten\n")
      #expect(try folder.contents(of: "in/x.sqlite") == bytes)
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["in", "in/x", "in/x.sqlite"])
  }

  @Test("refuses a report over one of many archives, or one of their stores, before it begins")
  func refusesLateReports() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "a")
    try folder.addSample("MentalCase.archive", as: "b.json")
    try folder.write("", to: "out/other")
    for (report, words) in [
      ("b.json", "is an input and must not be overwritten"),
      ("out/b.json.sqlite", "is the store itself and must not be overwritten"),
    ] {
      let result = try folder.convert(
        "a", "b.json", "--store-per-archive", "out", "--report-full", report)
      #expect(result.status == 2)
      #expect(result.errors == "\(report): \(words)\n")
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["a", "b.json", "out", "out/other"])
    }
  }
}
