import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Values inside of values")
struct UnarchivedValueTests {
  static let forms: [(Sketch, String?)] = [
    (.none, nil), (.entry(true), "true"), (.number(1), "1"), (.entry(-0.5), "-0.5"),
    (.number(.max), "9223372036854775807"), (.entry(.real(0.1 + 0.2)), "0.30000000000000004"),
    (.entry(.real(.leastNonzeroMagnitude)), "5e-324"), (.entry(.real(.nan)), #""NaN""#),
    (.entry(.real(-.infinity)), #""-Infinity""#), (.entry(.real(1e22)), "1e+22"),
    ("a/\"b\"", #""a/\"b\"""#), ([], "[]"), (["a", .number(2), .none], #"["a",2,null]"#),
    (["b": "1", "a": .number(2)], #"{"a":2,"b":"1"}"#),
    (.date(327_793_920), #"{"class":"NSDate","date":"2011-05-22T21:52:00.000Z"}"#),
    (.data([1, 2, 3]), #"{"base64":"AQID","class":"NSData"}"#),
    (
      .made {
        $0.instance(
          of: "NSUUID",
          [
            "NS.uuidbytes": .data(
              Data([
                0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0, 0xC0, 0x4F, 0xD4,
                0x30, 0xC8,
              ]))
          ])
      }, #"{"class":"NSUUID","uuid":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8"}"#
    ),
    (.url("https://example.org/"), #"{"class":"NSURL","url":"https://example.org/"}"#),
    (
      .made { $0.decimal(words: [123], exponent: -1, isNegative: true) },
      #"{"class":"NSDecimalNumber","value":"-12.3"}"#
    ),
    (
      .entry(.unsigned(.max)), #"{"class":"NSNumber","value":"18446744073709551615"}"#
    ),
    (.object("NSNull", [:]), #"{"class":"NSNull"}"#),
    (.classReference("NSString"), #"{"class":"Class","name":"NSString"}"#),
    (.made { $0.set(["a"]) }, #"{"class":"NSSet","elements":["a"]}"#),
    (.made { $0.orderedSet(["b", "a"]) }, #"{"class":"NSOrderedSet","elements":["b","a"]}"#),
    (.made { $0.countedSet([("a", 2)]) }, #"{"class":"NSCountedSet","pairs":[["a",2]]}"#),
    (.dictionary([(.number(1), "a")]), #"{"class":"NSDictionary","pairs":[[1,"a"]]}"#),
    (["class": "NSDate"], #"{"class":"NSDictionary","pairs":[["class","NSDate"]]}"#),
    // Keys that look the same are two.
    (
      ["é": "1", "e\u{301}": "2"],
      #"{"class":"NSDictionary","pairs":[["é","1"],["e\#u{301}","2"]]}"#
    ),
    (.object("NSLocale", ["NS.identifier": "de"]), #"{"class":"NSLocale","identifier":"de"}"#),
    // A dictionary and an array in the object itself.
    (.inline(["a": [1, 2]]), #"{"a":[1,2]}"#),
  ]

  @Test("are natural JSON, or small objects", arguments: forms.indices)
  func areJSON(index: Int) throws {
    let (sketch, expected) = Self.forms[index]
    let archive = try KeyedArchive(
      bytes: KeyedArchiveBuilder.archive {
        let value = sketch.add(to: &$0)
        return $0.instance(of: "NSNotification", ["NS.object": value])
      }.binary())
    let reader = archive.makeGraph(GraphOptions())
    let root = try #require(archive.roots.first)
    let text = try reader.text(of: try reader.value(of: root))
    let part = expected.map { #","object":\#($0)"# } ?? ""
    #expect(
      Array(text.utf8) == Array((#"{"class":"NSNotification""# + part + "}").utf8), "\(text)")
  }

  @Test("can be taken apart")
  func canBeTakenApart() throws {
    let archive = try KeyedArchive(
      bytes: KeyedArchiveBuilder.archive {
        let color = Sketch.object("NSColor", ["NSColorSpace": 3, "NSWhite": .ascii("0.5 1\0")])
        let values = Sketch.dictionary([("a", color), ("b", "c")])
        return Sketch.object("NSNotification", ["NS.object": values]).add(to: &$0)
      }.binary())
    let reader = archive.makeGraph(GraphOptions())
    let root = try #require(archive.topLevel.first)
    let uid = try #require(archive.table.uid(of: root.node))
    let notification = try #require(try reader.foundationValue(uid))
    #expect(notification["name"] == nil)
    let values = try #require(notification["object"]?.valuesByKey)
    #expect(values["b"]?.text == "c")
    let color = try #require(values["a"]?.foundationValue?.as(ArchivedColor.self))
    #expect(color.class == "NSColor")
    #expect(color.kind == .calibratedWhite)
    #expect(color.components == [0.5])
    #expect(color.alpha == 1)
    #expect(values["a"]?.foundationValue?.className == "NSColor")
    #expect(values["a"]?.foundationValue?["alpha"] == nil)
  }
}
