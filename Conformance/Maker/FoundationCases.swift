import ArchiveWriter
import Foundation

/// Foundation's classes, each as the value of a box.
enum FoundationCases {
  static func all() throws -> [Case] { try collections() + plain() + decimals() + structured() }

  private static func collections() throws -> [Case] {
    try [
      .value("array", "An NSArray.", ["a", "b"]) { $0.array(["a", "b"]) },
      .value("array-mutable", "An NSMutableArray.", [1, 2]) { $0.mutableArray([1, 2]) },
      .value("array-empty", "An NSArray of nothing.", []) { $0.array([]) },
      .value("array-nil", "An element that is nil keeps its place.", ["a", .null, "b"]) {
        archive in archive.array(["a", .none, "b"])
      },
      .value("array-mixed", "Integers, reals and strings.", [1, .real(2.5), "a"]) { archive in
        archive.array([1, archive.number(2.5), "a"])
      },
      .value("array-booleans", "Booleans are no integers.", [true, false]) { archive in
        archive.array([archive.number(true), archive.number(false)])
      },
      .value("array-boolean-integer", "True and 1 are different.", [true, 1]) { archive in
        archive.array([archive.number(true), 1])
      },
      .value("array-nested", "Arrays in an array.", [[1], []]) { archive in
        let inner = archive.array([1])
        return archive.array([inner, archive.array([])])
      },
      .value(
        "array-numbered", "Subclasses of the archiver write a key for each element.", ["a", "b"]
      ) { $0.numberedArray(["a", "b"]) },
      .value("set", "An NSSet.", .set("a", "b")) { $0.set(["a", "b"]) },
      .value("set-mutable", "An NSMutableSet.", .set(1)) { $0.mutableSet([1]) },
      .value("ordered-set", "An NSOrderedSet keeps its order.", ["orderedSet": ["b", "a"]]) {
        archive in archive.orderedSet(["b", "a"])
      },
      .value("counted-set", "An NSCountedSet.", ["countedSet": [["a", 2], ["b", 1]]]) { archive in
        archive.countedSet([("a", 2), ("b", 1)])
      },
      .value("dictionary", "An NSDictionary.", .dictionary(("k", "v"), ("l", "w"))) { archive in
        archive.dictionary(["k": "v", "l": "w"])
      },
      .value("dictionary-mutable", "An NSMutableDictionary.", .dictionary(("k", 1))) { archive in
        archive.dictionary(["k": 1], className: "NSMutableDictionary")
      },
      .value("dictionary-numbers", "Keys need not be strings.", .dictionary((1, "a"), (2, "b"))) {
        archive in archive.dictionary([1: "a", 2: "b"])
      },
      .value("dictionary-empty", "An NSDictionary of nothing.", .dictionary()) { archive in
        archive.dictionary([:])
      },
      .value("dictionary-array", "A dictionary of arrays.", .dictionary(("k", [1, 2]))) {
        archive in archive.dictionary(["k": archive.array([1, 2])])
      },
    ]
  }

  private static func plain() throws -> [Case] {
    let base = "https://example.org/a/"
    return try [
      .value("string-mutable", "An NSMutableString.", "Grüße") { $0.mutableString("Grüße") },
      .value("string-bytes", "An NSMutableString of UTF-8 bytes.", "Grüße") { archive in
        archive.instance(
          of: "NSMutableString", ["NS.bytes": .data(Data("Grüße".utf8))])
      },
      .value("data-mutable", "An NSMutableData.", .data([1, 2])) { archive in
        archive.mutableData(Data([1, 2]))
      },
      .value("date", "An NSDate.", .date(290_000_000)) { archive in
        archive.date(secondsSince2001: 290_000_000)
      },
      .value("date-fraction", "A date with a fraction.", .date(0.1)) { archive in
        archive.date(secondsSince2001: 0.1)
      },
      .value("date-1582", "A date before the Gregorian calendar.", .date(-1.5e10)) { archive in
        archive.date(secondsSince2001: -1.5e10)
      },
      .value("date-year-1", "The first second of the year 1.", .date(-63_113_904_000)) { archive in
        archive.date(secondsSince2001: -63_113_904_000)
      },
      .value("date-far-future", "A date beyond the calendar.", .date(1e300)) { archive in
        archive.date(secondsSince2001: 1e300)
      },
      .value(
        "uuid", "An NSUUID.", ["uuid": "00010203-0405-0607-0809-0A0B0C0D0E0F"]
      ) { $0.instance(of: "NSUUID", ["NS.uuidbytes": .data(Data(0..<16))]) },
      .value("url", "An NSURL.", ["url": .string(base)]) { $0.url(base) },
      .value("url-base", "An NSURL that is relative to another.", ["url": .string(base + "b?c")]) {
        archive in archive.url("b?c", base: archive.url(base))
      },
      .value("null", "NSNull is not nil.", ["null": "NSNull"]) { $0.null() },
    ]
  }

