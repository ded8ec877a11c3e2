import Foundation
import TestSupport
import Testing

@Suite("The table of modules in architecture.md")
struct ModuleTableTests {
  /// The modules that each module of a list uses, those of C and of other packages left out.
  private typealias Uses = [String: Set<String>]

  /// The names in quotes or backticks.
  private static func names(in text: some StringProtocol, between mark: Character) -> [String] {
    text.split(separator: mark, omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func documented() throws -> Uses {
    let page = try String(
      contentsOfFile: "\(Repository.root)/Documentation/architecture.md", encoding: .utf8)
    let head = "| module | purpose | uses |\n| --- | --- | --- |\n"
    let table = page.components(separatedBy: head).last ?? ""
    var uses: Uses = [:]
    for row in table.split(separator: "\n", omittingEmptySubsequences: false) {
      guard row.hasPrefix("| ") else { break }
      let names = names(in: row, between: "`")
      uses[names[0]] = Set(names.dropFirst())
    }
    return uses
  }

  private static func declared(_ modules: Set<String>) throws -> Uses {
    let package = try String(
      contentsOfFile: "\(Repository.root)/Package.swift", encoding: .utf8)
    var uses: Uses = [:]
    for target in package.components(separatedBy: "arget(").dropFirst() {
      // Up to the next target, comments left out.
      let lines = target.split(separator: "\n").filter { !$0.contains("//") }
      let names = names(in: lines.joined(separator: "\n"), between: "\"")
      guard let name = names.first, modules.contains(name), uses[name] == nil else { continue }
      uses[name] = Set(names.dropFirst()).intersection(modules)
    }
    return uses
  }

  @Test("is what Package.swift says")
  func isTrue() throws {
    let documented = try Self.documented()
    #expect(documented.count >= 10)
    #expect(try Self.declared(Set(documented.keys)) == documented)
  }

  @Test("names all modules with sources of their own")
  func isComplete() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root)/Sources")
    let modules = folders.filter { name in
      // Modules of C have a folder of headers, or a map.
      let path = "\(Repository.root)/Sources/\(name)"
      return !["include", "module.modulemap"].contains { part in
        FileManager.default.fileExists(atPath: "\(path)/\(part)")
      }
    }
    #expect(try Set(modules) == Set(Self.documented().keys))
  }

  @Test("has arrows that point one way")
  func hasNoCircle() throws {
    var left = try Self.documented()
    while let free = left.first(where: { $0.value.allSatisfy { left[$0] == nil } })?.key {
      left[free] = nil
    }
    #expect(left.isEmpty, "a circle: \(left.keys.sorted())")
  }
}
