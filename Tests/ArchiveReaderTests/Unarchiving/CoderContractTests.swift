import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("The contract of a coder")
struct CoderContractTests {
  // Methods whose own kind stands in its place.

  static let inPlace: [ContractCase] = [
    .inPlace(
      "decodeBool", { try $0.decodeBool(forKey: "key") }, own: true, gives: "true",
      nothing: "false", wrong: 1, lenient: "true ~convertedNumber",
      "true ~convertedNumber ~followedReference"),
    .inPlace(
      "decodeInt32", { try $0.decodeInt32(forKey: "key") }, own: -7, gives: "-7", nothing: "0",
      wrong: 2.0, lenient: "2 ~convertedNumber", "2 ~convertedNumber ~followedReference"),
    .inPlace(
      "decodeInt64", { try $0.decodeInt64(forKey: "key") }, own: .integer(.min),
      gives: "-9223372036854775808", nothing: "0", wrong: 2.5, lenient: "!wrongKind",
      "!wrongKind"),
    .inPlace(
      "decodeInteger", { try $0.decodeInteger(forKey: "key") }, own: 7, gives: "7", nothing: "0",
      wrong: true, lenient: "1 ~convertedNumber", "1 ~convertedNumber ~followedReference"),
    .inPlace(
      "decodeFloat", { try $0.decodeFloat(forKey: "key") }, own: 0.5, gives: "0.5",
      nothing: "0.0", wrong: 1e300, lenient: "inf ~lostPrecision",
      "inf ~followedReference ~lostPrecision", strict: "!outOfRange"),
    .inPlace(
      "decodeDouble", { try $0.decodeDouble(forKey: "key") }, own: 0.1, gives: "0.1",
      nothing: "0.0", wrong: .integer(9_007_199_254_740_993),
      lenient: "9007199254740992.0 ~convertedNumber ~lostPrecision",
      "9007199254740992.0 ~convertedNumber ~followedReference ~lostPrecision"),
    .inPlace(
      "decodeBytes", { try $0.decodeBytes(forKey: "key") }, own: .data(Data([1, 2])),
      gives: "<1 2>", nothing: "nil", wrong: "text", lenient: "!wrongKind", "!wrongKind"),
  ]

  // Methods whose own kind stands behind a reference.

  static let objects: [ContractCase] = [
    .behindReference(
      "decodeObject", { try $0.decodeObject(forKey: "key") }, own: "text", gives: "'text'",
      wrong: 7, lenient: "7 ~inlineObject", "7"),
    .behindReference(
      "decodeObject of classes", { try $0.decodeObject(ofClasses: ["NSString"], forKey: "key") },
      own: "text", gives: "'text'", wrong: 7, lenient: "!classNotAllowed", "!classNotAllowed"),
    .behindReference(
      "decodeString", { try $0.decodeString(forKey: "key") }, own: "text", gives: "text",
      wrong: 7, lenient: "!wrongKind", "!wrongKind"),
    .behindReference(
      "decodeDate", { try $0.decodeDate(forKey: "key") }, own: .date(2.5), gives: "2.5",
      wrong: "text", lenient: "!wrongKind", "!wrongKind"),
    .behindReference(
      "decodeData", { try $0.decodeData(forKey: "key") }, own: .data(Data([1, 2])),
      gives: "<1 2>", wrong: "text", lenient: "!wrongKind", "!wrongKind"),
    .behindReference(
      "decodePropertyList", { try $0.decodePropertyList(forKey: "key") }, own: ["a": [1, true]],
      gives: "{'a': [1, true]}", wrong: .set([1]), lenient: "!classNotAllowed",
      "!classNotAllowed"),
    .behindReference(
      "decodeArray of strings", { try $0.decodeArray(of: String.self, forKey: "key") },
      own: ["a", "b"], gives: "[\"a\", \"b\"]", wrong: ["a", 1], lenient: "!wrongKind",
      "!wrongKind"),
    .behindReference(
      "decodePoint", { try $0.decodePoint(forKey: "key") }, own: "{1, -2.5}", gives: "1.0 -2.5",
      nothing: "0.0 0.0", wrong: "{1}", lenient: "!wrongKind", "!wrongKind"),
    .behindReference(
      "decodeSize", { try $0.decodeSize(forKey: "key") }, own: "{3, 4e2}", gives: "3.0 400.0",
      nothing: "0.0 0.0", wrong: "{3, 4", lenient: "!wrongKind", "!wrongKind"),
    .behindReference(
      "decodeRect", { try $0.decodeRect(forKey: "key") }, own: "{{1,2}, {3, 4}}",
      gives: "1.0 2.0 3.0 4.0", nothing: "0.0 0.0 0.0 0.0", wrong: "{{1, 2}, {3, 4}} ?",
      lenient: "!wrongKind", "!wrongKind"),
  ]