  private static func decimals() throws -> [Case] {
    let decimals = [
      ("decimal", "An NSDecimalNumber.", "-12.3"),
      ("decimal-zero", "An NSDecimalNumber of no words.", "0"),
      (
        "decimal-38-digits", "As many digits as there may be.",
        "12345678901234567890123456789012345678"
      ),
      ("decimal-small", "A negative exponent.", "0.00000000000000000001"),
      ("decimal-nan", "An NSDecimalNumber that is not a number.", "NaN"),
    ]
    return try decimals.map { name, about, text in
      try .value(name, about, ["decimal": .string(text)]) { try $0.decimal(text) }
    }
  }

  private static func structured() throws -> [Case] {
    try [
      .value("point", "An NSValue that is a point.", ["point": [1, 2.5].json]) { archive in
        archive.instance(
          of: "NSValue", ["NS.special": 1, "NS.pointval": archive.string("{1, 2.5}")])
      },
      .value("size", "An NSValue that is a size.", ["size": [3, 4].json]) { archive in
        archive.instance(of: "NSValue", ["NS.special": 2, "NS.sizeval": archive.string("{3, 4}")])
      },
      .value("rect", "An NSValue that is a rectangle.", ["rect": [1, 2, 3, 4].json]) { archive in
        archive.instance(
          of: "NSValue", ["NS.special": 3, "NS.rectval": archive.string("{{1, 2}, {3, 4}}")])
      },
      .value("range", "An NSValue that is a range.", ["range": [1, 2]]) { archive in
        archive.instance(
          of: "NSValue",
          [
            "NS.special": 4, "NS.rangeval.location": archive.number(1),
            "NS.rangeval.length": archive.number(2),
          ])
      },
      .value("index-set", "An NSIndexSet of one range.", ["indexSet": [[5, 3]]]) { archive in
        archive.instance(
          of: "NSIndexSet", ["NSRangeCount": 1, "NSLocation": 5, "NSLength": 3])
      },
      .value(
        "index-set-ranges", "An NSIndexSet of two ranges.", ["indexSet": [[0, 1], [128, 16_383]]]
      ) { archive in
        let ranges = archive.data(Data([0, 1, 0x80, 1, 0xFF, 0x7F]))
        return archive.instance(
          of: "NSIndexSet", ["NSRangeCount": 2, "NSRangeData": ranges])
      },
      .value("index-path", "An NSIndexPath.", ["indexPath": [1, 2, 300]]) { archive in
        let indexes = archive.data(Data([1, 2, 0xAC, 2]))
        return archive.instance(
          of: "NSIndexPath", ["NSIndexPathLength": 3, "NSIndexPathData": indexes])
      },
      .value(
        "attributed-string", "An NSAttributedString without attributes.",
        ["attributedString": "abc", "runs": [[3, .dictionary()]]]
      ) { archive in
        archive.instance(
          of: "NSAttributedString",
          ["NSString": archive.string("abc"), "NSAttributes": archive.dictionary([:])])
      },
      .value(
        "attributed-string-runs", "Runs are counted in UTF-16 units.",
        [
          "attributedString": "a😀b",
          "runs": [[1, .dictionary(("k", 1))], [2, .dictionary()], [1, .dictionary(("k", 1))]],
        ]
      ) { archive in
        let attributes = archive.array([archive.dictionary(["k": 1]), archive.dictionary([:])])
        return archive.instance(
          of: "NSAttributedString",
          [
            "NSString": archive.string("a😀b"), "NSAttributes": attributes,
            "NSAttributeInfo": archive.data(Data([1, 0, 2, 1, 1, 0])),
          ])
      },
    ]
  }
}

extension [Double] {
  /// The numbers as reals.
  fileprivate var json: JSON { .array(map { .real($0) }) }
}
