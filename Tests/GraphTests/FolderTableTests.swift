import Foundation
import TestSupport
import Testing

@Suite("The table of folders in internals/structure.md")
struct FolderTableTests {
  /// A file of Swift in a folder of a module.
  private struct SourceFile {
    /// The module and the folder in it, "Importer/Rows": folders inside of that one count as it.
    var folder: String
    /// The types that it declares, those of other types left out.
    var types: Set<String> = []
    /// The words of its code.
    var words: Set<String> = []

    init(_ code: String, in folder: String) {
      self.folder = folder
      let withoutTexts = code.components(separatedBy: "\"\"\"").enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
      for line in withoutTexts.split(separator: "\n") {
        let line = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
          .replacing(/"[^"]*"/, with: "")
        if line.first?.isWhitespace == false, let type = Self.type(declaredIn: line) {
          types.insert(type)
        }
        for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
          words.insert(String(word))
        }
      }
    }

    /// The type that a line declares for other files.
    private static func type(declaredIn line: Substring) -> String? {
      let words = line.split(separator: " ")
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
        words[..<kind].allSatisfy({ $0 != "private" && $0 != "fileprivate" })
      else { return nil }
      return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  /// The module and the folder in it that a path begins with; nil for files at a module's top.
  private static func folder(of path: some StringProtocol) -> String? {
    let parts = path.split(separator: "/")
    return parts.count < 2 ? nil : parts.prefix(2).joined(separator: "/")
  }

  private static func sources() throws -> [SourceFile] {
    let root = "\(Repository.root)/Sources"
    return try FileManager.default.subpathsOfDirectory(atPath: root).compactMap { path in
      guard path.hasSuffix(".swift"),
        let folder = folder(of: (path as NSString).deletingLastPathComponent)
      else { return nil }
      return SourceFile(
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8), in: folder)
    }
  }

  /// The folders of the table, in its order.
  private static func documented() throws -> [String] {
    let page = try String(
      contentsOfFile: "\(Repository.root)/Documentation/internals/structure.md", encoding: .utf8)
    let table = page.components(separatedBy: "| folder | contents |\n| --- | --- |\n").last ?? ""
    var folders: [String] = []
    for row in table.split(separator: "\n", omittingEmptySubsequences: false) {
      guard row.hasPrefix("| ") else { break }
      for name in row.split(separator: "|")[0].split(separator: "`") {
        if let folder = folder(of: name), !folders.contains(folder) { folders.append(folder) }
      }
    }
    return folders
  }

  @Test("names all folders of the modules")
  func isComplete() throws {
    let missing = try Set(Self.sources().map(\.folder)).subtracting(Self.documented())
    #expect(missing == [])
  }

  @Test("has folders that use those above them alone, but for what the page says")
  func hasArrowsOneWay() throws {
    let files = try Self.sources()
    let order = try Self.documented()
    var homes: [String: Set<String>] = [:]
    for file in files {
      for type in file.types { homes[type, default: []].insert(file.folder) }
    }
    var backward: Set<String> = []
    for file in files {
      for word in file.words {
        guard let homes = homes[word], homes.count == 1, let home = homes.first,
          home.split(separator: "/")[0] == file.folder.split(separator: "/")[0],
          let own = order.firstIndex(of: file.folder), let other = order.firstIndex(of: home),
          other > own
        else { continue }
        backward.insert("\(file.folder) uses \(home)")
      }
    }
    let exceptions: Set = [
      "Importer/Rows uses Importer/Context", "Importer/Context uses Importer/Session",
      "Importer/Session uses Importer/Hooks", "Importer/Session uses Importer/Policies",
    ]
    #expect(backward == exceptions)
    #expect(files.count > 500)
  }
}
