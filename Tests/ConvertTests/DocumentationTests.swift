import Foundation
import TestSupport
import Testing

@Suite("The documentation shows what the program does")
struct DocumentationTests {
  /// A command of a page and what the page says that it prints.
  struct Example: CustomTestStringConvertible {
    var page: String
    var command: String
    var output: [String]
    /// Whether the page leaves out the end of the output, with a line "…".
    var isCut: Bool

    var testDescription: String { "\(page): \(command)" }
  }

  static let pages = ["README.md"] + documentationPages

  private static var documentationPages: [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root)/Documentation")
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
  }

  /// The commands in the blocks marked `console`, in the order of the page.
  static func examples(in page: String) throws -> [Example] {
    let text = try String(contentsOfFile: "\(Repository.root)/\(page)", encoding: .utf8)
    var examples: [Example] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        examples.append(
          Example(page: page, command: String(line.dropFirst(2)), output: [], isCut: false))
      } else if isInside, line == "…" {
        examples[examples.count - 1].isCut = true
      } else if isInside {
        examples[examples.count - 1].output.append(String(line))
      }
    }
    return examples
  }

  @Test("The commands of a page print what the page says", arguments: pages)
  func examples(page: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(named: "SampleArchives"), withDestinationPath: Repository.samples)
    for example in try Self.examples(in: page) {
      let words = Self.words(example.command)
      var printed: [String]
      switch words.first {
      case "archive-convert":
        let result = try Program.run(Array(words.dropFirst()), in: folder.path)
        try #require(result.status == 0, "\(example): \(result)")
        #expect(result.errors == "", "\(example)")
        printed = result.output.split(separator: "\n", omittingEmptySubsequences: false)
          .dropLast().map(String.init)
      case "sqlite3":
        try #require(words.count == 3, "\(example)")
        printed = try StoreQuery(folder.file(named: words[1])).lines(words[2])
      default:
        Issue.record("no test knows how to run \(example)")
        continue
      }
      if example.isCut { printed = Array(printed.prefix(example.output.count)) }
      #expect(
        printed.map(\.masked) == example.output.map(\.masked), "\(example)")
    }
  }

  @Test("The README has examples")
  func readmeHasExamples() throws {
    #expect(try Self.examples(in: "README.md").count >= 2)
  }

  /// The words of a command, as a shell splits them; it may quote with `"`.
  private static func words(_ command: String) -> [String] {
    var words: [String] = [""]
    var isQuoted = false
    for character in command {
      switch character {
      case "\"": isQuoted.toggle()
      case " " where !isQuoted: words.append("")
      default: words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
