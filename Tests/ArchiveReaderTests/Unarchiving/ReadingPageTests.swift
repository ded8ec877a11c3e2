import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("The page about reading without a store")
struct ReadingPageTests {
  private static func text(of file: String) throws -> String {
    try String(contentsOfFile: "\(Repository.root)/\(file)", encoding: .utf8)
  }

  @Test("shows code that is compiled")
  func code() throws {
    let page = try Self.text(of: "Documentation/reading.md")
    let code = try Self.text(of: "Tests/ArchiveReaderTests/Unarchiving/ReadingPage.swift")
    let blocks = page.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }
      .map { String($0.element.dropFirst("swift\n".count)) }
    #expect(blocks.count == 2)
    for block in blocks { #expect(code.contains(block), "\(block)") }
  }

  @Test("shows code that reads a library and its notes")
  func example() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let library = archive.reserve()
      let notes = ["a", "b"].enumerated().map { place, title in
        archive.instance(
          of: "MTNote",
          [
            "title": archive.string(title), "rank": .integer(Int64(place)),
            "library": library.reference,
          ])
      }
      return archive.fill(
        library, className: "Library",
        ["title": archive.string("All"), "notes": archive.array(notes)])
    }
    let folder = try TemporaryFolder()
    let path = try folder.write(archive.binary(), to: "library.archive")
    let library = try #require(try library(at: path))
    #expect(library.title == "All")
    #expect(library.notes.map { "\($0.title) \($0.rank)" } == ["a 0", "b 1"])
    #expect(library.notes.allSatisfy { $0.library === library })
  }
}