  @Test("is kept by a lenient one", arguments: inPlace + objects)
  func lenient(row: ContractCase) throws {
    #expect(try row.outcomes(strict: false) == row.lenient)
  }

  @Test("is kept by a strict one", arguments: inPlace + objects)
  func strict(row: ContractCase) throws {
    #expect(try row.outcomes(strict: true) == row.strict)
  }

  @Test("gives nothing for an object of a type that is not there, and names others")
  func objectOfType() throws {
    func found(
      strict: Bool, _ value: (inout KeyedArchiveBuilder) -> PropertyListValue
    ) throws -> String {
      var options = UnarchivingOptions()
      options.decoding.isStrict = strict
      return try Probe.with(options) { ["key": value(&$0)] }.outcome {
        try $0.decodeObject(of: Probe.self, forKey: "key")
      }
    }
    for strict in [false, true] {
      #expect(try found(strict: strict) { _ in .none } == "nil")
      #expect(try found(strict: strict) { $0.add("$null") } == "nil")
      #expect(try found(strict: strict) { $0.string("text") } == "!classNotAllowed")
      #expect(try found(strict: strict) { _ in .uid(9999) } == "!danglingReference")
    }
    #expect(try found(strict: false) { _ in "text" } == "!classNotAllowed")
    #expect(try found(strict: true) { _ in "text" } == "!wrongKind")
  }

  // MARK: Keys

  @Test("tells what keys there are, nil and escaped ones included")
  func keys() throws {
    let probe = try Probe.with(unkeyed: [5]) {
      ["a": .none, "$b": $0.string("escaped"), "$$c": 3, "d": "x"]
    }
    let coder = probe.coder
    #expect(coder.allKeys == ["a", "$b", "$$c", "d"])
    #expect(coder.unkeyedCount == 1)
    #expect(coder.allKeys.map(coder.containsValue(forKey:)) == [true, true, true, true])
    for key in ["e", "b", "$c", "$0", "$class", "$$class", ""] {
      #expect(!coder.containsValue(forKey: key), "\(key)")
      #expect(try coder.decodeObject(forKey: key) == nil)
    }
    #expect(try coder.decodeString(forKey: "$b") == "escaped")
    #expect(try coder.decodeInteger(forKey: "$$c") == 3)
    #expect(coder.unreadKeys == ["a", "d"])
    #expect(coder.allowsKeyedCoding)
    #expect(coder.version(forClassName: "Probe") == NSNotFound)
    #expect(coder.className == "Probe")
    #expect(coder.classHierarchy == ["Probe", "NSObject"])
    #expect(coder.uid == 2)
  }

