import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Memory")
struct MemoryTests {
  @Test("of a run with hooks does not hold a copy of what the archive holds")
  func hooks() throws {
    let folder = try TemporaryFolder()
    try folder.addLibrary("small.archive", notes: 10)
    try folder.addLibrary("large.archive", notes: 6_000)
    func converts(_ archive: String, _ mebibytes: Int) throws -> Bool {
      try succeeds(
        [archive, "--model", "\(Repository.root)/Examples/MentalCase/MentalCase.xcdatamodeld"],
        in: folder, mebibytes, program: "mental-case-converter")
    }
    let small = try leastMebibytes { try converts("small.archive", $0) }
    // The notes hold 94 MiB, of which SQLite keeps some pages in memory, and the run a batch. The
    // stack of the thread that takes the profile counts as 16, and more rows wait for SQLite where
    // the machine is busy.
    #expect(
      try sizes(upTo: small + 72).reversed().contains { try converts("large.archive", $0) })
    let store = try folder.store()
    try store.expect("SELECT count(*), sum(length(answer)) >> 20 FROM MTNote", ["6000|93"])
  }

  @Test("of a run in passes hardly grows with their number")
  func passes() throws {
    let folder = try TemporaryFolder()
    try folder.write(LinkedListArchive.bytes(count: 50_000), to: "list.archive")
    func converts(passes: Int, _ mebibytes: Int) throws -> Bool {
      let later = (1..<passes).map {
        "  - {name: P\($0), entities: {Last: {from: Link, where: next == nil}}}\n"
      }
      try folder.write(
        "entities: {Link: {from: Link, where: next != nil}}\n"
          + (passes > 1 ? "passes:\n" : "") + later.joined(), to: "mapping.yaml")
      return try succeeds(
        ["list.archive", "--mapping", "mapping.yaml"], in: folder, mebibytes)
    }
    let one = try leastMebibytes { try converts(passes: 1, $0) }
    #expect(try sizes(upTo: one + 8).reversed().contains { try converts(passes: 5, $0) })
    let store = try folder.store()
    try store.expect(
      "SELECT (SELECT count(*) FROM Link), (SELECT count(*) FROM Last)", ["49999|4"])
  }

  @Test("of a run does not hold all archives that are inside of another")
  func nested() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "A long text. ", count: 5_000)
    func inner(_ number: Int) throws -> Data {
      try NestedArchives.item("Item", name: "\(number) \(text)").xml()
    }
    try folder.add("many.archive") { archive in
      archive.array(try (0..<1_000).map { .data(try inner($0)) })
    }
    // Each of them takes 64 KiB or more while it is open.
    let result = try folder.convert(
      "many.archive", "-o", "out.db", "--open-nested", limits: ["-d \(72 * 1_024)"])
    #expect(result.status == 0, "\(result)")
    try folder.store().expect("SELECT count(*), sum(length(name)) >> 20 FROM Item", ["1000|61"])
  }

  /// Sizes of memory to try, in MiB.
  ///
  /// With more of it a conversion may fail that succeeds with less, where no other thread could
  /// begin.
  private func sizes(upTo most: Int) -> [Int] { Array(stride(from: 8, through: most, by: 2)) }

  /// The least memory with which a conversion succeeds.
  private func leastMebibytes(_ succeeds: (Int) throws -> Bool) throws -> Int {
    try #require(try sizes(upTo: 256).first { try succeeds($0) }, "it needs more than 256 MiB")
  }

  /// Whether one of three conversions succeeds with some memory of its own.
  ///
  /// Linux counts what is private and writable, and nothing of mapped files; but of the stacks of
  /// threads all that they may become, so that most of these are kept small. How much several
  /// threads need differs from run to run.
  private func succeeds(
    _ arguments: [String], in folder: TemporaryFolder, _ mebibytes: Int,
    program: String = "convert"
  ) throws -> Bool {
    for _ in 1...3 {
      let result = try Program.run(
        arguments + ["-o", "out.db", "--if-exists", "replace"], in: folder.path,
        limits: ["-s 1024", "-d \(mebibytes * 1_024)"], program: program)
      if result.status == 0 { return true }
      #expect(result.signal != SIGKILL, "with too little memory, it ends by itself")
    }
    return false
  }
}

extension TemporaryFolder {
  /// Adds a library of one folder with notes of 16 KiB each.
  fileprivate func addLibrary(_ name: String, notes: Int) throws {
    try add(name) { archive in
      let hierarchy = ["MTNote", "MTModelObject", "NSObject"]
      let answer = String(repeating: "A long answer. ", count: 1_092)
      let members = (0..<notes).map { number in
        archive.instance(
          of: "MTNote", hierarchy: hierarchy,
          [
            "title": archive.string("\(number)"), "answer": archive.string("\(number) \(answer)"),
            "creationDate": archive.date(secondsSince2001: Double(number)),
          ])
      }
      return archive.instance(
        of: "MTFolder", hierarchy: ["MTFolder", "MTModelObject", "NSObject"],
        ["title": archive.string("All"), "notes": archive.array(members)])
    }
  }
}
