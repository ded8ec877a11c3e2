import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert new-converter")
struct NewConverterCommandTests {
  @Test("writes a package with a hook for each class, which reads all keys, and with a test")
  func package() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert("new-converter", "MyCards", "--from", "MentalCase.archive")
    #expect(result.status == 0, "\(result)")
    #expect(result.output == "")
    #expect(result.errors == "")
    #expect(
      try files(in: "MyCards", of: folder) == [
        "Package.swift", "README.md",
        "Sources/my-cards-converter/Extensions.swift",
        "Sources/my-cards-converter/MTFolder.swift", "Sources/my-cards-converter/MTLibrary.swift",
        "Sources/my-cards-converter/MTNote.swift", "Sources/my-cards-converter/main.swift",
        "Tests/ConversionTests/ConversionTests.swift",
        "Tests/ConversionTests/Fixtures/MentalCase.archive",
      ])
    #expect(
      try folder.text(of: "MyCards/Sources/my-cards-converter/MTFolder.swift") == """
        import Importer

        /// 3 objects of class MTFolder, a subclass of MTModelObject.
        final class MTFolder: ImportedObject {
          required init(coder: ImportCoder) throws {
            try super.init(coder: coder)
            // whole number, in 3 of 3 objects
            self["modelObjectClassVersion"] = try coder.decode(Int64.self, forKey: "modelObjectClassVersion")
            // text, in 3 of 3 objects
            self["uniqueId"] = try coder.decodeString(forKey: "uniqueId")
            // nil, in 3 of 3 objects
            self["modelContext"] = try coder.decodeObject(forKey: "modelContext")
            // text, in 3 of 3 objects
            self["title"] = try coder.decodeString(forKey: "title")
            // object, in 1 of 3 objects
            self["parent"] = try coder.decodeRow(forKey: "parent")
            // boolean, in 3 of 3 objects
            self["isEditable"] = try coder.decode(Bool.self, forKey: "isEditable")
            // array, in 3 of 3 objects; 1 member; some are empty
            self["folders"] = try coder.decodeObject(forKey: "folders")
            // array, in 3 of 3 objects; 12 members
            self["notes"] = try coder.decodeObject(forKey: "notes")
          }
        }

        """)
    #expect(
      try folder.text(of: "MyCards/Package.swift")
        .contains(".package(name: \"ArchiveConverter\", path: \"\(Repository.root)\")"))
  }

  @Test(
    "refuses what it cannot draft from, and writes nothing",
    arguments: [
      (["full"], "full: already exists, and is not empty"),
      (["file"], "file: already exists"),
      (["a/b"], "a/b: cannot be written: there is no folder 'a'"),
      (["new", "--from", "absent"], "absent: cannot be read: No such file or directory"),
      (["new", "--from", "full"], "full: is not a file: a converter is drafted from one archive"),
      (
        ["new", "--model", "full"],
        "full: is not a model: it must end in .xcdatamodeld, .xcdatamodel, .momd or .mom"
      ),
      (["new", "--project", "full"], "Error: There is no checkout of this project at 'full'."),
    ])
  func refusals(arguments: [String], error: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("", to: "full/notes")
    try folder.write("", to: "file")
    let from = arguments.contains("--from") ? [] : ["--from", "Locations.archive"]
    let result = try Program.run(["new-converter"] + arguments + from, in: folder.path)
    #expect(result.status == (error.hasPrefix("Error") ? 64 : 2))
    #expect(result.errorLines.first == error)
    #expect(try folder.names() == ["Locations.archive", "file", "full"])
  }

  @Test("depends on a repository if it is given a URL, and takes an empty folder")
  func url() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "12 Ünits"), withIntermediateDirectories: false)
    let result = try folder.convert(
      "new-converter", "12 Ünits/", "--from", "Locations.archive", "--project",
      "https://example.org/\"x/archive-tools.git")
    #expect(result.status == 0, "\(result)")
    let package = try folder.text(of: "12 Ünits/Package.swift")
    #expect(
      package.contains(
        #".package(url: "https://example.org/\"x/archive-tools.git", branch: "main")"#))
    #expect(package.contains(#".product(name: "Importer", package: "archive-tools"),"#))
    #expect(package.contains(#"name: "my-12-nits-converter""#))
  }

  @Test("names what a model has no room for in comments")
  func model() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert(
      "new-converter", "cards-converter", "--from", "MentalCase.archive", "--model",
      "\(Repository.root)/Examples/MentalCase/MentalCase.xcdatamodeld")
    #expect(result.status == 0, "\(result)")
    #expect(
      try files(in: "cards-converter", of: folder).contains {
        $0.hasPrefix("Model.xcdatamodeld/")
      })
    let note = try folder.text(of: "cards-converter/Sources/cards-converter/MTNote.swift")
    #expect(
      note.contains(
        """
            // set, in 12 of 12 objects; of text; some are empty; the relationship holds rows:
            // self["tags"] = try coder.decodeObject(forKey: "tags")

        """))
    #expect(
      note.contains(
        """
            // nil, in 12 of 12 objects; no property has this name:
            // self["modelContext"] = try coder.decodeObject(forKey: "modelContext")

        """))
    let test = try folder.text(of: "cards-converter/Tests/ConversionTests/ConversionTests.swift")
    #expect(
      test.contains(
        "    options.modelPaths = [here.appending(path: \"../../Model.xcdatamodeld\").path]\n"))
    #expect(test.contains("#expect(rows.contains(\"MTNote: 12\"))"))
  }

  // MARK: What the package does

  @Test(
    "drafts hooks that make the rows of a run without them",
    .enabled(if: DraftedConverter.canBuild, "there is no ordinary debug build here"),
    arguments: Thoroughness.some(Source.allCases, oneIn: 2))
  func rows(source: Source) throws {
    let folder = try TemporaryFolder()
    try source.write(to: folder)
    let drafted = try folder.convert("new-converter", "it", "--from", "in.archive")
    #expect(drafted.status == 0, "\(drafted)")
    let dictionaries = source == .records ? ["--dictionaries", "auto"] : []
    let plain = try Program.run(["in.archive", "-o", "plain.db", "-q"], in: folder.path)
    #expect(plain.status == 0, "\(plain)")
    let result = try DraftedConverter("it", in: folder)
      .run(["in.archive", "-o", "out.db", "-q", "--verify"] + dictionaries)
    #expect(result.status == 0, "\(result)")
    let own: Set<String> = ["_archive", "_run", "_report"]
    #expect(
      try folder.store().content(except: own) == folder.store("plain.db").content(except: own))
    #expect(
      try folder.store().value("SELECT report LIKE '%\"unreadKeys\":[]%' FROM _report") == "1")
  }

  /// What hooks are drafted from.
  enum Source: String, CaseIterable {
    case names, mentalCase, mixed, quickRecord, records, locations, expenses, events

    func write(to folder: TemporaryFolder) throws {
      switch self {
      case .names: try folder.write(NewConverterCommandTests.names.binary(), to: "in.archive")
      case .mixed: try folder.write(NewConverterCommandTests.mixed.binary(), to: "in.archive")
      case .records: try folder.write(NewConverterCommandTests.records.binary(), to: "in.archive")
      case .mentalCase, .quickRecord, .locations, .expenses, .events:
        let name = rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        try folder.addSample("\(name).archive", as: "in.archive")
      }
    }
  }

  /// Classes and keys with names that end literals, comments and lines, that are words of the
  /// language, and of the package's own code.
  private static let names = KeyedArchiveBuilder.archive { archive in
    let classes = [
      "class", "Type", "Self", "init", "main", "String", "Data", "extensions", "ImportCoder",
      "ImportHook", "Test", "Conversion", "My.App.Note", "Garden.Plant", "_TtC6Garden4Leaf",
      "Box<Swift.Int>", "a\"b", "back\\slash", "new\nline", "\\(exit(1))", "*/ x /*", "日本語",
      "e\u{301}", "\u{E9}", "123", "Note", "note", "\u{202E}left", "Foo Bar", "$dollar",
    ]
    let objects = classes.enumerated().map { index, name in
      archive.instance(
        of: name,
        [
          KeyValue(name == "$dollar" ? "$$dollar" : name, archive.string("own")),
          KeyValue("func", .integer(Int64(index))),
          KeyValue("a\"b\\(x)\n", archive.string("\\(x)\"\n")), KeyValue("`y`", true),
          KeyValue("$$odd", 1.5), KeyValue("\u{2028}", archive.string("line")),
          KeyValue("o\u{308}", 1), KeyValue("\u{F6}", 2),
        ])
    }
    return archive.array(objects)
  }

  /// A key that holds values of all kinds, and others that hold some.
  private static let mixed = KeyedArchiveBuilder.archive { archive in
    let leaf = archive.instance(of: "Leaf", ["n": 1])
    let cat = archive.instance(of: "Cat", ["name": archive.string("Tom")])
    let none = PropertyListValue.uid(0)
    let text = archive.string("text")
    let pair = archive.dictionary([text: leaf])
    let values: [PropertyListValue] = [
      text, 1, 2.5, true, archive.data(Data([1])), archive.date(secondsSince2001: 1), leaf, cat,
      none, archive.array([leaf, cat]), archive.array([text, 1]), pair, archive.array([]),
      archive.array([archive.array([1, pair]), archive.set([leaf])]), archive.set([leaf, none]),
      archive.orderedSet([cat, leaf]), .real(-0.0), archive.array([text, leaf]),
    ]
    let all = values.enumerated().map { index, value in
      archive.instance(
        of: "Mixed", [KeyValue("x", value), KeyValue("index", .integer(Int64(index)))],
        unkeyed: [value, 7])
    }
    let few: [(name: String, values: [PropertyListValue])] = [
      ("TextOrRows", [text, leaf, archive.array([leaf, cat]), none]),
      ("RowOrRows", [leaf, archive.array([leaf, leaf]), none]),
      ("TextOrTexts", [text, archive.array([text]), archive.dictionary([text: 1])]),
      ("NumberOrTruth", [1, true]), ("EmptyOrNone", [archive.array([]), none]),
      ("EmptyOrRows", [archive.array([]), none, archive.array([leaf])]),
      ("Nested", [archive.array([archive.array([archive.array([1])])]), archive.set([pair])]),
    ]
    let others = few.flatMap { name, values in
      values.map { archive.instance(of: name, ["x": $0]) } + [archive.instance(of: name, [:])]
    }
    return archive.array(all + others)
  }

  /// Dictionaries that are rows of entities of their own.
  private static let records = KeyedArchiveBuilder.archive { archive in
    let people = ["Ada", "Bob"].map { name in
      archive.dictionary([
        archive.string("name"): archive.string(name), archive.string("age"): 36,
      ])
    }
    return archive.instance(of: "Club", ["people": archive.array(people)])
  }

  private func files(in package: String, of folder: TemporaryFolder) throws -> [String] {
    let path = folder.file(named: package)
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
