import Foundation
import TestSupport
import Testing

@Suite("The pages on the code name types and files that exist")
struct NamedTypesTests {
  /// The words of all sources, and the names of their files and folders.
  private static func words() throws -> Set<Substring> {
    let folder = "\(Repository.root)/Sources"
    var words: Set<Substring> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard path.hasSuffix(".swift") || path.hasSuffix(".c") else { continue }
      for part in path.split(separator: "/") {
        words.formUnion([part, part.prefix { $0 != "." }])
      }
      let code = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
      words.formUnion(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    }
    return words
  }

  @Test(
    "None is unknown to the sources",
    arguments: ["architecture.md", "internals/decisions.md"])
  func areKnown(page: String) throws {
    let text = try String(
      contentsOfFile: "\(Repository.root)/Documentation/\(page)", encoding: .utf8)
    let words = try Self.words()
    // A type, one inside of another, or a file that is named after an extension.
    let names = text.matches(of: /`(?:[A-Z]\w*\.)?([A-Z]\w+(?:\+\w+|\.[a-z]+)?)`/).map(\.output.1)
    #expect(names.count > 10)
    #expect(
      Set(names.filter { !words.contains($0) && !words.contains($0.prefix { $0 != "." }) }) == [])
  }
}
