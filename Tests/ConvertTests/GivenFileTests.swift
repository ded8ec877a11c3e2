import Foundation
import TestSupport
import Testing

@Suite("Commands that are given another kind of file than they are for")
struct GivenFileTests {
  private static let archive =
    "notes: is a keyed archive: convert it with 'archive-convert run', or see 'inspect'\n"
  private static let store =
    "out.db: is a store that archive-convert wrote: 'archive-convert report' and 'verify' are for it\n"
  private static let model =
    "Locations.xcdatamodeld: is a Core Data model: give it with --model, or see 'archive-convert "
    + "model'\n"
  private static let mappingModel =
    "M.xcmappingmodel: is a mapping model: give it to 'archive-convert migrate' with "
    + "--mapping-model, or see 'check'\n"

  @Test(
    "say what it is and which commands are for it",
    arguments: [
      ("report notes", archive), ("check notes", archive), ("model notes", archive),
      ("migrate notes --model Locations.xcdatamodeld -o new.db", archive),
      (
        "verify notes out.db",
        archive + "the store comes first: archive-convert verify out.db notes\n"
      ),
      ("out.db -o new.db", store), ("infer out.db -o new.yaml", store), ("inspect out.db", store),
      ("out.db --store-per-archive .", store), ("check out.db", store), ("model out.db", store),
      ("migrate out.db --model Locations.xcdatamodeld -o new.db", store),
      ("model App.sqlite", ""), ("check App.sqlite", ""),
      ("Locations.xcdatamodeld -o new.db", model), ("report Locations.xcdatamodeld", model),
      ("inspect Locations.xcdatamodeld", model), ("check Locations.xcdatamodeld", model),
      ("infer Locations.xcdatamodeld/ -o new.yaml", model.replacing("deld:", with: "deld/:")),
      ("verify Locations.xcdatamodeld notes", model),
      ("inspect M.xcmappingmodel", mappingModel), ("M.xcmappingmodel -o new.db", mappingModel),
      (
        "report App.sqlite",
        "App.sqlite: a Core Data store keeps no report; to write one, use run --report\n"
      ),
    ])
  func otherKind(arguments: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("MentalCase.archive", as: "notes")
    try folder.addSampleModel("Locations")
    try folder.write(
      "<database><key>XDDevMapping</key></database>", to: "M.xcmappingmodel/xcmapping.xml")
    #expect(try folder.convert("notes", "-o", "out.db", "-q").status == 0)
    #expect(
      try folder.convert(
        "model", "Locations.xcdatamodeld", "--create-store", "App.sqlite", "--layout", "coredata"
      ).status == 0)
    let before = try folder.names()
    let result = try Program.run(
      arguments.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.status == (message.isEmpty ? 0 : 2), "\(result)")
    #expect(result.errors == message)
    #expect(try folder.names() == before)
  }

  @Test(
    "leave nothing next to a store in log mode, whether or not they are for it",
    arguments: [
      "report out.db", "verify out.db notes", "verify App.sqlite notes", "check out.db",
      "check App.sqlite", "inspect out.db", "inspect App.sqlite", "report App.sqlite",
      "migrate out.db --model Locations.xcdatamodeld -o new.db",
      "migrate App.sqlite --model Other.xcdatamodeld -o new.db", "out.db -o new.db",
    ])
  func logMode(arguments: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("MentalCase.archive", as: "notes")
    try folder.addSampleModel("Locations")
    #expect(try folder.convert("notes", "-o", "out.db", "-q").status == 0)
    #expect(
      try folder.convert(
        "model", "Locations.xcdatamodeld", "--create-store", "App.sqlite", "--layout", "coredata"
      ).status == 0)
    for name in ["out.db", "App.sqlite"] {
      try StoreEditor(folder.file(named: name)).run("PRAGMA journal_mode = WAL")
    }
    let before = try folder.names()
    _ = try Program.run(arguments.split(separator: " ").map(String.init), in: folder.path)
    #expect(try folder.names() == before)
  }

  @Test("keep the words of the error where the file is of no kind that is known")
  func unknownKind() throws {
    let folder = try TemporaryFolder()
    try folder.write("plain text", to: "text")
    #expect(
      try folder.convert("inspect", "text").errors
        == "text: is not a keyed archive: it is text\n")
  }
}
