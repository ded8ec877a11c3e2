import ArchiveWriter
import Foundation

/// Objects, their classes, keys and references, and the frame of the archive.
enum KeyedObjectCases {
  static func all() throws -> [Case] {
    let graphs: [Case] = try [shared(), cycle(), selfReference(), collectionCycle(), deep()]
    return try objects() + graphs + keys() + frames()
  }

  private static func objects() throws -> [Case] {
    try [
      .keyed("object", "An object with two keys.", .root(("Note", ["rank": 3, "title": "Milk"]))) {
        archive in
        let note = archive.reserve()
        return archive.fill(
          note, className: "Note", ["title": archive.string("Milk"), "rank": 3])
      },
      .keyed("object-empty", "An object without keys.", .root(("Empty", [:]))) { archive in
        archive.instance(of: "Empty")
      },
      .keyed(
        "hierarchy", "An object of a class with superclasses of the app.",
        .root(("Sub", ["a": 1, "b": 2]))
      ) { archive in
        archive.instance(
          of: "Sub", hierarchy: ["Sub", "Middle", "Base", "NSObject"], ["a": 1, "b": 2])
      },
      .keyed(
        "class-hints", "Hints for readers that do not know the class change nothing.",
        .root(("New", ["a": 1]))
      ) { archive in
        let record = archive.add([
          "$classname": "New", "$classes": ["New", "NSObject"], "$classhints": ["Old"],
        ])
        return archive.add(["a": 1, "$class": record])
      },
      .keyed("class-as-value", "A class is a value.", .root(("Box", ["value": ["class": "Note"]])))
      {
        archive in
        archive.instance(of: "Box", ["value": archive.classRecord("Note")])
      },
      .keyed(
        "class-of-swift", "A class of a Swift module.", .root(("Garden.Plant", ["name": "Fern"]))
      ) { archive in
        archive.instance(of: "Garden.Plant", ["name": archive.string("Fern")])
      },
      .keyed(
        "two-classes", "Two objects of different classes.",
        .root(("Folder", ["note": .ref(2)]), ("Note", ["title": "Milk"]))
      ) { archive in
        let note = archive.instance(of: "Note", ["title": archive.string("Milk")])
        return archive.instance(of: "Folder", ["note": note])
      },
      .keyed(
        "unkeyed", "Values that were encoded without keys have the keys $0, $1…",
        .root(("Old", ["$0": 7, "$1": "a"]))
      ) { archive in
        let text = archive.string("a")
        return archive.instance(of: "Old", [], unkeyed: [7, text])
      },
    ]
  }

  private static func shared() throws -> Case {
    try .keyed(
      "shared-object", "An object that two others refer to is one.",
      .root(
        ("Pair", ["first": .ref(2), "second": .ref(3)]), ("Side", ["leaf": .ref(4)]),
        ("Side", ["leaf": .ref(4)]), ("Leaf", ["name": "x"]))
    ) { archive in
      let leaf = archive.instance(of: "Leaf", ["name": archive.string("x")])
      let sides = (0..<2).map { _ in archive.instance(of: "Side", ["leaf": leaf]) }
      return archive.instance(of: "Pair", ["first": sides[0], "second": sides[1]])
    }
  }

  private static func cycle() throws -> Case {
    try .keyed("cycle", "A folder whose notes refer to it.", folderReading, folder)
  }

  static var folderReading: Reading {
    .root(
      ("Folder", ["notes": [.ref(2), .ref(3)]]), ("Note", ["folder": .ref(1), "rank": 1]),
      ("Note", ["folder": .ref(1), "rank": 2]))
  }

  /// Adds a folder whose notes refer to it.
  static func folder(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    let folder = archive.reserve()
    let notes = (1...2).map { rank in
      archive.instance(of: "Note", ["folder": folder.reference, "rank": .integer(rank)])
    }
    return archive.fill(folder, className: "Folder", ["notes": archive.array(notes)])
  }

  private static func selfReference() throws -> Case {
    try .keyed(
      "self-reference", "An object that refers to itself.", .root(("Loop", ["me": .ref(1)]))
    ) { archive in
      let loop = archive.reserve()
      return archive.fill(loop, className: "Loop", ["me": loop.reference])
    }
  }

