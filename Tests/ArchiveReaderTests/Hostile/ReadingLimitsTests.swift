import ArchiveReader
import Testing

@Suite("Limits")
struct ReadingLimitsTests {
  @Test("are found by their names", arguments: ReadingLimits.Name.allCases)
  func areFoundByName(name: ReadingLimits.Name) {
    var limits = ReadingLimits.standard
    limits[name] = 7
    #expect(limits[name] == 7)
    for other in ReadingLimits.Name.allCases where other != name {
      #expect(limits[other] == ReadingLimits.standard[other])
    }
    #expect(ReadingLimits.standard[name] <= name.highest)
  }

  @Test(
    "are told with their value and the option that raises them",
    arguments: [
      (.depth, "nesting is deeper than the limit of 7 levels"),
      (.chain, "a chain of references is longer than the limit of 7"),
      (.expansion, "values would expand to more than the limit of 7 times the file's size"),
      (.classes, "the file holds more classes than the limit of 7"),
      (.collectionKeys, "the file holds more keys with collections than the limit of 7"),
      (.values, "the file holds more values than the limit of 7"),
      (.xmlBytes, "the file holds more bytes of values than the limit of 7"),
    ] as [(ReadingLimits.Name, String)])
  func areTold(name: ReadingLimits.Name, words: String) {
    var limits = ReadingLimits.standard
    limits[name] = 7
    #expect(
      limits.exceeded(name, at: .byte(3)).description
        == "\(words); raise it with --limit \(name.rawValue)=N (byte 3)")
  }
}
