import Foundation
import TestSupport
import Testing

@Suite("The documentation shows what the program does")
struct DocumentationTests {
  /// A command of a page and what the page says that it prints.
  struct Example: CustomTestStringConvertible {
    var page: String
    var command: String
    var output: [String] = []
    /// Whether the page leaves out the end of the output, with a line "…".
    var isCut = false
    /// What the page says that `echo $?` prints behind the command: then errors are part of the
    /// output.
    var status: String?
    /// The files that the page gives before the command.
    var files: [(name: String, text: String)] = []

    var testDescription: String { "\(page): \(command)" }
  }

  static let pages = ["README.md"] + documentationPages

  private static var documentationPages: [String] {
    let names = try? FileManager.default.subpathsOfDirectory(
      atPath: "\(Repository.root)/Documentation")
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
  }

  /// The commands in the blocks marked `console`, in the order of the page, with the files that
  /// stand before them: blocks marked `yaml` behind a line like "`NAME.yaml`:".
  static func examples(in page: String) throws -> [Example] {
    let text = try String(contentsOfFile: "\(Repository.root)/\(page)", encoding: .utf8)
    var examples: [Example] = []
    var files: [(name: String, text: String)] = []
    var name: String?
    var block: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        block = block == nil ? line : nil
        if block == "```yaml", let name { files.append((name, "")) }
        if block == nil { name = nil }
      } else if block == nil {
        if let match = line.wholeMatch(of: /`([\w\-]+\.yaml)`:/) { name = String(match.1) }
      } else if block == "```yaml", name != nil {
        files[files.count - 1].text += line + "\n"
      } else if block == "```console" {
        try read(line, into: &examples, page, &files)
      }
    }
    return examples
  }

  private static func read(
    _ line: String, into examples: inout [Example], _ page: String,
    _ files: inout [(name: String, text: String)]
  ) throws {
    if line.hasPrefix("$ "), line != "$ echo $?" {
      examples.append(Example(page: page, command: String(line.dropFirst(2)), files: files))
      files = []
      return
    }
    try #require(!examples.isEmpty)
    let last = examples.count - 1
    if line == "$ echo $?" {
      examples[last].status = ""
    } else if examples[last].status == "" {
      examples[last].status = line
    } else if line == "…" {
      examples[last].isCut = true
    } else {
      examples[last].output.append(line)
    }
  }

  @Test("The commands of a page print what the page says", arguments: pages)
  func examples(page: String) throws {
    let folder = try TemporaryFolder()
    for name in ["SampleArchives", "Examples"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(named: name), withDestinationPath: "\(Repository.root)/\(name)")
    }
    try SampleDatabase.makeManifest(at: folder.file(named: "Manifest.db"))
    try MessagesDatabase.make(
      at: folder.file(named: "chat.db"), .sequoia, MessagesDatabase.sample)
    for example in try Self.examples(in: page) {
      for file in example.files { try folder.write(file.text, to: file.name) }
      let words = Self.words(example.command)
      var printed: [String]
      switch words.first {
      case "archive-convert", "mental-case-converter", "migration-examples":
        let input = words.firstIndex(of: "<") ?? words.endIndex
        let result = try Program.run(
          Array(words[1..<input]), in: folder.path,
          redirection: words[input...].joined(separator: " "), program: words[0])
        let status = result.status.map(String.init)
        try #require(status == example.status ?? "0", "\(example): \(result)")
        #expect(result.errors == "" || example.status != nil, "\(example)")
        printed = (result.errors + result.output)
          .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      case "cp", "head", "ls", "mkdir":
        let result = try Program.run(["-c", example.command], in: folder.path, program: nil)
        try #require(result.status == 0, "\(example): \(result)")
        printed = result.output.split(separator: "\n").map(String.init)
      case "sqlite3":
        try #require(words.count == 3, "\(example)")
        let store = folder.file(named: words[1])
        if words[2].hasPrefix("UPDATE") {
          try StoreEditor(store).run(words[2])
          printed = []
        } else {
          printed = try StoreQuery(store).lines(words[2])
        }
      default:
        Issue.record("no test knows how to run \(example)")
        continue
      }
      if example.isCut { printed = Array(printed.prefix(example.output.count)) }
      #expect(
        printed.map(\.shown) == example.output.map(\.masked), "\(example)")
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

extension String {
  /// A line as pages show it: without what differs for each reader, which is the size of a store and
  /// the UUID of a new one.
  fileprivate var shown: String {
    masked.replacing(", # kB", with: "").replacing("store     #", with: "store     …")
  }
}
