import DifferentialTesting
import TestSupport
import Testing

/// Some of the cases of `make differential`, each in one of the ways.
@Suite("Random archives")
struct DifferentialTests {
  private static let ways = ConversionWay.allCases
  private static let casesInPart = 2 * ways.count

  @Test(
    "are in the store with all rows, values and links, however converted",
    arguments: Thoroughness.some(Array(0..<20), oneIn: 10))
  func convert(part: Int) throws {
    for number in 0..<Self.casesInPart {
      let seed = UInt64(1 + part * Self.casesInPart + number)
      let way = Self.ways[number % Self.ways.count]
      var generator = CaseGenerator(seed: seed)
      let findings = try DifferentialRun.findings(generator.make(), seed: seed, ways: [way])
      #expect(
        findings == [],
        "seed \(seed): `make differential SEED=\(seed) COUNT=1` shows the smallest such case")
    }
  }
}

/// Some of the cases of `make differential` that are no archives alone.
@Suite("Random stores, batches and migrations")
struct PartedCaseTests {
  private static let seedsInPart: UInt64 = 64

  private func expectNothing(_ kind: CaseKind, part: Int) throws {
    let first = 1 + UInt64(part) * Self.seedsInPart
    for seed in first..<(first + Self.seedsInPart) where CaseKind(seed: seed) == kind {
      #expect(
        try kind.parted(seed: seed)?.findings() == [],
        "seed \(seed): `make differential SEED=\(seed) COUNT=1` shows the smallest such case")
    }
  }

  @Test(
    "have each object, value and link that the changes of a model leave",
    arguments: Thoroughness.some(Array(0..<20), oneIn: 5))
  func migrations(part: Int) throws { try expectNothing(.migration, part: part) }

  @Test(
    "convert sound files beside damaged ones as without them",
    arguments: Thoroughness.some(Array(0..<20), oneIn: 5))
  func batches(part: Int) throws { try expectNothing(.batch, part: part) }

  @Test(
    "keep or list what no model asks for, and refuse or list what is damaged",
    arguments: Thoroughness.some(Array(0..<20), oneIn: 10))
  func surplus(part: Int) throws { try expectNothing(.store, part: part) }
}
