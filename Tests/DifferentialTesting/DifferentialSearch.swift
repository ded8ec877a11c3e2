import Foundation

/// Runs many cases, and prints what is wrong with them: each kind of finding once, by its smallest
/// case.
package struct DifferentialSearch {
  private let seeds: Range<UInt64>
  private let folder: String?
  private let only: String?
  private let shrinks: Bool

  /// The kind of case that `only` begins with; those of archives have several names.
  private var asked: CaseKind? {
    CaseKind.allCases.first { $0 != .archives && only?.hasPrefix($0.rawValue) == true }
  }

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - seeds: The seeds of the cases.
  ///   - folder: The folder for the archives of cases that go wrong.
  ///   - only: Words of the findings that count; nil for all.
  ///   - shrinks: Whether cases that go wrong are made smaller.
  package init(seeds: Range<UInt64>, keeps folder: String?, only: String?, shrinks: Bool) {
    self.shrinks = shrinks
    self.seeds = seeds
    self.folder = folder
    self.only = only
  }

  /// Runs all cases; returns whether nothing was found.
  package func run() -> Bool {
    let start = ContinuousClock.now
    let results = Results()
    let next = Counter(seeds.lowerBound)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while true {
        let seed = next.take()
        guard seed < seeds.upperBound else { return }
        for finding in findings(of: seed) { results.add(finding, seed) }
      }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print(
      "\(seeds.count) cases in \(Int(seconds)) s: "
        + (results.firsts.isEmpty ? "nothing found" : "\(results.firsts.count) kinds of findings"))
    for (finding, seed, times) in results.firsts {
      print("seed \(seed), \(times) times: \(finding)")
    }
    for (finding, seed, _) in results.firsts where shrinks {
      print("\nThe smallest case of seed \(seed):")
      fflush(nil)
      explain(finding, seed)
    }
    return results.firsts.isEmpty
  }

  private func findings(of seed: UInt64) -> [Finding] {
    let kind = CaseKind(seed: seed)
    // Cases of other kinds have no such findings.
    if let asked, asked != kind { return [] }
    if let parted = kind.parted(seed: seed) { return found { try parted.findings() } }
    var generator = CaseGenerator(seed: seed)
    return findings(generator.make(), seed)
  }

  private func findings(
    _ archives: ArchiveCase, _ seed: UInt64, way: String? = nil
  ) -> [Finding] {
    let ways = way.flatMap { ConversionWay(rawValue: $0) }.map { [$0] } ?? ConversionWay.all
    return found { try DifferentialRun.findings(archives, seed: seed, ways: ways) }
  }

  private func found(_ run: () throws -> [Finding]) -> [Finding] {
    do {
      return try run().filter { finding in only.map { "\(finding)".contains($0) } ?? true }
    } catch {
      return [Finding(way: nil, kind: "an error", detail: "\(error)")]
    }
  }

  /// Prints the smallest case of a finding, and keeps its archives.
  private func explain(_ finding: Finding, _ seed: UInt64) {
    if let parted = CaseKind(seed: seed).parted(seed: seed) {
      return explain(finding, seed, parted)
    }
    var generator = CaseGenerator(seed: seed)
    let smallest = CaseShrinker.shrink(generator.make()) { archives in
      findings(archives, seed, way: finding.way).contains { $0.isLike(finding) }
    }
    let words = findings(smallest, seed, way: finding.way).first { $0.isLike(finding) }
    printCase(smallest, words ?? finding)
    guard let folder else { return }
    for file in smallest.files {
      let path = "\(folder)/\(seed)/\(file.name)"
      let parent = (path as NSString).deletingLastPathComponent
      try? FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true)
      try? file.bytes().write(to: URL(fileURLWithPath: path))
    }
  }

  private func explain(_ finding: Finding, _ seed: UInt64, _ parted: some PartedCase) {
    let smallest = parted.smallest(with: finding)
    let words = found { try smallest.findings() }.first { $0.isLike(finding) }
    printCase(smallest, words ?? finding)
    guard let folder = folder.map({ "\($0)/\(seed)" }) else { return }
    try? FileManager.default.removeItem(atPath: folder)
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try? smallest.write(into: folder)
  }

  private func printCase(_ smallest: some CustomStringConvertible, _ finding: Finding) {
    print(
      "\(smallest)\n\(finding)".split(separator: "\n").map { "    \($0)" }
        .joined(separator: "\n"))
  }
}

/// The first finding of each kind, in the order of the seeds.
private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private var found: [String: (finding: Finding, seed: UInt64, times: Int)] = [:]

  func add(_ finding: Finding, _ seed: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    let name = "\(finding.way ?? "test") \(finding.kind)"
    guard let known = found[name] else {
      found[name] = (finding, seed, 1)
      return
    }
    found[name] =
      known.seed <= seed
      ? (known.finding, known.seed, known.times + 1) : (finding, seed, known.times + 1)
  }

  var firsts: [(finding: Finding, seed: UInt64, times: Int)] {
    lock.lock()
    defer { lock.unlock() }
    return found.values.sorted { $0.seed < $1.seed }
  }
}

private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value: UInt64

  init(_ value: UInt64) { self.value = value }

  func take() -> UInt64 {
    lock.lock()
    defer { lock.unlock() }
    defer { value += 1 }
    return value
  }
}
