import Testing

@testable import Converter

@Suite("Groups of small files")
struct FileGroupsTests {
  private static let large = ArchiveBatch.Groups.largestFile + 1

  @Test(
    "hold all files in their order",
    arguments: [
      [], [0], [5], [large], [0, 0, 0], [5, large, 5], [large, large],
      Array(repeating: 0, count: 1_000), Array(repeating: 16_000, count: 5_000),
      (0..<3_000).map { $0 * 7_919 % 40_000 }, (0..<300).map { $0 % 50 == 7 ? large : 9 },
    ], [true, false])
  func holdAll(sizes: [Int], isEach: Bool) {
    let groups = ArchiveBatch.Groups(sizes, isEach: isEach).ranges
    #expect(groups.flatMap(\.self) == Array(sizes.indices))
    #expect(groups.allSatisfy { (1...256).contains($0.count) })
    #expect(groups.allSatisfy { $0.count == 1 || sizes[$0].allSatisfy { $0 < Self.large } })
    if isEach { #expect(groups.allSatisfy { $0.count == 1 }) }
  }

  @Test("become smaller toward the end")
  func ends() {
    let groups = ArchiveBatch.Groups(Array(repeating: 16_000, count: 5_000), isEach: false).ranges
    #expect((64...100).contains(groups.count))
    #expect(groups.first?.count == 79)
    #expect(groups.last.map { $0.count <= 10 } == true)
    #expect(zip(groups, groups.dropFirst()).allSatisfy { $0.count >= $1.count })
  }
}
