import ArchiveWriter
import Foundation
import Support
import TestSupport
import Testing

/// Lists that are longer than a report keeps them in memory.
@Suite("convert run --report-full")
struct RunFullReportTests {
  /// More than a report lists.
  private static let count = 1_234
  private static let rounding =
    "entities: {Thing: {attributes: {price: {convert: {decimal: {scale: 2, rounding: halfUp}}}}}}"

  /// An archive of things, each with a price that is rounded.
  private static func prices(_ count: Int = count) -> Data {
    KeyedArchiveBuilder.archive { archive in
      archive.array(
        (0..<count).map { number in
          archive.instance(of: "Thing", ["price": .real(Double(number) + 0.125)])
        })
    }.binary()
  }

  /// An archive of things, each with a name of which something is lost.
  private static func names(_ count: Int, of number: Int = 0) -> Data {
    KeyedArchiveBuilder.archive { archive in
      let name = PropertyListValue.utf16([0x100 + UInt16(number), 0xDC00])
      return archive.array((0..<count).map { _ in archive.instance(of: "Thing", ["name": name]) })
    }.binary()
  }

  /// The lines of a full report: of each, the list and some fields.
  private static func lines(
    _ folder: TemporaryFolder, _ fields: String..., name: String = "all.jsonl"
  ) throws -> [String] {
    try folder.text(of: name).split(separator: "\n").map { line in
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return (["list"] + fields).map { "\(object[$0] ?? "-")" }.joined(separator: " ")
    }
  }

