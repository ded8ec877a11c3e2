import Foundation
import TestSupport
import Testing

@Suite("The list of files with unsafe memory in internals/structure.md")
struct UnsafeFilesTests {
  private static func listed() throws -> Set<String> {
    let page = try String(
      contentsOfFile: "\(Repository.root)/Documentation/internals/structure.md", encoding: .utf8)
    let section = page.components(separatedBy: "## Unsafe memory\n").last ?? ""
    let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }
    return Set(
      cells.flatMap { cell in
        cell.split(separator: "`").map(String.init).filter { !$0.contains(" ") }
      })
  }

  /// The names of the files whose code names a type of unsafe pointers, other than in texts.
  private static func found() throws -> Set<String> {
    let folder = "\(Repository.root)/Sources"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var names: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let code = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
      let withoutTexts = code.replacing(/"[^"\n]*"/, with: "")
      guard withoutTexts.contains(/Unsafe(Mutable)?(Raw)?(Buffer)?Pointer/) else { continue }
      names.insert(String(path.split(separator: "/").last?.dropLast(6) ?? ""))
    }
    return names
  }

  @Test("names just the files that name unsafe types")
  func isTrue() throws {
    let found = try Self.found()
    let listed = try Self.listed()
    #expect(listed.subtracting(found) == [], "the page names files that name none")
    #expect(found.subtracting(listed) == [], "files to add to the page")
    #expect(found.contains("BorrowedBytes"))
  }
}
