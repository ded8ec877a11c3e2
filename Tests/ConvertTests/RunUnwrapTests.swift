import ArchiveReader
import ArchiveWriter
import Foundation
import Support
import TestSupport
import Testing

@Suite("convert run --unwrap")
struct RunUnwrapTests {
  private static func leaf(_ name: String) -> Data {
    KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Leaf", ["name": archive.string(name)])
    }.binary()
  }

  private static func lines(_ data: Data) -> Data {
    data.base64EncodedData(options: [.lineLength64Characters, .endLineWithCarriageReturn])
  }

  /// What is around an archive, and the steps into it.
  struct Wrapping: Sendable, CustomTestStringConvertible {
    var steps: [String]
    var wrap: @Sendable (Data) -> Data
    var testDescription: String { steps.joined(separator: ", ") }
  }

  static let wrappings = [
    Wrapping(steps: ["skip=12"]) { Data(count: 12) + $0 },
    Wrapping(steps: ["skip=30000"]) { Data(count: 30_000) + $0 },
    Wrapping(steps: ["gzip"]) { ContainerMaker.gzip($0) },
    Wrapping(steps: ["gzip"]) {
      ContainerMaker.gzip($0.prefix(100)) + ContainerMaker.gzip($0.dropFirst(100))
    },
    Wrapping(steps: ["base64"]) { lines($0) },
    Wrapping(steps: ["base64"]) { Data("\n \t".utf8) + $0.base64EncodedData() + Data("\n".utf8) },
    Wrapping(steps: ["skip=4", "base64", "gzip"]) {
      Data("data".utf8) + lines(ContainerMaker.gzip($0))
    },
    Wrapping(steps: ["gzip", "skip=1", "skip=2"]) { ContainerMaker.gzip(Data("abc".utf8) + $0) },
  ]

  private static func options(_ steps: [String]) -> [String] { steps.flatMap { ["--unwrap", $0] } }

  @Test("converts what is inside of files, beside files that need no steps", arguments: wrappings)
  func files(wrapping: Wrapping) throws {
    let folder = try TemporaryFolder()
    try folder.write(wrapping.wrap(Self.leaf("a")), to: "in/wrapped")
    try folder.write(Self.leaf("b"), to: "in/plain")
    try folder.write("text", to: "in/text")
    let without = try folder.convert("in", "-o", "0.db", "-q")
    #expect(without.status == 0)
    let result = try Program.run(
      ["in", "-o", "1.db", "-q", "--verify"] + Self.options(wrapping.steps), in: folder.path)
    #expect(result.status == 0, "\(result)")
    try folder.store("1.db").expect("SELECT name FROM Leaf ORDER BY name", ["a", "b"])
    try folder.store("0.db").expect("SELECT name FROM Leaf", ["b"])
    // The store says how to get inside.
    #expect(try folder.convert("verify", "1.db", "in", "-q").status == 0)
    #expect(
      try Program.run(
        ["inspect", "--json", "in/wrapped"] + Self.options(wrapping.steps), in: folder.path
      ).output.contains("\"Leaf\""))
  }

  @Test("converts what is inside of data values with --open-nested", arguments: wrappings)
  func nested(wrapping: Wrapping) throws {
    let folder = try TemporaryFolder()
    let value = PropertyListValue.data(wrapping.wrap(Self.leaf("a")))
    try folder.write(
      BinaryPropertyListWriter().data(for: ["state": value]), to: "preferences.plist")
    let result = try Program.run(
      ["preferences.plist", "-o", "1.db", "-q", "--verify", "--open-nested"]
        + Self.options(wrapping.steps), in: folder.path)
    #expect(result.status == 0, "\(result)")
    try folder.store("1.db").expect("SELECT name FROM Leaf", ["a"])
    #expect(try folder.convert("verify", "1.db", "preferences.plist", "-q").status == 0)
    #expect(try folder.convert("preferences.plist", "-o", "0.db", "--open-nested").status == 2)
  }

  @Test("keeps the steps of each run for a verification")
  func runs() throws {
    let folder = try TemporaryFolder()
    try folder.write(ContainerMaker.gzip(Self.leaf("a")), to: "first/a")
    try folder.write(Self.lines(Self.leaf("b")), to: "second/b")
    #expect(try folder.convert("first", "-o", "1.db", "-q", "--unwrap", "gzip").status == 0)
    let more = ["second", "-o", "1.db", "-q", "--unwrap", "base64", "--if-exists", "append"]
    #expect(try Program.run(more, in: folder.path).status == 0)
    let result = try folder.convert("verify", "1.db", "first", "second")
    #expect(result.status == 0, "\(result)")
    try folder.write(Self.lines(Self.leaf("c")), to: "second/c")
    let further = try folder.convert("verify", "1.db", "first", "second")
    #expect(further.output.contains("second/c: is not in the store"), "\(further)")
  }

  @Test(
    "rejects what is not wrapped as the steps say",
    arguments: [
      ("gzip", "in: cannot be unwrapped: it is not gzip\n"),
      ("skip=3", "in: is not a keyed archive: it is a gzip file\n"),
    ])
  func damaged(step: String, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(ContainerMaker.gzip(Self.leaf("a")).dropLast(9), to: "in")
    let result = try folder.convert("in", "-o", "1.db", "--unwrap", step)
    #expect(result.status == 2)
    #expect(result.errors == words)
  }

  @Test("limits how far a file of gzip grows")
  func limit() throws {
    let folder = try TemporaryFolder()
    let long = Self.leaf(String(repeating: "a", count: 4 << 20))
    try folder.write(ContainerMaker.gzip(long), to: "in")
    let result = try folder.convert("in", "-o", "1.db", "--unwrap", "gzip")
    #expect(result.status == 2)
    #expect(result.errors.contains("limit of 64 times"), "\(result)")
    #expect(
      try folder.convert(
        "in", "-o", "1.db", "-q", "--unwrap", "gzip", "--limit", "expansion=2000"
      ).status == 0)
  }

  @Test(
    "refuses steps that are none",
    arguments: ["zip", "skip=", "skip=0", "skip=-1", "skip=32769", ""])
  func wrong(step: String) throws {
    let folder = try TemporaryFolder()
    #expect(try folder.convert("in", "-o", "1.db", "--unwrap", step).status == 64)
  }
}
