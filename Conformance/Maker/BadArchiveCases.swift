import ArchiveWriter
import Foundation

/// Sound property lists that are no sound keyed archives.
enum BadArchiveCases {
  static func all() throws -> [Case] {
    let whole = KeyedArchiveBuilder.archive { $0.instance(of: "Box", ["value": 1]) }
    let bytes = PropertyListCases.damaged(Array(whole.binary()), in: "keyed/bad")
    let xml = PropertyListCases.damagedXML(in: "keyed/bad")
    return try bytes + xml + [cycle()] + frames(of: whole) + objects()
  }

  /// An archive whose array of objects holds itself.
  private static func cycle() -> Case {
    var table = BinaryPropertyListWriter.ObjectTable()
    let texts = ["$archiver", "NSKeyedArchiver", "$objects", "$top", "$version", "$null"]
    table.add(.dictionary(keys: [1, 3, 4, 5], values: [2, 7, 8, 9]))
    for text in texts { table.add(.value(.string(text))) }
    table.add(.array([6, 7]))
    table.add(.dictionary(keys: [4], values: [10]))
    table.add(.value(100_000))
    table.add(.value(.uid(1)))
    return .bad(
      "keyed/bad/cycle.binary.plist", "The array of objects holds itself.", table.data())
  }

  private static func objects() throws -> [Case] {
    try [
      bad("uid-out-of-range", "A value refers to an object that does not exist.") { archive in
        archive.instance(of: "Box", ["value": .uid(99)])
      },
      bad("top-uid-out-of-range", "The root does not exist.") { _ in .uid(99) },
      bad("class-out-of-range", "The class of the root does not exist.") { archive in
        archive.add(["value": 1, "$class": .uid(99)])
      },
      bad("class-not-a-record", "The class of the root is a string.") { archive in
        archive.add(["value": 1, "$class": archive.string("Box")])
      },
      bad("class-without-name", "The class of the root has no name.") { archive in
        archive.add(["value": 1, "$class": archive.add(["$classes": ["Box", "NSObject"]])])
      },
      bad("element-out-of-range", "An element of an array does not exist.") { archive in
        archive.instance(of: "NSArray", ["NS.objects": [.uid(99)]])
      },
      bad("uid-of-uid", "An object that is a reference to itself.") { archive in
        let loop = archive.reserve()
        archive.fill(loop, with: loop.reference)
        return loop.reference
      },
    ]
  }

  private static func bad(
    _ name: String, _ about: String,
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> Case {
    try .keyed("bad/\(name)", about, nil, make)
  }

  private static func frames(of whole: KeyedArchiveBuilder) throws -> [Case] {
    guard case .dictionary(let pairs) = whole.propertyList() else { return [] }
    func frame(_ name: String, _ about: String, _ frame: [KeyValue]) throws -> Case {
      let list = PropertyListValue.dictionary(frame)
      return Case(
        "keyed/bad/\(name)", about,
        [
          ("binary.plist", BinaryPropertyListWriter().data(for: list)),
          ("xml.plist", try XMLPropertyListWriter().data(for: list)),
        ], nil)
    }
    func without(_ key: String) -> [KeyValue] { pairs.filter { $0.key != key } }
    return try [
      frame("objects-missing", "No $objects.", without("$objects")),
      frame("top-missing", "No $top.", without("$top")),
      frame(
        "objects-not-an-array", "$objects is a string.",
        without("$objects") + [KeyValue("$objects", "none")]),
      frame(
        "top-not-a-dictionary", "$top is a UID.", without("$top") + [KeyValue("$top", .uid(1))]),
    ]
  }
}
