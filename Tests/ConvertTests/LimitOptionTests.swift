import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("The option for limits")
struct LimitOptionTests {
  /// An archive with a list of two levels in an object of a class.
  private static let archive = KeyedArchiveBuilder.archive { archive in
    archive.instance(of: "Note", ["list": [[1]]])
  }

  @Test("lowers and raises a limit; the error names both", arguments: ["run", "infer", "inspect"])
  func movesLimits(command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(try Self.archive.xml(), to: "a.xml")
    let output = command == "inspect" ? [] : ["-o", "out"]
    func run(_ options: [String]) throws -> Program.Result {
      try Program.run([command, "a.xml"] + options + output, in: folder.path)
    }
    let lower = try run(["--limit", "depth=3"])
    #expect(lower.status == 2)
    #expect(
      lower.errors == "a.xml: nesting is deeper than the limit of 3 levels; "
        + "raise it with --limit depth=N (line 22)\n")
    #expect(try folder.names() == ["a.xml"])
    let several = ["--limit", "depth=3", "--limit", "values=100", "--limit", "depth=9"]
    #expect(try run(several).status == 0)
  }

  @Test("bounds a compiled model, too", arguments: ["model", "check"])
  func boundsModels(command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.archive.binary(), to: "a.mom")
    try folder.write("model: a.mom\n", to: "a.yaml")
    let file = command == "model" ? "a.mom" : "a.yaml"
    let result = try folder.convert(command, file, "--limit", "values=5")
    #expect(result.status == 2)
    #expect(result.errors.contains("the file holds more values than the limit of 5"))
    #expect(result.errors.contains("raise it with --limit values=N"))
  }

  @Test(
    "says what is wrong with its value",
    arguments: [
      ("depth", "Specify a limit as name=number, such as depth=1000."),
      (
        "dpth=1",
        "There is no limit with this name; the limits are depth, chain, expansion, classes,"
      ),
      ("depth=0", "The limit depth must be a whole number from 1 to 4096."),
      ("depth=4097", "The limit depth must be a whole number from 1 to 4096."),
      ("depth=x", "The limit depth must be a whole number from 1 to 4096."),
      ("chain=", "The limit chain must be a whole number from 1 to 1000000."),
      ("values=4294967295", "The limit values must be a whole number from 1 to 4294967294."),
      ("xml-bytes=99999999999999999999", "The limit xml-bytes must be a whole number from 1 to"),
    ])
  func refusesOtherValues(value: String, words: String) throws {
    let result = try TemporaryFolder().convert("inspect", "a", "--limit", value)
    #expect(result.status == 64)
    #expect(result.errors.contains(words))
  }

  @Test(
    "is refused where a command has no use for it",
    arguments: [
      ("inspect", "classes"), ("inspect", "nested-archives"), ("check", "classes"),
      ("check", "expansion"), ("model", "nesting"), ("model", "parts"),
    ])
  func refusesUseless(command: String, name: String) throws {
    let result = try TemporaryFolder().convert(command, "a", "--limit", "\(name)=1")
    #expect(result.status == 64)
    #expect(result.errors.contains("\(command) does not use the limit \(name)."))
  }
}
