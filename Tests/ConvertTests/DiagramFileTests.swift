import Foundation
import TestSupport
import Testing

@Suite("--diagram")
struct DiagramFileTests {
  @Test("writes the diagram of a run, of a report and of a model")
  func writes() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    let run = try folder.convert("QuickRecord.archive", "-o", "out.db", "-q", "--diagram", "a.svg")
    #expect(run.status == 0)
    #expect(
      try Program.run(["report", "out.db", "-q", "--diagram", "b.svg"], in: folder.path).status == 0
    )
    let drawn = try folder.text(of: "a.svg")
    #expect(drawn == (try folder.text(of: "b.svg")))
    #expect(drawn.contains("<title>QuickRecord.type → TransactionType</title>"))
    #expect(drawn.contains(">5</text>"))
    let draft = try folder.convert(
      "infer", "QuickRecord.archive", "-o", "m.yaml", "--model-output", "M.xcdatamodeld")
    #expect(draft.status == 0)
    let model = try Program.run(["model", "M.xcdatamodeld", "--diagram", "c.svg"], in: folder.path)
    #expect(model.status == 0)
    let ofModel = try folder.text(of: "c.svg")
    #expect(ofModel.contains(">QuickRecord</text>"))
    // A model has no rows.
    #expect(!ofModel.contains(">5</text>"))
  }

  @Test(
    "is refused in words where it cannot be written",
    arguments: [
      (["in", "-o", "out.db"], "d.png", "must end in .svg."),
      (["in", "-o", "out.db"], "mine.svg", "already exists and was not written by this program"),
      (
        ["in", "-o", "out.db"], "absent/d.svg",
        "the diagram cannot be written: there is no folder 'absent'"
      ),
      (["report", "1.db"], "mine.svg", "already exists and was not written by this program"),
      (
        ["model", "M.xcdatamodel"], "mine.svg", "already exists and was not written by this program"
      ),
    ])
  func refuses(command: [String], file: String, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in")
    #expect(try folder.convert("in", "-o", "1.db", "-q").status == 0)
    try folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "mine.svg")
    let before = try folder.names()
    let result = try Program.run(command + ["--diagram", file], in: folder.path)
    #expect(result.status == (file == "d.png" ? 64 : 2))
    #expect(result.errors.contains(words))
    #expect(try folder.names() == before)
    #expect(try folder.text(of: "mine.svg") == "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
  }

  @Test("replaces one that it wrote before")
  func replacesOwn() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    for store in ["1.db", "2.db"] {
      let result = try folder.convert("Locations.archive", "-o", store, "--diagram", "d.svg")
      #expect(result.status == 0)
    }
  }
}
