import Converter
import Foundation
import TestSupport

extension DifferentialRun {
  // MARK: Two stores

  /// The first line in which two stores differ, apart from what says how they were made.
  static func difference(
    _ one: String, _ other: String, except left: Set<String> = ["_archive", "_run", "_report"]
  ) throws -> String? {
    func lines(_ path: String) throws -> [Substring] {
      let store = try StoreQuery(path)
      let text =
        try store.schema()
        + store.content(except: left, countsRows: false)
      return text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let (one, other) = (try lines(one), try lines(other))
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let place = place ?? (one.count == other.count ? nil : min(one.count, other.count)) else {
      return nil
    }
    func line(_ lines: [Substring]) -> String {
      lines.indices.contains(place) ? String(lines[place]) : "nothing"
    }
    return "\(line(one)) and \(line(other))"
  }

  // MARK: Changes

  /// Changes copies of a store, and lets a comparison find each change.
  mutating func mutate(_ way: ConversionWay, _ store: String, _ inputs: [String]) throws {
    var generator = SeededGenerator(seed: seed)
    let query = try StoreQuery(store)
    var made = 0
    for _ in 0..<10 where made < 2 {
      guard let mutation = try StoreMutation(of: query, using: &generator) else { continue }
      guard
        let copy = try? StoreEditor.copy(of: store, in: folder, changedBy: mutation.sql)
      else { continue }
      made += 1
      var verifier = StoreVerifier(store: copy, inputs: inputs, options: verifierOptions)
      guard let result = (try? verifier.run())?.verification else { continue }
      if result.isPassed { note(way, "a change is not noticed", mutation.sql) }
    }
  }
}