  private static func collectionCycle() throws -> Case {
    try .keyed(
      "cycle-through-array", "An object in an array that it holds.",
      .root(("Loop", ["all": [.ref(1), .ref(1)]]))
    ) { archive in
      let loop = archive.reserve()
      return archive.fill(
        loop, className: "Loop", ["all": archive.array([loop.reference, loop.reference])])
    }
  }

  private static func keys() throws -> [Case] {
    let keys: [(String, String, String)] = [
      ("key-empty", "A key of no characters.", ""),
      ("key-dotted", "A key with dots and spaces.", "com.example.last name"),
      ("key-unicode", "A key that is not ASCII.", "größe"),
      ("key-id", "A key that a database may want for itself.", "id"),
    ]
    let named: [Case] = try keys.map { name, about, key in
      try .keyed(name, about, .root(("Thing", .object([(key: key, value: 1 as JSON)])))) {
        archive in
        archive.instance(of: "Thing", [KeyValue(key, 1)])
      }
    }
    let compared: [Case] = try [
      .keyed(
        "key-dollar", "A key that begins with $ is archived with another one, and read so.",
        .root(("Thing", ["$$odd": 1]))
      ) { archive in
        archive.instance(of: "Thing", ["$odd": 1])
      },
      .keyed(
        "keys-by-case", "Keys that differ in case alone.",
        .root(("Thing", ["Name": "b", "name": "a"]))
      ) { archive in
        archive.instance(of: "Thing", ["name": archive.string("a"), "Name": archive.string("b")])
      },
      .keyed(
        "keys-differ", "Two objects of a class with different keys.",
        .root(
          ("Pair", ["first": .ref(2), "second": .ref(3)]), ("Side", ["a": 1]), ("Side", ["b": 2]))
      ) { archive in
        let first = archive.instance(of: "Side", ["a": 1])
        let second = archive.instance(of: "Side", ["b": 2])
        return archive.instance(of: "Pair", ["first": first, "second": second])
      },
    ]
    return named + compared
  }

  private static func frames() throws -> [Case] {
    var several = KeyedArchiveBuilder()
    several.setTop("first", several.instance(of: "Note", ["rank": 1]))
    several.setTop("second", several.instance(of: "Note", ["rank": 2]))
    var plain = KeyedArchiveBuilder()
    plain.setTop("count", 7)
    plain.setTop("name", plain.string("a"))
    plain.setTop("note", plain.instance(of: "Note", ["rank": 1]))
    var other = KeyedArchiveBuilder.archive { $0.instance(of: "Note", ["rank": 1]) }
    other.archiver = "MSArchiver"
    var unreachable = KeyedArchiveBuilder.archive { $0.instance(of: "Note", ["rank": 1]) }
    _ = unreachable.instance(of: "Note", ["rank": 2])
    return try [
      .keyed(
        "top-keys", "Several top-level keys.",
        Reading(
          ["first": .ref(1), "second": .ref(2)], ("Note", ["rank": 1]), ("Note", ["rank": 2])),
        archive: several),
      .keyed(
        "top-values", "Top-level keys of plain values.",
        Reading(["count": 7, "name": "a", "note": .ref(1)], ("Note", ["rank": 1])),
        archive: plain),
      .keyed(
        "archiver-subclass", "A subclass of the archiver writes its own name.",
        .root(("Note", ["rank": 1])), archive: other),
      .keyed(
        "unreachable", "An object that nothing refers to is not part of the contents.",
        .root(("Note", ["rank": 1])), archive: unreachable),
      .keyed("root-string", "A root that is a string.", Reading(["root": "a"])) { $0.string("a") },
      .keyed("root-array", "A root that is an array.", Reading(["root": [1, 2]])) { archive in
        archive.array([1, 2])
      },
    ]
  }

  /// The number of objects in the chain.
  private static let depth = 10_000

  private static func deep() throws -> Case {
    try .keyed(
      "deep", "A chain of 10,000 objects: more than the stack of most readers.",
      .chain(of: "Link", count: depth, key: "next", end: ["end": true]), hasXML: false
    ) { archive in
      var next = archive.instance(of: "Link", ["end": true])
      for _ in 1..<depth { next = archive.instance(of: "Link", ["next": next]) }
      return next
    }
  }
}
