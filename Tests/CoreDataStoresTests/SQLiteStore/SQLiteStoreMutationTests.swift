import Foundation
import StoreFuzzing
import TestSupport
import Testing

@Suite("A changed SQLite store")
struct SQLiteStoreMutationTests {
  /// The bytes of the sound store.
  private static let sample = Result {
    let folder = try TemporaryFolder()
    let path = try folder.write([], to: "sample.sqlite")
    try SampleStore.make(at: path)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Reads the sound store with the changes that bytes stand for.
  private func check(_ bytes: [UInt8], in folder: TemporaryFolder) throws {
    let path = try folder.write(Data(try Self.sample.get()), to: "store.sqlite")
    let edits = StoreEdits(bytes)
    try edits.apply(at: path)
    for probe in StoreProbe.all {
      #expect(probe.faults(at: path) == [], "\(probe): \(edits.statements)")
    }
  }

  @Test("ends in an error or is read, whatever its tables and rows are")
  func edits() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<MutationCount.perFile(usual: 40) {
      let count = Int.random(in: 4...40, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      try check(bytes, in: folder)
    }
  }

  @Test("is read as it should be where fuzzing once found a bug", arguments: Repository.fuzzCrashes)
  func crashes(path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let folder = try TemporaryFolder()
    guard bytes.starts(with: "SQLite format 3\0".utf8) else { return try check(bytes, in: folder) }
    let copy = try folder.write(Data(bytes), to: "store.sqlite")
    for probe in StoreProbe.all { #expect(probe.faults(at: copy) == []) }
  }
}