  @Test("lists every value of which something was lost, and all forms count them by kind")
  func losses() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.prices(), to: "archive")
    try folder.write(Self.rounding, to: "m.yaml")
    let result = try folder.convert(
      "archive", "--mapping", "m.yaml", "-o", "out.db", "--report", "r.json", "--report", "r.md",
      "--report", "r.html", "--report-full", "all.jsonl")
    #expect(result.status == 0)
    let words = """
      Lossy: 1,234 values could not be kept exactly.
        Thing.price: rounded to 2 digits: 1,234 times, first in archive object 1

      """
    #expect(result.output.hasSuffix(words), "\(result.output)")
    #expect(try folder.convert("report", "out.db").output.hasSuffix(words))
    #expect(try folder.convert("report", "r.json").output.hasSuffix(words))
    #expect(
      try Self.lines(folder, "archive", "class", "key", "before", "after", "reason")
        == (0..<Self.count).map { number in
          "lossyConversions archive Thing price \(number).125 \(number).13 rounded to 2 digits"
        })
    #expect(try Set(Self.lines(folder, "uid")).count == Self.count)
    let kind = "| `Thing.price` | `rounded to 2 digits` | 1,234 |"
    #expect(try folder.text(of: "r.md").contains(kind))
    #expect(
      try folder.text(of: "r.md").contains("… and 1,134 more: use --report-full to list all."))
    #expect(try folder.text(of: "r.html").contains("Lossy conversions by kind"))
    let report = try folder.report()
    #expect(report.contains("\"lossyConversionsLeftOut\" : 234"))
    #expect(report.contains("\"count\" : 1234"))
  }

  @Test(
    "is the same however many archives are read at a time",
    arguments: [["-o", "out"], ["--store-per-archive", "out"], ["-o", "out", "--verify"]])
  func jobs(outputs: [String]) throws {
    let folder = try TemporaryFolder()
    // Enough for groups that several threads prepare, where all go into one store.
    let count = outputs.contains("-o") ? 300 : 40
    let losses = (0..<count).reduce(0) { $0 + 1 + $1 % 11 }
    for number in 0..<count {
      try folder.write(Self.names(1 + number % 11, of: number), to: "in/\(1_000 + number)")
    }
    var found: [[String]] = []
    for jobs in ["1", "4"] {
      let result = try Program.run(
        ["in", "--jobs", jobs, "--report-full", "all.jsonl"] + outputs, in: folder.path)
      #expect(result.status == 0)
      let times = Words.count(losses, "time")
      #expect(result.output.contains("U+FFFD: \(times), first in in/1000 object 1\n"))
      found.append(try Self.lines(folder, "archive", "uid"))
      try FileManager.default.removeItem(atPath: folder.file(named: "out"))
    }
    #expect(found[0].count == losses)
    #expect(Set(found[0]).count == losses)
    #expect(found[0] == found[1])
  }

  @Test("is whole after a run that goes on with another, which must have been asked for it, too")
  func resumed() throws {
    let folder = try TemporaryFolder()
    for number in 0..<6 { try folder.write(Self.names(400, of: number), to: "in/\(number)") }
    let arguments = ["in", "-o", "out.db", "-q", "--report-full", "all.jsonl"]
    #expect(try Program.run(arguments, in: folder.path).status == 0)
    let whole = try folder.text(of: "all.jsonl")
    #expect(whole.utf8.count { $0 == UInt8(ascii: "\n") } == 2_400)
    try FileManager.default.removeItem(atPath: folder.file(named: "out.db"))
    for moment in ["checkpoint 3 9", "checkpoint 5 9"] {
      let ended = try Program.start(
        arguments + ["--resume"], in: folder.path, environment: ["CONVERT_END_AT": moment],
        program: "killed-converter"
      ).wait()
      #expect(ended.signal == SIGKILL)
    }
    try FileManager.default.removeItem(atPath: folder.file(named: "all.jsonl"))
    let other = try folder.convert("in", "-o", "out.db", "-q", "--resume")
    #expect(other.status == 2)
    #expect(other.errors.contains("an option has changed since the interrupted run\n"))
    let result = try Program.run(arguments + ["--resume", "--report", "r.json"], in: folder.path)
    #expect(result.errors == "resuming after 5 completed archives\n")
    #expect(result.status == 0)
    #expect(try folder.text(of: "all.jsonl") == whole)
    #expect(try folder.report().contains("\"count\" : 2400"))
    try folder.store().expectSound()
  }

  @Test("lists what breaks the rules, though there is no store, and what archives leave out")
  func errors() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.prices(), to: "in/archive")
    for number in 0..<1_100 { try folder.write("text", to: "in/texts/\(1_000 + number)") }
    try folder.write("entities: {Thing: {attributes: {price: {maximum: 100}}}}", to: "m.yaml")
    let arguments = [
      "in", "--mapping", "m.yaml", "-o", "out.db", "--report-full", "all.jsonl", "--report",
      "r.json",
    ]
    let result = try Program.run(arguments, in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors.contains("(and 1133 more)"), "\(result.errors)")
    let lines = try Self.lines(folder, "path", "property")
    #expect(
      lines
        == ["rejected in/archive -"]
        + (0..<1_100).map { "skippedFiles in/texts/\(1_000 + $0) -" }
        + (100..<Self.count).map { _ in "validationErrors - price" })
    #expect(try Set(Self.lines(folder, "path", "uid")).count == lines.count)
    let again = try folder.convert("report", "r.json")
    #expect(again.output.contains("1,134 times, first in object "), "\(again.output)")
    #expect(try folder.report().contains("\"skippedFiles\" : 1100"))
  }

  @Test("of a verification lists every difference")
  func differences() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.prices(), to: "archive")
    #expect(try folder.convert("archive", "-o", "out.db", "-q").status == 0)
    try StoreEditor(folder.file(named: "out.db")).run("UPDATE Thing SET price = price + 1")
    let result = try folder.convert(
      "verify", "out.db", "archive", "--report-full", "all.jsonl", "--report", "r.json")
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("Verification failed: 1,234 differences; "))
    #expect(
      result.output.hasSuffix("  … and 1,224 more: use --report-full to list all.\n"),
      "\(result.output)")
    #expect(
      try Self.lines(folder, "row", "property")
        == (1...Self.count).map { "differences \($0) price" })
  }

  @Test("lists every reference that leads to no row")
  func references() throws {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { archive in
      let shelf = archive.instance(of: "Shelf", ["name": "a"])
      return archive.array(
        (0..<Self.count).map { _ in archive.instance(of: "Thing", ["shelf": shelf]) })
    }
    try folder.write(archive.binary(), to: "archive")
    #expect(try folder.convert("archive", "-o", "out.db", "-q").status == 0)
    try StoreEditor(folder.file(named: "out.db")).run("UPDATE Thing SET shelf_id = 99")
    let result = try folder.convert(
      "verify", "out.db", "archive", "--report-full", "all.jsonl", "-q")
    #expect(result.status == 1)
    let lines = try Self.lines(folder, "expected")
    #expect(lines.count { $0 == "differences a row of Shelf" } == Self.count)
  }

  @Test("of a dry run is written, too, and may go to standard output")
  func dryRun() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.names(1_100), to: "archive")
    let result = try folder.convert(
      "archive", "-o", "out.db", "--dry-run", "-q", "--report-full", "/dev/stdout")
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == 1_100)
    #expect(try folder.names() == ["archive"])
  }

  @Test("is empty where there is nothing to list, and takes the place of a file with its mode")
  func empty() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("before", to: "all.jsonl")
    #expect(chmod(folder.file(named: "all.jsonl"), 0o600) == 0)
    let result = try folder.convert(
      "Locations.archive", "-o", "out.db", "-q", "--report-full", "all.jsonl", "--if-exists",
      "replace")
    #expect(result.status == 0)
    #expect(try folder.text(of: "all.jsonl") == "")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file(named: "all.jsonl"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  /// Places where the full report cannot be, with the exit code and the words.
  private static let places: [(arguments: [String], status: Int32, words: String)] = [
    (
      ["--report-full", "absent/all"], 2,
      "absent/all: the full report cannot be written: there is no folder 'absent'\n"
    ),
    (["--report-full", "in"], 2, "in: the full report cannot be written: Is a directory\n"),
    (["--report-full", "in/a"], 2, "in/a: is an input and must not be overwritten\n"),
    (["--report-full", "out.db"], 2, "out.db: is the store itself and must not be overwritten\n"),
    (
      ["--report-full", "r.json", "--report", "r.json"], 64,
      "Error: --report and --report-full name the same file, 'r.json'.\n"
    ),
  ]

  @Test("is refused before anything is read where it cannot be written", arguments: places)
  func refused(arguments: [String], status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a")
    let result = try Program.run(["in", "-o", "out.db"] + arguments, in: folder.path)
    #expect(result.status == status)
    #expect(result.errors.hasPrefix(words), "\(result.errors)")
    #expect(try folder.names() == ["in"])
  }

  #if os(Linux)
    @Test("ends with 1 if there is no room for it in the end; the store is there")
    func noRoom() throws {
      let folder = try TemporaryFolder()
      try folder.write(Self.names(1_100), to: "archive")
      let result = try folder.convert(
        "archive", "-o", "out.db", "-q", "--report-full", "/dev/full", "--report", "r.json")
      #expect(result.status == 1)
      #expect(
        result.errors == "/dev/full: the full report cannot be written: No space left on device\n")
      try folder.store().expectSound()
      #expect(try folder.names() == ["archive", "out.db", "r.json"])
    }
  #endif

  @Test("says what it lacks of stores that an earlier run made")
  func lacking() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.names(1_100), to: "in/a")
    #expect(try folder.convert("in", "--store-per-archive", "out", "-q").status == 0)
    let result = try folder.convert(
      "in", "--store-per-archive", "out", "-q", "--resume", "--report-full", "all.jsonl")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "all.jsonl: is missing 100 entries that an earlier run counted but did not list\n")
    #expect(try Self.lines(folder).count == 1_000)
  }
}
