import ArchiveWriter
import Foundation
import Testing

@Suite("Foundation's unarchiver reads what the builder builds")
struct UnarchivingTests {
  @Test("in both forms", arguments: ["binary", "xml"])
  func readsASimpleGraph(form: String) throws {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let archive = KeyedArchiveBuilder.archive { archive in
      let url = archive.url("b", base: archive.url("https://example.com/a/"))
      return archive.array([
        "text", archive.mutableString("水"), 7, 2.5, true, .data(Data([1, 0, 2])),
        archive.date(secondsSince2001: 0.125), archive.uuid(uuid), url, archive.null(),
        archive.set(["x"]), archive.dictionary(["k": 1]), archive.orderedSet(["o"]),
      ])
    }
    let bytes = form == "xml" ? try archive.xml() : archive.binary()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: bytes)
    unarchiver.requiresSecureCoding = false
    let read = try #require(unarchiver.decodeObject(forKey: "root") as? NSArray)
    try #require(read.count == 13)
    #expect(read[0] as? String == "text")
    #expect((read[1] as? NSString)?.isEqual(to: "水") == true)
    #expect(read[2] as? Int == 7)
    #expect(read[3] as? Double == 2.5)
    #expect(read[4] as? Bool == true)
    #expect(read[5] as? Data == Data([1, 0, 2]))
    #expect((read[6] as? NSDate)?.timeIntervalSinceReferenceDate == 0.125)
    #expect((read[7] as? NSUUID)?.uuidString == uuid.uuidString)
    #expect((read[8] as? NSURL)?.absoluteString == "https://example.com/a/b")
    #expect(read[9] is NSNull)
    #expect((read[10] as? NSSet)?.contains("x") == true)
    #expect((read[11] as? NSDictionary)?["k"] as? Int == 1)
    #expect((read[12] as? NSOrderedSet)?.firstObject as? String == "o")
  }
}
