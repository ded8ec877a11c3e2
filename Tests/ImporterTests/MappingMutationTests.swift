import Importer
import TestSupport
import Testing

@Suite("Mapping files that are damaged at random")
struct MappingMutationTests {
  private static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    // What YAML gives a meaning to.
    let marks = Array("[]{},:-?*&!|>'\"#%@` \n\tx0~<".utf8)
    var bytes = bytes
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2, 3: bytes[place] = marks.randomElement(using: &random) ?? 0
      case 4: bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
      case 5: bytes.remove(at: place)
      case 6: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
      default:
        let end = min(place + Int.random(in: 1...40, using: &random), bytes.count)
        let other = Int.random(in: bytes.indices, using: &random)
        bytes.insert(contentsOf: bytes[place..<end], at: other)
      }
    }
    let isCut = Int.random(in: 0..<8, using: &random) == 0
    return isCut ? Array(bytes.prefix(Int.random(in: bytes.indices, using: &random))) : bytes
  }

  @Test("end in a mapping or in an error", arguments: [1, 2, 3, 4] as [UInt64])
  func neverCrash(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let original = Array(MappingSample.yaml.utf8)
    var random = SeededGenerator(seed: seed)
    var (sound, malformed, wrong) = (0, 0, 0)
    for _ in 0..<200 {
      let path = try folder.write(Self.mutate(original, &random), to: "m.yaml")
      do throws(MappingError) {
        _ = try Mapping(contentsOf: path)
        sound += 1
      } catch {
        #expect(!error.problems.isEmpty)
        let lines = "\(error)".split(separator: "\n")
        #expect(lines.count == error.problems.count + (error.omittedCount > 0 ? 1 : 0))
        if error.problems[0].code == .malformedYAML { malformed += 1 } else { wrong += 1 }
      }
    }
    // The mutations are neither too coarse nor too fine.
    #expect(sound > 8)
    #expect(malformed > 20)
    #expect(wrong > 20)
  }
}
