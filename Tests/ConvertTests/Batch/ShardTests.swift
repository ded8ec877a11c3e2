import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("A run that is divided into shards")
struct ShardTests {
  /// The folder of `ManyArchives`, with dictionaries that only all of them show to be records, and
  /// typedstreams of which only two together show a list.
  private static func folder() throws -> TemporaryFolder {
    let folder = try ManyArchives.folder()
    for (number, keys) in [["x", "y"], ["x", "y"], ["x", "z"]].enumerated() {
      try folder.add("in/settings \(number)") { archive in
        archive.instance(
          of: "Settings",
          [
            "point": archive.dictionary(
              keys: keys.map { archive.string($0) },
              values: keys.map { _ in archive.number(number) })
          ])
      }
    }
    for count in [1, 3] {
      let stream = TypedstreamWriter.stream { writer in
        writer.group("@") { writer in
          writer.object("Path#0") { writer in
            writer.group("i", count)
            for place in 0..<count { writer.group("f") { $0.float(Float(place)) } }
          }
        }
      }
      try folder.write(stream, to: "in/path \(count)")
    }
    return folder
  }

  /// The files of "in", cut into lists of about the same length.
  private static func lists(_ folder: TemporaryFolder, _ count: Int) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "in"))
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for number in 0..<count {
      let part = names[names.count * number / count..<names.count * (number + 1) / count]
      try folder.write(part.map { "in/\($0)\n" }.joined(), to: "list \(number + 1)")
    }
  }

  /// Runs all steps; returns what the last one printed.
  private static func run(
    _ folder: TemporaryFolder, _ count: Int, _ options: [String], run: [String] = [],
    combine: [String] = []
  ) throws -> Program.Result {
    try lists(folder, count)
    func profile(_ number: Int, _ options: [String]) throws {
      let result = try Program.run(
        ["profile", "--files-from", "list \(number)", "--shard", "\(number)/\(count)"]
          + ["-o", "profile \(number)", "--if-exists", "replace"] + options, in: folder.path)
      #expect(result.status == 0, "\(result)")
    }
    for number in 1...count { try profile(number, options) }
    var stale = [0]
    while !stale.isEmpty {
      let profiles = (1...count).reversed().map { "profile \($0)" }
      let merged = try Program.run(
        ["merge-profiles", "-o", "all", "--if-exists", "replace"] + profiles, in: folder.path)
      #expect(merged.status == 0, "\(merged)")
      let planned = try Program.run(
        ["plan", "all", "-o", "plan", "--if-exists", "replace"], in: folder.path)
      guard planned.status == 0 || planned.status == 1 else { return planned }
      stale =
        try planned.output.firstMatch(of: /"stale":\[(.*)\]/)?.output.1.split(separator: ",")
        .map { try #require(Int($0)) } ?? []
      for number in stale { try profile(number, ["--plan", "plan"]) }
    }
    for number in 1...count {
      let result = try Program.run(
        ["--plan", "plan", "--shard", "\(number)/\(count)", "--files-from", "list \(number)"]
          + ["-o", "shard \(number)", "-q", "--if-exists", "replace"] + run, in: folder.path)
      #expect(result.status == 0 || result.status == 1, "\(result)")
    }
    let shards = (1...count).reversed().map { "shard \($0)" }
    return try Program.run(
      ["combine", "-o", "many.db", "--if-exists", "replace"] + combine + shards, in: folder.path)
  }

  @Test(
    "makes the store of one machine, however many shards there are",
    arguments: [
      (1, []), (2, ["--provenance", "--strip-prefix", "MT"]), (5, ["--open-nested", "--fts"]),
      (7, ["--dictionaries", "records", "--plain-names"]), (30, ["--reversible"]),
    ] as [(Int, [String])])
  func same(count: Int, options: [String]) throws {
    let folder = try Self.folder()
    let one = try Program.run(["in", "-o", "one.db", "-q"] + options, in: folder.path)
    #expect(one.status == 1)
    let many = try Self.run(folder, count, options)
    #expect(many.status == 1, "\(many)")
    #expect(many.errorLines == one.errorLines)
    #expect(try folder.wholeContent("many.db") == folder.wholeContent("one.db"))
    let verified = try folder.convert("verify", "many.db", "in")
    #expect(verified.status == 1, "\(verified)")
    #expect(verified.output.hasPrefix("Verification passed"))
  }

  @Test(
    "says what one machine says, verified or not, and fixes the time by the environment",
    arguments: [[], ["--verify"]])
  func reports(options: [String]) throws {
    let folder = try Self.folder()
    _ = try Program.run(
      ["in", "-o", "one.db", "--report", "one.json", "-q"] + options, in: folder.path)
    let many = try Self.run(folder, 3, [], run: options, combine: ["--report", "many.json"])
    let one = try folder.convert("report", "one.db")
    #expect(
      many.output.masked.replacing(" in # s", with: "")
        == one.output.masked.replacing("one.db", with: "many.db"))
    #expect(try folder.report("many.json") == folder.report("one.json"))
    let dated = try folder.convert(
      "in/4 note", "-o", "dated.db", "-q", environment: ["SOURCE_DATE_EPOCH": "1700000000"])
    #expect(dated.status == 0)
    try folder.store("dated.db").expect("SELECT converted FROM _archive", ["2023-11-14T22:13:20Z"])
  }

  @Test("has the plan in common, wherever and in whatever order the profiles are merged")
  func merging() throws {
    let folder = try Self.folder()
    _ = try Self.run(folder, 3, [])
    func merge(_ parts: [String], _ name: String) throws {
      let result = try Program.run(["merge-profiles", "-o", name] + parts, in: folder.path)
      #expect(result.status == 0, "\(result)")
    }
    try merge([], "none")
    try merge(["profile 2", "profile 3"], "23")
    try merge(["profile 1", "23"], "1 23")
    try merge(["profile 1", "profile 2"], "12")
    try merge(["profile 3", "none", "12"], "3 12")
    let content = try folder.store("1 23").content()
    let planned = try folder.convert("plan", "all", "-o", "same plan")
    let mixed =
      #"{"MTFolder":["modelContext"],"MTLibrary":["modelContext"],"MTNote":["modelContext"],"#
      + #""Note_list":["value"]}"#
    #expect(planned.output.hasPrefix("{\"mixed\":\(mixed),\"sha256\":"), "\(planned)")
    #expect(try folder.store("3 12").content() == content)
    #expect(try folder.store("all").content() == content)
    try merge(Array(repeating: "none", count: 150) + ["3 12"], "again")
    #expect(try folder.store("again").content() == content)
    let twice = try folder.convert("merge-profiles", "12", "profile 2", "-o", "twice")
    #expect(twice.status == 2)
    #expect(
      twice.errors == "profile 2: cannot be read: shard 2 has a profile in another file, too\n")
  }

  @Test(
    "is refused by name where rows of several archives depend on each other",
    arguments: [
      (
        "entities:\n  Note:\n    identity: [name]\n    attributes:\n      name: name\n",
        "its mapping has identities or splits values: rows of several archives are one"
      ),
      (
        "entities:\n  Note:\n    attributes:\n      at: { expression: now(), type: date }\n",
        "its mapping asks for the time"
      ),
      (
        "passes:\n  - name: a\n    entities:\n      Note:\n        attributes:\n          name: name\n"
          + "  - name: b\n    entities:\n      Item:\n        attributes:\n          name: name\n",
        "its mapping has passes"
      ),
    ])
  func refused(mapping: String, reason: String) throws {
    let folder = try Self.folder()
    try folder.write(mapping, to: "map.yaml")
    let result = try folder.convert(
      "profile", "none", "--shard", "1/2", "-o", "profile 1", "--mapping", "map.yaml")
    #expect(result.status == 2)
    #expect(result.errors == "profile 1: the run cannot be divided: \(reason)\n")
    #expect(try !folder.names().contains("profile 1"))
  }

  @Test("refuses shards that are missing, twice there, changed, or of another plan")
  func wrongShards() throws {
    let folder = try Self.folder()
    #expect(try Self.run(folder, 3, []).status == 1)
    func combine(_ shards: String...) throws -> String {
      let result = try Program.run(["combine", "-o", "wrong.db"] + shards, in: folder.path)
      #expect(result.status == 2, "\(result)")
      return result.errors
    }
    #expect(try combine("shard 1", "shard 3") == "shard 3: cannot be read: shard 2 is missing\n")
    #expect(try combine("shard 1", "shard 2") == "wrong.db: cannot be read: shard 3 is missing\n")
    #expect(
      try combine("shard 1", "shard 2", "shard 1")
        == "shard 1: cannot be read: shard 1 is there twice\n")
    let many = Array(repeating: "shard 1", count: 150)
    let repeated = try Program.run(["combine", "-o", "wrong.db"] + many, in: folder.path)
    #expect(repeated.errors == "shard 1: cannot be read: shard 1 is there twice\n")
    #expect(
      try combine("many.db") == "many.db: cannot be read: it is not the store of a shard\n")
    for arguments in [
      ["verify", "shard 1", "in"], ["in", "-o", "shard 1", "--if-exists", "append"],
    ] {
      let result = try Program.run(arguments, in: folder.path)
      #expect(result.status == 2)
      #expect(
        result.errors.hasSuffix("it is the store of a shard; combine makes one store of all\n"))
    }
    try StoreEditor(folder.file(named: "shard 2")).run("DELETE FROM Note WHERE id = 1")
    #expect(
      try combine("shard 1", "shard 2", "shard 3")
        == "wrong.db: cannot be written: the shards have other rows of Note than they had when they "
        + "were made\n")
    try folder.addNotes("in/0 note", ["name": "another"])
    let changed = try folder.convert(
      "--plan", "plan", "--shard", "1/3", "--files-from", "list 1", "-o", "shard 1", "--if-exists",
      "replace")
    #expect(changed.status == 2)
    #expect(
      changed.errors
        == "shard 1: the files of shard 1 have changed since its profile was taken\n")
    #expect(try Self.run(folder, 2, []).status == 1)
    #expect(
      try combine("shard 1", "shard 2", "shard 3")
        == "shard 3: cannot be read: it was made by another plan than shard 2\n")
  }

  @Test(
    "refuses options that do not go together",
    arguments: [
      (["in", "--plan", "p", "-o", "x"], "--plan and --shard are used together."),
      (
        ["in", "--plan", "p", "--shard", "1/2", "-o", "x", "--fts"],
        "--plan has the options that say what becomes of archives."
      ),
      (
        ["in", "--plan", "p", "--shard", "1/2", "-o", "x", "--resume"],
        "--plan cannot be used with --resume."
      ),
      (
        ["in", "--plan", "p", "--shard", "1/2", "-o", "x", "--include", "*.plist"],
        "--plan cannot be used with --include."
      ),
      (
        ["profile", "in", "--shard", "1/2", "-o", "x", "--plan", "p", "--provenance"],
        "--plan has the options that say what becomes of archives."
      ),
    ])
  func usage(arguments: [String], words: String) throws {
    let result = try Program.run(arguments)
    #expect(result.status == 64)
    #expect(result.errorLines.first == "Error: \(words)", "\(result)")
    let hooked = try Program.run(
      ["in", "--plan", "p", "--shard", "1/2", "-o", "x"], program: "mental-case-converter")
    #expect(hooked.errorLines.first == "Error: --plan cannot be used with hooks in Swift.")
    for shard in ["0/2", "3/2", "1", "1/2/3", "-1/2", "1/0", "9223372036854775808/1"] {
      #expect(try Program.run(["profile", "in", "--shard", shard, "-o", "x"]).status == 64)
    }
  }

  @Test("ends with the process that started it, if asked to")
  func orphan() throws {
    let folder = try TemporaryFolder()
    // The program waits for its list; its parent ends as soon as it does.
    let script = """
      mkfifo list out ready hold
      cat out &
      sh -c '"$0" --files-from list -o x.db --end-with-parent > out &
        (exec 4> list; echo > ready; read end < hold) &
        read started < ready' "$0"
      wait
      echo > hold
      echo ended
      """
    let result = try Program.run(
      ["-c", script, Program.path()], in: folder.path, program: nil)
    #expect(result.output == "ended\n", "\(result)")
    #expect(try folder.names() == ["hold", "list", "out", "ready"])
  }

  @Test("refuses files that are no profiles or plans, however they are damaged")
  func damaged() throws {
    let folder = try Self.folder()
    #expect(try Self.run(folder, 2, []).status == 1)
    try folder.write("text", to: "text")
    for (file, words) in [
      ("text", "file is not a database"), ("many.db", "it has no profiles of shards"),
      ("none", "No such file or directory"),
    ] {
      let result = try folder.convert("merge-profiles", file, "-o", "x")
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("\(file): cannot be read: "))
      #expect(result.errors.hasSuffix("\(words)\n"), "\(result)")
    }
    for change in [
      "UPDATE profile SET content = replace(content, '\"targets\":[', '\"targets\":[99999,')",
      "UPDATE profile SET content = substr(content, 2)",
      "UPDATE profile SET content = replace(content, '\"version\":\"', '\"version\":\"1')",
    ] {
      let changed = folder.file(named: "changed")
      try? FileManager.default.removeItem(atPath: changed)
      try FileManager.default.copyItem(atPath: folder.file(named: "all"), toPath: changed)
      try StoreEditor(changed).run(change)
      let result = try folder.convert("plan", "changed", "-o", "x")
      #expect(result.status == 2, "\(change): \(result)")
      #expect(result.errors.hasPrefix("changed: cannot be read: "), "\(result)")
    }
    let incomplete = try folder.convert("plan", "profile 2", "-o", "x")
    #expect(incomplete.errors == "profile 2: cannot be read: it has no profile of shard 1\n")
  }
}
