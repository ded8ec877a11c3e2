import Foundation
import TestSupport
import Testing

@Suite("convert infer")
struct InferCommandTests {
  @Test("drafts a mapping that says what was found, and prints nothing")
  func drafts() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert("infer", "MentalCase.archive", "-o", "draft.yaml")
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(result.errors == "")
    #expect(
      try folder.text(of: "draft.yaml")
        == MentalCaseDraft.text(fileName: "draft.yaml", stripsPrefix: false))
    #expect(try folder.names() == ["MentalCase.archive", "draft.yaml"])
  }

  @Test("drafts what can be used as it is: the store is the same")
  func isUsable() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    #expect(try folder.convert("infer", "MentalCase.archive", "-o", "draft.yaml").status == 0)
    #expect(try folder.convert("check", "draft.yaml").status == 0)
    #expect(try folder.convert("MentalCase.archive", "-o", "plain.db").status == 0)
    let result = try folder.convert(
      "MentalCase.archive", "--mapping", "draft.yaml", "-o", "out.db")
    #expect(result.status == 0)
    #expect(result.output.masked == RunCommandTests.mentalCaseSummary)
    let own: Set<String> = ["_archive", "_run", "_report"]
    #expect(
      try folder.store().content(except: own) == folder.store("plain.db").content(except: own))
  }

  @Test("drafts a model as well, which the mapping names with its digest")
  func model() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert(
      "infer", "MentalCase.archive", "--strip-prefix", "MT", "-o", "draft.yaml",
      "--model-output", "Cards.xcdatamodeld")
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(
      try folder.names() == ["Cards.xcdatamodeld", "MentalCase.archive", "draft.yaml"])
    let mapping = try folder.text(of: "draft.yaml")
    #expect(mapping.contains("\nmodel: \"Cards.xcdatamodeld\"\n"))
    #expect(mapping.contains("\nstripPrefix: MT\n\nclasses:\n  MTLibrary: Library\n"))
    let checked = try folder.convert("check", "draft.yaml")
    let digest = try #require(checked.output.split(separator: "\n").last)
    #expect(mapping.contains("\n\(digest)\n"))
    let shown = try folder.convert("model", "Cards.xcdatamodeld", "--json")
    #expect(shown.output.matches(of: /"name" : "(Folder|Library|Note)"/).count == 3)
    let converted = try folder.convert(
      "MentalCase.archive", "--mapping", "draft.yaml", "-o", "out.db")
    #expect(converted.status == 0)
    try folder.store().expect(
      "SELECT count(*) FROM Note JOIN Folder ON Folder.id = container_id", "12")
  }

  @Test(
    "does not write over anything, unless told to", arguments: ["draft.yaml", "M.xcdatamodeld"])
  func refuses(name: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let isModel = name != "draft.yaml"
    let old = isModel ? "\(name)/Old.xcdatamodel/contents" : name
    try folder.write("old", to: old)
    let command = [
      "infer", "Locations.archive", "-o", "draft.yaml", "--model-output", "M.xcdatamodeld",
    ]
    let refused = try Program.run(command, in: folder.path)
    #expect(refused.status == 2)
    #expect(refused.errors == "\(name): already exists (use --force to overwrite it)\n")
    #expect(try folder.names() == ["Locations.archive", name].sorted())
    #expect(try folder.text(of: old) == "old")
    let forced = try Program.run(command + ["--force"], in: folder.path)
    #expect(forced.status == 0)
    #expect(forced.errors == "")
    #expect(try folder.names() == ["Locations.archive", "M.xcdatamodeld", "draft.yaml"])
    #expect(try folder.text(of: "draft.yaml").hasPrefix("# How archived objects become rows"))
    #expect(try folder.convert("model", "M.xcdatamodeld").status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "M.xcdatamodeld"))
        .sorted() == [".xccurrentversion", "M.xcdatamodel"])
  }

  @Test(
    "replaces no folder that is more or less than a model",
    arguments: [
      ("M.xcdatamodeld/notes.txt", "it contains 'notes.txt', which is not part of a model"),
      (
        "M.xcdatamodeld/M.xcdatamodel/notes.txt",
        "it contains 'M.xcdatamodel/notes.txt', which is not part of a model"
      ),
      (
        "M.xcdatamodeld/Other.xcdatamodel",
        "it contains 'Other.xcdatamodel', which is not part of a model"
      ),
      ("target/file", "it is a symbolic link"), ("elsewhere/file", "it is a symbolic link"),
      ("M.xcdatamodeld", "Not a directory"),
    ])
  func keepsOthers(file: String, reason: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("precious", to: file)
    if !file.hasPrefix("M.") {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(named: "M.xcdatamodeld"), withDestinationPath: "target")
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let result = try folder.convert(
      "infer", "Locations.archive", "-o", "m.yaml", "--model-output", "M.xcdatamodeld", "--force")
    #expect(result.status == 2)
    let verb = file == "M.xcdatamodeld" ? "cannot be written" : "is not replaced"
    #expect(result.errors == "M.xcdatamodeld: \(verb): \(reason)\n")
    #expect(try folder.text(of: file) == "precious")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == names)
  }

  @Test("does not replace the folder of the archives that it reads", arguments: [false, true])
  func keepsFolderOfInputs(isSearched: Bool) throws {
    let folder = try TemporaryFolder()
    let archive = "M.xcdatamodeld/M.xcdatamodel/contents"
    try folder.addSample("Locations.archive", as: archive)
    let result = try folder.convert(
      "infer", isSearched ? "M.xcdatamodeld" : archive, "-o", "m.yaml", "--model-output",
      "M.xcdatamodeld", "--force")
    #expect(result.status == 2)
    #expect(result.errors == "\(archive): is an input and must not be overwritten\n")
    #expect(try folder.names() == ["M.xcdatamodeld"])
    #expect(
      try folder.contents(of: archive)
        == Data(contentsOf: URL(fileURLWithPath: "\(Repository.samples)/Locations.archive")))
  }

  @Test("writes the mapping and the model, or neither", arguments: [false, true])
  func both(isThere: Bool) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let old = "M.xcdatamodeld/Old.xcdatamodel/contents"
    if isThere { try folder.write("old", to: old) }
    let names = try folder.names()
    let result = try folder.convert(
      "infer", "Locations.archive", "-o", "/dev/full", "--model-output", "M.xcdatamodeld",
      "--force")
    #expect(result.status == 2)
    #expect(result.errors == "/dev/full: cannot be written: No space left on device\n")
    #expect(try folder.names() == names)
    if isThere { #expect(try folder.text(of: old) == "old") }
  }

  @Test("never writes over an archive that it reads")
  func keepsInputs() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let before = try folder.contents(of: "Locations.archive")
    let result = try folder.convert(
      "infer", "Locations.archive", "-o", "Locations.archive", "--force")
    #expect(result.status == 2)
    #expect(result.errors == "Locations.archive: is an input and must not be overwritten\n")
    #expect(try folder.contents(of: "Locations.archive") == before)
  }

  @Test("draws on archives inside of others, if asked to: the store is the same as without it")
  func nested() throws {
    let folder = try TemporaryFolder()
    try folder.write(try NestedArchives.allForms().binary(), to: "notes")
    let result = try folder.convert("infer", "notes", "-o", "draft.yaml", "--open-nested")
    // Names of archives inside of others are no mistakes, though these are not converted.
    let checked = try folder.convert("check", "draft.yaml", "notes")
    #expect(checked.status == 0)
    #expect(checked.output == "draft.yaml: no mistakes found\n")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("notes#10.damaged: "))
    #expect(result.errorLines.count == 1)
    let mapping = try folder.text(of: "draft.yaml")
    #expect(mapping.contains("# Drafted from 1 archive: notes.\n"))
    #expect(mapping.contains("\nclasses:\n  Note: Note\n  Mid: Mid\n  Leaf: Leaf\n"))
    #expect(
      try folder.convert("notes", "-o", "plain.db", "--open-nested").status == 1)
    let mapped = try folder.convert(
      "notes", "-o", "out.db", "--open-nested", "--mapping", "draft.yaml")
    #expect(mapped.status == 1)
    let own: Set<String> = ["_archive", "_run", "_report"]
    #expect(
      try folder.store().content(except: own) == folder.store("plain.db").content(except: own))
    let outer = try folder.convert("infer", "notes", "-o", "outer.yaml")
    #expect(outer.status == 0)
    #expect(try folder.text(of: "outer.yaml").contains("\nclasses:\n  Note: Note\n  # Read"))
  }

  @Test("draws from all sound archives of a directory, and ends with 1 if one is damaged")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/1")
    try folder.addDamagedSample(as: "in/2")
    try folder.addSample("Expenses.archive", as: "in/3")
    let result = try folder.convert("infer", "in", "-o", "draft.yaml")
    #expect(result.status == 1)
    let complaint = "in/2: the binary property list is truncated after 3000 bytes\n"
    #expect(result.errors == complaint)
    let mapping = try folder.text(of: "draft.yaml")
    #expect(mapping.contains("# Drafted from 2 archives: 1, 3."))
    #expect(mapping.contains("classes:\n  Event: Event\n  TrackingPeriod: TrackingPeriod\n"))
    let stopped = try folder.convert("infer", "in", "-o", "other.yaml", "--on-error", "stop")
    #expect(stopped.status == 2)
    #expect(stopped.errors == complaint)
    #expect(try folder.names() == ["draft.yaml", "in"])
  }

  @Test("ends with 2 where there is nothing to draw from, or no place to write to")
  func impossible() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("", to: "empty/inside")
    let nothing = try folder.convert("infer", "empty", "-o", "draft.yaml")
    #expect(nothing.status == 2)
    #expect(
      nothing.errors
        == "no keyed archive found in empty: 1 file is not a keyed archive: an empty file\n")
    let nowhere = try folder.convert("infer", "Locations.archive", "-o", "absent/draft.yaml")
    #expect(nowhere.status == 2)
    #expect(nowhere.errors == "absent/draft.yaml: cannot be written: there is no folder 'absent'\n")
    let wrong = try folder.convert(
      "infer", "Locations.archive", "-o", "draft.yaml", "--model-output", "M.mom")
    #expect(wrong.status == 64)
    #expect(wrong.errorLines.first == "Error: The model 'M.mom' must end in .xcdatamodeld.")
    #expect(try folder.names() == ["Locations.archive", "empty"])
  }
}