  @Test("finds keys in objects with many of them")
  func manyKeys() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Probe", (0..<300).map { KeyValue("k\($0)", .integer($0)) })
    }
    let unarchiver = try KeyedUnarchiver(
      bytes: archive.binary(), options: UnarchivingOptions(types: [Probe.self]))
    let coder = try #require(try unarchiver.decodeRoot(of: Probe.self)).coder
    #expect(try (0..<300).map { try coder.decodeInteger(forKey: "k\($0)") } == Array(0..<300))
    #expect(try coder.decodeInteger(forKey: "k300") == 0)
    #expect(coder.unreadKeys == [])
  }

  // MARK: Numbers at their ends

  @Test("refuses numbers that do not fit")
  func ranges() throws {
    let probe = try Probe.with {
      [
        "large": .integer(1 << 40), "wide": .unsigned(.max), "real": 1e30, "nan": .real(.nan),
        "decimal": try $0.decimal("12"), "fraction": try $0.decimal("1.5"),
      ]
    }
    #expect(probe.outcome { try $0.decodeInt32(forKey: "large") } == "!outOfRange")
    #expect(probe.outcome { try $0.decodeInt64(forKey: "wide") } == "!outOfRange")
    #expect(probe.outcome { try $0.decodeInteger(forKey: "real") } == "!outOfRange")
    #expect(probe.outcome { try $0.decodeInteger(forKey: "nan") } == "!wrongKind")
    #expect(probe.outcome { try $0.decodeInteger(forKey: "fraction") } == "!wrongKind")
    #expect(try probe.coder.decodeInt64(forKey: "large") == 1 << 40)
    #expect(try probe.coder.decodeInteger(forKey: "decimal") == 12)
    #expect(try probe.coder.decodeDouble(forKey: "fraction") == 1.5)
    #expect(try probe.coder.decodeDouble(forKey: "nan").isNaN)
    #expect(try probe.coder.decodeFloat(forKey: "nan").isNaN)
    #expect(
      throws: ArchiveError(.outOfRange, at: .object(4, key: "large"), name: "an integer of 32 bits")
    ) { try probe.coder.decodeInt32(forKey: "large") }
  }

  static let lossy: [(value: String, float: String, double: String)] = [
    ("0.1", "0.1 ~convertedNumber ~followedReference ~lostPrecision", "0.1"),
    ("0.5", "0.5", "0.5"), ("-16777216", "-16777216.0", "-16777216.0"),
    ("16777217", "16777216.0 ~convertedNumber ~followedReference ~lostPrecision", "16777217.0"),
    ("1e20", "1e+20 ~convertedNumber ~followedReference ~lostPrecision", "1e+20"),
    (
      "12345678901234567890.123456789",
      "1.2345679e+19 ~convertedNumber ~followedReference ~lostPrecision",
      "1.2345678901234567e+19 ~convertedNumber ~followedReference ~lostPrecision"
    ),
    ("0.00000015", "1.5e-07 ~convertedNumber ~followedReference ~lostPrecision", "1.5e-07"),
    ("NaN", "nan", "nan"), ("0", "0.0", "0.0"),
  ]

  @Test("says where a decimal number has more digits than are left of it", arguments: lossy)
  func lostDigits(row: (value: String, float: String, double: String)) throws {
    let exact = " ~convertedNumber ~followedReference"
    func decimal(_ decode: (KeyedCoder) throws -> some Any) throws -> String {
      try Probe.with { ["key": try $0.decimal(row.value)] }.outcome(decode)
    }
    let float = try decimal { try $0.decodeFloat(forKey: "key") }
    #expect(float == row.float + (row.float.contains("~") ? "" : exact))
    let double = try decimal { try $0.decodeDouble(forKey: "key") }
    #expect(double == row.double + (row.double.contains("~") ? "" : exact))
  }

  @Test("says where single precision has fewer digits, and a strict one gives the nearest number")
  func singlePrecision() throws {
    var options = UnarchivingOptions()
    func float(_ value: PropertyListValue) throws -> String {
      try Probe.with(options) { _ in ["key": value] }.outcome {
        try $0.decodeFloat(forKey: "key")
      }
    }
    #expect(try float(0.1) == "0.1 ~lostPrecision")
    #expect(try float(.real(Double(Float(0.1)))) == "0.1")
    #expect(try float(16_777_217) == "16777216.0 ~convertedNumber ~lostPrecision")
    #expect(try float(16_777_216) == "16777216.0 ~convertedNumber")
    #expect(try float(.real(.nan)) == "nan")
    #expect(try float(.real(.infinity)) == "inf")
    options.decoding.isStrict = true
    #expect(try float(0.1) == "0.1 ~lostPrecision")
    #expect(try float(1e300) == "!outOfRange")
  }

  @Test("takes decimal numbers as booleans, if it is lenient")
  func decimalBooleans() throws {
    func bool(_ text: String, strict: Bool = false) throws -> String {
      var options = UnarchivingOptions()
      options.decoding.isStrict = strict
      return try Probe.with(options) { ["key": try $0.decimal(text)] }.outcome {
        try $0.decodeBool(forKey: "key")
      }
    }
    #expect(try bool("0") == "false ~convertedNumber ~followedReference")
    #expect(try bool("0.01") == "true ~convertedNumber ~followedReference")
    #expect(try bool("1", strict: true) == "!wrongKind")
  }

  @Test("gives whole numbers as real ones only where these have all their digits")
  func wholeNumbers() throws {
    let probe = try Probe.with { _ in
      ["exact": .integer(1 << 53), "large": .integer(1 << 53 + 1)]
    }
    #expect(try probe.coder.decode(Double.self, forKey: "exact") == 9_007_199_254_740_992)
    #expect(probe.outcome { try $0.decode(Double.self, forKey: "large") } == "!wrongKind")
  }

  @Test("takes points that are values, if it is lenient")
  func values() throws {
    func value(
      _ archive: inout KeyedArchiveBuilder, _ kind: Int64, _ key: String, _ text: String
    ) -> PropertyListValue {
      archive.instance(
        of: "NSValue", ["NS.special": .integer(kind), key: archive.string(text)])
    }
    var options = UnarchivingOptions()
    for isStrict in [false, true] {
      options.decoding.isStrict = isStrict
      let point = try Probe.with(options) {
        ["key": value(&$0, 1, "NS.pointval", "{1, 2}")]
      }
      let size = try Probe.with(options) { ["key": value(&$0, 2, "NS.sizeval", "{3, 4}")] }
      let kind = " ~followedReference"
      #expect(
        point.outcome { try $0.decodePoint(forKey: "key") }
          == (isStrict ? "!wrongKind" : "1.0 2.0" + kind))
      #expect(
        size.outcome { try $0.decodeSize(forKey: "key") }
          == (isStrict ? "!wrongKind" : "3.0 4.0" + kind))
      // A size is no point.
      #expect(size.outcome { try $0.decodePoint(forKey: "key") } == "!wrongKind")
    }
  }

  // MARK: Values

  @Test("gives every kind of value, exactly")
  func everyValue() throws {
    let uuid = try #require(UUID(uuidString: "3F2504E0-4F89-41D3-9A0C-0305E82C3301"))
    let digits = "-3402823669209384634633746074317682114.55"
    let probe = try Probe.with {
      [
        "null": $0.null(), "wide": $0.add(.unsigned(.max)), "uuid": $0.uuid(uuid),
        "url": $0.url("b", base: $0.url("https://example.org/a/")),
        "decimal": $0.decimal(
          words: Array(repeating: .max, count: 8), exponent: -2, isNegative: true),
        "nan": try $0.decimal("NaN"), "class": $0.classRecord("Note"),
        "list": $0.array([1, .none, "x", $0.array([])]), "set": $0.set(["x"]),
        "ordered": $0.orderedSet(["x", "y"]), "counted": $0.countedSet([("x", 2)]),
        "dictionary": $0.dictionary(["k": 1, 2: .none]),
      ]
    }
    let found = try probe.coder.allKeys.map {
      "\($0) \(try probe.coder.decodeObject(forKey: $0)?.text ?? "nil")"
    }
    #expect(
      found == [
        "null NSNull", "wide wide 18446744073709551615", "uuid \(uuid.uuidString)",
        "url url https://example.org/a/b", "decimal decimal \(digits)", "nan decimal NaN",
        "class class Note", "list [1, nil, 'x', []]", "set set['x']",
        "ordered ordered['x', 'y']", "counted {'x': 2}", "dictionary {'k': 1, 2: nil}",
      ])
    #expect(try probe.coder.decodeUUID(forKey: "uuid") == uuid)
    #expect(try probe.coder.decodeURL(forKey: "url") == URL(string: "https://example.org/a/b"))
    #expect(try probe.coder.decodeDecimal(forKey: "decimal")?.description == digits)
    // Neither an array nor a dictionary has room for nil.
    #expect(probe.outcome { try $0.decodeArray(of: Int.self, forKey: "list") } == "!nilElement")
    #expect(
      probe.outcome {
        try $0.decodeArrayOfObjects(ofClasses: ["NSNumber", "NSString"], forKey: "list")?.count
      } == "!nilElement")
    #expect(
      probe.outcome {
        try $0.decodeDictionary(
          withKeysOfClasses: ["NSString", "NSNumber"], objectsOfClasses: ["NSNumber"],
          forKey: "dictionary")?.count
      } == "!nilElement")
  }
}
